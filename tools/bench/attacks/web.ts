import { createServer, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net'
import { listen } from '../../../test/support/web.ts'
import { silentMp3 } from './audio.ts'

/** The attacker's web server. Its answers are as large as a caller may make them, or come in the smallest pieces. */
export type HostileWeb = Awaited<ReturnType<typeof openHostileWeb>>

type Handler = (response: ServerResponse) => void

const SONGS = 5000
const BYTES_AT_ONCE = 4096
/** Packets of one byte for a ping of a game server, as many as it takes. */
const PACKETS = Buffer.alloc(64 * 1024, Buffer.from([1, 5]))

/** Serves answers by the first part of the path. */
export async function openHostileWeb() {
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
  const game = await startFlood(() => requests++)
  return {
    /** `http://127.0.0.1:PORT` */
    url: listening.url,
    /** The port of its game server, which floods at every address of this machine. */
    gamePort: (game.address() as AddressInfo).port,
    /** Requests it got since the last call of this. */
    takeRequests(): number {
      const count = requests
      requests = 0
      return count
    },
    async close() {
      game.close()
      await listening.close()
    },
  }
}

function startFlood(onAsked: () => void): Promise<Server> {
  const server = createTcpServer((socket) => {
    onAsked()
    const flood = (): void => {
      while (!socket.destroyed && socket.write(PACKETS));
    }
    socket.on('error', () => undefined).on('drain', flood)
    flood()
  })
  return new Promise((resolve) => {
    server.listen(0, '0.0.0.0', () => resolve(server))
  })
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
        let isFree = true
        for (let at = 0; at < BYTES_AT_ONCE; at++) isFree = response.write('x')
        if (response.destroyed) return
        if (isFree) setImmediate(drip)
        else response.once('drain', drip)
      }
      drip()
    },
  }
}
