import { createServer, type ServerResponse } from 'node:http'
import { listen } from '../../../test/support/web.ts'
import { silentMp3 } from './audio.ts'

/** The attacker's web server. What it sends is as large as a caller may make it, or comes in the smallest pieces. */
export interface HostileWeb {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  /** Requests it got since the last call of this. */
  takeRequests(): number
  close(): Promise<void>
}

type Handler = (response: ServerResponse) => void

const SONGS = 5000
const BYTES_AT_ONCE = 4096

/** Its answers go by the first part of the path. */
export async function openHostileWeb(): Promise<HostileWeb> {
  let requests = 0
  let handlers: Readonly<Record<string, Handler>> = {}
  const server = createServer((request, response) => {
    requests++
    response.on('error', () => undefined)
    const handler = handlers[/^\/([\w-]+)/.exec(request.url ?? '')?.[1] ?? '']
    if (handler) handler(response)
    else response.writeHead(404).end()
  })
  const listening = await listen(server)
  handlers = handlersOf(listening.url)
  return {
    url: listening.url,
    takeRequests() {
      const count = requests
      requests = 0
      return count
    },
    close: () => listening.close(),
  }
}

function handlersOf(origin: string): Readonly<Record<string, Handler>> {
  const song = silentMp3()
  const playlist = Array.from({ length: SONGS }, (_, i) => `${origin}/song?${i}`).join('\n')
  return {
    song: (response) => void response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(song),
    'm3u-long': (response) => void response.writeHead(200, { 'content-type': 'audio/x-mpegurl' }).end(playlist),
    'picture-bytes': (response) => {
      response.writeHead(200, { 'content-type': 'image/png' })
      const drip = (): void => {
        for (let at = 0; at < BYTES_AT_ONCE; at++) response.write('x')
        if (!response.destroyed) response.once('drain', drip)
      }
      drip()
    },
  }
}
