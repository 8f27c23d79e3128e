import { createInflate, constants, createZstdDecompress } from 'node:zlib'
import { WebSocket } from 'ws'

/** A gateway client of a few lines, as another library would write it. */
export function dial(url: string, query = '?v=10&encoding=json') {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/${query}`)
  const inbox: any[] = []
  const waiting: ((payload: any) => void)[] = []
  const accept = (text: string) => {
    const payload = JSON.parse(text)
    const next = waiting.shift()
    if (next) next(payload)
    else inbox.push(payload)
  }
  const closed = new Promise<number>((resolve) => socket.on('close', (code) => resolve(code)))
  const decompress = query.includes('zlib')
    ? createInflate({ flush: constants.Z_SYNC_FLUSH })
    : query.includes('zstd')
      ? createZstdDecompress()
      : null
  decompress?.on('data', (chunk: Buffer) => accept(chunk.toString()))
  socket.on('message', (data: Buffer) => (decompress ? decompress.write(data) : accept(data.toString())))
  const receive = () =>
    inbox.length > 0 ? Promise.resolve(inbox.shift()) : new Promise<any>((resolve) => waiting.push(resolve))
  return {
    socket,
    closed,
    receive,
    send: (op: number, d: unknown) => socket.send(JSON.stringify({ op, d })),
    /** The next event of this kind; others before it are dropped. */
    async event(name: string) {
      for (;;) {
        const payload = await receive()
        if (payload.t === name) return payload
      }
    },
    async op(op: number) {
      for (;;) {
        const payload = await receive()
        if (payload.op === op) return payload
      }
    },
  }
}
