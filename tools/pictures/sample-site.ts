import { createServer, type RequestListener, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { SAMPLE_PAGES } from './sample-pages.ts'

/**
 * Pages to make screenshots of, and at /hooks/… servers that get webhooks: `lobby`, which is down for its first few and
 * works from then on, `wall`, which takes them and never answers, and `old`, which wants no more.
 */
export function startSampleSite(port: number): Server {
  let sentToLobby = 0
  const receivers: Readonly<Record<string, RequestListener>> = {
    '/hooks/lobby'(_, reply) {
      sentToLobby += 1
      if (sentToLobby > LOBBY_IS_DOWN_FOR) reply.setHeader('content-type', 'application/json').end('{"shown":true}')
      else reply.writeHead(502, { 'content-type': 'text/html' }).end('<h1>502 Bad Gateway</h1>')
    },
    '/hooks/wall': () => undefined,
    '/hooks/old': (_, reply) => void reply.writeHead(410).end('This screen was taken down in May.'),
  }

  return createServer((asked, reply) => {
    const path = asked.url ?? ''
    const receiver = receivers[path]
    if (receiver) return void text(asked).then(() => receiver(asked, reply))
    const page = SAMPLE_PAGES[path.slice(1)]
    reply.writeHead(page ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  }).listen(port, '127.0.0.1')
}

/** The number of failed deliveries. */
const LOBBY_IS_DOWN_FOR = 3
