import { expect } from 'chai'
import type { OpenFrames } from '../../../../../bot/audio/input/open-frames.ts'
import { FrameWindow } from '../../../../../bot/audio/playback/frame-buffer.ts'
import { paceOpening } from '../../../../../bot/audio/playback/opening/open-throttle.ts'

const TRACK = { kind: 'file', path: 'x', codec: 'other' } as const

describe('sources that are opened again', () => {
  it('are opened at once the first time, and then at most each 250 ms, the latest alone', async () => {
    const opened: { at: number; sample: number }[] = []
    const startMs = performance.now()
    const open = paceOpening(async (_, { startSamples }) => {
      opened.push({ at: performance.now() - startMs, sample: startSamples })
      return new FrameWindow({ startSamples, preSkip: 0, onClose: () => undefined })
    })
    let last = new AbortController()
    const outcomes: Promise<unknown>[] = []
    for (let i = 0; i < 20; i++) {
      last.abort()
      last = new AbortController()
      const wish = { startSamples: i, onTitle: () => undefined } as unknown as Parameters<OpenFrames>[1]
      outcomes.push(open(TRACK, wish, last.signal).catch((error: unknown) => error))
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await Promise.all(outcomes)
    expect(opened.map(({ sample }) => sample)).to.satisfy(
      ([first, ...rest]: number[]) => first === 0 && rest.at(-1) === 19,
    )
    expect(opened.length).to.be.below(8)
    for (const [i, { at }] of opened.entries()) if (i > 0) expect(at - opened[i - 1]!.at).to.be.at.least(245)
  })
})
