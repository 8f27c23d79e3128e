import type { FigureOptions, Renders, ScreenshotWish } from '../../bot/commands/renders/render-service.ts'

type RenderRequest = FigureOptions | ScreenshotWish

/** Answers a few bytes, or what it is told to fail with, and remembers what was wished for. */
export function createFakeRenders(): Renders & { readonly wishes: RenderRequest[]; failure: Error | null } {
  const wishes: RenderRequest[] = []
  const answer = async (wish: RenderRequest): Promise<Uint8Array> => {
    wishes.push(wish)
    if (fake.failure) throw fake.failure
    return Buffer.from('a render')
  }
  const fake = { wishes, failure: null as Error | null, figure: answer, screenshot: answer }
  return fake
}
