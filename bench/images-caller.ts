import { Pool } from 'undici'
import { CONCURRENCY, type CallerOrder, type CallerReport } from './images-orders.ts'

let picture: Uint8Array = Buffer.alloc(0)
let pool: Pool | null = null

process.on('message', (order: CallerOrder) => {
  if ('picture' in order) {
    picture = order.picture
    return
  }
  const startedAtMs = performance.now()
  const report = (failure: string | null, bytes: number) =>
    process.send?.({ failure, bytes, tookMs: performance.now() - startedAtMs } satisfies CallerReport)
  askAll(order).then(
    (bytes) => report(null, bytes),
    (error: unknown) => report(String(error), 0),
  )
})
process.once('disconnect', () => void pool?.close())

async function askAll({ url, key, times }: Exclude<CallerOrder, { picture: Uint8Array }>): Promise<number> {
  const { origin, pathname, search } = new URL(url)
  const path = pathname + search
  const connections = (pool ??= new Pool(origin, { connections: CONCURRENCY }))
  const headers = { authorization: `Bearer ${key}`, accept: 'image/*' }
  let [left, bytes] = [times, 0]
  const lane = async (): Promise<void> => {
    while (left-- > 0) {
      const { statusCode, body } = await connections.request({ path, method: 'POST', body: picture, headers })
      const answer = await body.arrayBuffer()
      if (statusCode !== 200) throw new Error(Buffer.from(answer).toString().slice(0, 200))
      bytes = answer.byteLength
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, lane))
  return bytes
}
