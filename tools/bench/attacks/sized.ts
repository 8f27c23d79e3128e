import { createServer, type AddressInfo } from 'node:net'
import { WebSocket } from 'ws'
import type { Answer } from '../../../test/support/service.ts'
import type { Attack, Attacker } from './attacks.ts'

/** Packets of one byte for a ping of a game server, as many as it takes. */
const PACKETS = Buffer.alloc(64 * 1024, Buffer.from([1, 5]))
const LISTS_PER_BATCH = 10
const SONGS = 5000

async function post(url: string, key: string, body: unknown): Promise<Answer> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  await response.arrayBuffer()
  return { status: response.status, headers: response.headers, body: null }
}

/** Listens until the process ends. */
let gamePort: Promise<number> | null = null

function startFlood(): Promise<number> {
  const server = createServer((socket) => {
    const flood = (): void => {
      while (!socket.destroyed && socket.write(PACKETS));
    }
    socket.on('error', () => undefined).on('drain', flood)
    flood()
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)).unref()
  })
}

function queueOf({ guildIds }: Attacker, lane: number): string {
  return `/v1/music/guilds/${guildIds[lane % guildIds.length]}`
}

/** A long queue first, and then the same request again and again. */
function withLongQueue(name: string, once: (attacker: Attacker, lane: number) => Promise<Answer>): Attack {
  return {
    name,
    lanes: 50,
    once: (attacker, lane, turn) =>
      turn === 0 ? attacker.play(lane, `${attacker.web}/m3u-long`) : once(attacker, lane),
  }
}

/** Work whose size the attacker chooses. */
export const SIZED_ATTACKS: readonly Attack[] = [
  {
    name: 'batches of tools/list',
    lanes: 50,
    once({ baseUrl, key }) {
      const list = Array.from({ length: LISTS_PER_BATCH }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/list' }))
      return post(`${baseUrl}/mcp`, key, list)
    },
  },
  {
    name: 'tools/list',
    lanes: 50,
    once: ({ baseUrl, key }) => post(`${baseUrl}/mcp`, key, { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  },
  withLongQueue(`reads of a queue of ${SONGS}`, (attacker, lane) =>
    attacker.call('GET', `${queueOf(attacker, lane)}/player`),
  ),
  withLongQueue(`shuffles of a queue of ${SONGS}`, (attacker, lane) =>
    attacker.call('POST', `${queueOf(attacker, lane)}/queue/shuffle`),
  ),
  {
    name: 'a game server that floods',
    lanes: 20,
    async once({ call }, lane, turn) {
      const port = await (gamePort ??= startFlood())
      return call(
        'GET',
        `/v1/blockgame/servers/${encodeURIComponent(`127.0.0.${(turn % 250) + 1}:${port}`)}?lane=${lane}`,
      )
    },
  },
  {
    name: 'a picture in chunks of one byte',
    lanes: 8,
    once: ({ call, web }, lane, turn) =>
      call('GET', `/v1/image/filters/blur?url=${encodeURIComponent(`${web}/picture-bytes?${lane}.${turn}`)}`),
  },
  {
    name: 'messages in pieces of one byte',
    lanes: 50,
    async once({ baseUrl, key }) {
      const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}/v1/events?key=${key}`)
      socket.on('error', () => undefined)
      const closed = new Promise<number>((resolve) => socket.once('close', resolve))
      await Promise.race([closed, new Promise((resolve) => socket.once('open', resolve))])
      for (let at = 0; at < 10_000 && socket.readyState === socket.OPEN; at++) socket.send('x', { fin: false })
      return { status: await closed, headers: new Headers(), body: null }
    },
  },
]
