import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync } from 'node:fs'

/** A web server with music that behaves well, badly and worse. */
export interface Outside {
  /** What a member might paste. */
  readonly links: readonly string[]
  close(): Promise<void>
}

/** Bytes after which a connection to the unreliable file breaks off. */
const DROP_AFTER_BYTES = 150_000
const RADIO_CHUNK_BYTES = 8000
const RADIO_EVERY_MS = 200

export async function startOutside(mp3Path: string): Promise<Outside> {
  const mp3 = readFileSync(mp3Path)
  const radios = new Set<NodeJS.Timeout>()
  let looks = 0

  function sendRange(response: ServerResponse, range: string | undefined, atMost: number): void {
    const from = Number(/^bytes=(\d+)-/.exec(range ?? '')?.[1] ?? 0)
    const rest = mp3.subarray(from)
    response.writeHead(range === undefined ? 200 : 206, {
      'content-type': 'audio/mpeg',
      'accept-ranges': 'bytes',
      'content-length': rest.length,
      ...(range === undefined ? {} : { 'content-range': `bytes ${from}-${mp3.length - 1}/${mp3.length}` }),
    })
    response.write(rest.subarray(0, atMost))
    if (rest.length > atMost) setTimeout(() => response.destroy(), 50)
    else response.end()
  }

  function sendRadio(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'audio/mpeg', 'icy-name': 'Soak FM' })
    let at = 0
    const timer = setInterval(() => {
      response.write(mp3.subarray(at, at + RADIO_CHUNK_BYTES))
      at = at + RADIO_CHUNK_BYTES < mp3.length ? at + RADIO_CHUNK_BYTES : 0
    }, RADIO_EVERY_MS)
    radios.add(timer)
    response.once('close', () => {
      clearInterval(timer)
      radios.delete(timer)
    })
  }

  const server = createServer(({ url, headers }, response) => {
    if (url === '/good.mp3') return sendRange(response, headers.range, Infinity)
    if (url === '/dropping.mp3') return sendRange(response, headers.range, DROP_AFTER_BYTES)
    if (url === '/radio') return sendRadio(response)
    // It is there whenever someone looks, and gone every other time.
    looks += 1
    if (url === '/vanishing.mp3' && looks % 2 === 1) return sendRange(response, headers.range, Infinity)
    response.writeHead(404)
    return response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const names = ['good.mp3', 'dropping.mp3', 'vanishing.mp3', 'radio']
  return {
    links: names.map((name) => `http://127.0.0.1:${port}/${name}`),
    async close() {
      for (const timer of radios) clearInterval(timer)
      server.closeAllConnections()
      const closed = once(server, 'close')
      server.close()
      await closed
    },
  }
}
