import { WebSocket } from 'ws'
import type { Answer } from '../../../test/support/service.ts'
import type { Attack, Attacker } from './attacks.ts'

const LISTS_PER_BATCH = 10
const SONGS = 5000
/** Each is asked once in turn, since an answer is kept for a minute. */
export const GAME_HOSTS = Array.from({ length: 1000 }, (_, i) => `127.1.${i >> 8}.${i & 255}`)
let gamesAsked = Math.floor(Math.random() * GAME_HOSTS.length)

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

function queueOf({ guildIds }: Attacker): string {
  return `/v1/music/guilds/${guildIds[0]}`
}

/** The number of songs that one played list adds. */
const SONGS_PER_PLAY = 100

/** A long queue first, and then the same request again and again. */
function withLongQueue(name: string, once: Attack['once']): Attack {
  return {
    name,
    lanes: 50,
    async prepare({ play, web }) {
      for (let songs = 0; songs < SONGS; songs += SONGS_PER_PLAY) await play(0, `${web}/m3u-long`)
    },
    once,
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
  withLongQueue(`reads of a queue of ${SONGS}`, (attacker) => attacker.call('GET', `${queueOf(attacker)}/player`)),
  withLongQueue(`shuffles of a queue of ${SONGS}`, (attacker) =>
    attacker.call('POST', `${queueOf(attacker)}/queue/shuffle`),
  ),
  {
    name: 'a game server that floods',
    lanes: 20,
    once({ call, gamePort }) {
      const host = GAME_HOSTS[gamesAsked++ % GAME_HOSTS.length]
      return call('GET', `/v1/blockgame/servers/${encodeURIComponent(`${host}:${gamePort}`)}`)
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
