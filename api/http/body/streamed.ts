import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** A body that arrives piece by piece; its headers are complete. */
export class Streamed {
  readonly stream: Readable

  constructor(stream: Readable) {
    this.stream = stream
  }
}

/** Sends what was opened. A stream that breaks cuts the connection, so that nobody takes a part for the whole. */
export async function sendStreamed(
  res: ServerResponse,
  status: number,
  headers: string[],
  body: Streamed,
): Promise<void> {
  const { stream } = body
  if (res.destroyed || res.headersSent || res.req.method === 'HEAD') {
    stream.destroy()
    if (res.destroyed || res.headersSent) return
    res.writeHead(status, headers)
    res.end()
    return
  }
  res.writeHead(status, headers)
  await pipeline(stream, res).catch(() => res.destroy())
}
