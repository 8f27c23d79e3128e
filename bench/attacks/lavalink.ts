import { once } from 'node:events'
import { WebSocket } from 'ws'
import { encodeToken } from '../../bot/tracks/track-token.ts'
import type { Answer } from '../../test/support/service.ts'
import type { Attack, Attacker } from './attacks.ts'

/** A Lavalink session of the attacker. */
interface HostileSession {
  readonly id: string
  readonly socket: WebSocket
}

async function connect({ baseUrl, key, userId }: Attacker): Promise<HostileSession> {
  const headers = { authorization: key, 'user-id': userId, 'client-name': 'attacker/1.0.0' }
  const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}/v4/websocket`, { headers })
  socket.on('error', () => undefined)
  const [data] = (await once(socket, 'message')) as [Buffer]
  const ready = JSON.parse(data.toString()) as { sessionId: string }
  return { id: ready.sessionId, socket }
}

/** What the attacker has open. */
let current: { readonly attack: string; readonly session: Promise<HostileSession> } | null = null

/** One session for each attack, and another one where that has ended. With the one before, its players go. */
async function sessionOf(attacker: Attacker, attack: string): Promise<HostileSession> {
  if (current?.attack !== attack) {
    void current?.session.then(({ socket }) => socket.terminate()).catch(() => undefined)
    current = { attack, session: connect(attacker) }
  }
  const mine = current
  const session = await mine.session.catch(() => null)
  if (session?.socket.readyState === WebSocket.OPEN) return session
  if (current === mine) current = { attack, session: connect(attacker) }
  return current.session
}

function guildOf(number: number): string {
  return String(1_000_000_000_000 + number)
}

function tokenOf(url: string): string {
  const text = { title: 'x', author: 'x', artworkUrl: null, isrc: null, sourceName: 'http', probe: 'mp3' } as const
  return encodeToken({ ...text, identifier: url, uri: url, lengthMs: 60_000, isStream: false })
}

interface Way {
  readonly name: string
  readonly lanes?: number
  readonly body: (attacker: Attacker, lane: number, turn: number) => unknown
  readonly guild?: (lane: number, turn: number) => string
}

/** A `PATCH` of a player, again and again. */
function patches({ name: way, lanes = 5, body, guild = guildOf }: Way): Attack {
  const name = `lavalink: ${way}`
  return {
    name,
    lanes,
    async once(attacker, lane, turn) {
      const { id } = await sessionOf(attacker, name)
      const path = `/v4/sessions/${id}/players/${guild(lane, turn)}`
      return withMessage(await attacker.call('PATCH', path, body(attacker, lane, turn)))
    },
  }
}

/** Lavalink's errors have their message one level higher. */
function withMessage(answer: Answer): Answer {
  const message = (answer.body as { message?: string } | null)?.message
  return message === undefined ? answer : { ...answer, body: { error: { message } } }
}

function track({ web }: Attacker, name: string): { readonly encoded: string } {
  return { encoded: tokenOf(`${web}/${name}`) }
}

export const LAVALINK_ATTACKS: readonly Attack[] = [
  patches({
    name: '10,000 players',
    lanes: 20,
    guild: (lane, turn) => guildOf((turn * 20 + lane) % 10_000),
    body: () => ({ volume: 50 }),
  }),
  patches({
    name: 'guilds that are none',
    guild: (_, turn) => ['0', '-1', 'x', '9'.repeat(30), '%2e%2e'][turn % 5]!,
    body: () => ({}),
  }),
  patches({
    name: 'huge filters',
    body: (attacker, _, turn) => ({
      ...(turn === 0 && { track: track(attacker, 'song.mp3') }),
      filters: {
        equalizer: Array.from({ length: 100 }, (_empty, i) => ({ band: i % 15, gain: 3e38 })),
        timescale: { speed: 3e38, pitch: 1 / (1 + turn), rate: 1000 },
        distortion: { scale: 3e38, offset: -3e38 },
        pluginFilters: { echo: { echoLength: 1e9, decay: 1 } },
      },
    }),
  }),
  patches({
    name: 'another track with each request',
    body: (attacker, lane, turn) => ({ track: track(attacker, `song.mp3?${lane}.${turn}`), position: turn }),
  }),
  patches({
    name: 'giant user data and bodies',
    body: (_, lane) => ({ track: { userData: { text: 'x'.repeat(lane % 2 ? 16_000 : 1_000_000) } } }),
  }),
  {
    name: 'lavalink: endless identifiers',
    lanes: 8,
    once: async ({ call }, _, turn) =>
      withMessage(await call('GET', `/v4/loadtracks?identifier=${turn % 2 ? 'x'.repeat(12_000) : `ytsearch:${turn}`}`)),
  },
  {
    name: 'lavalink: sockets one after the other',
    lanes: 20,
    async once(attacker) {
      const { socket } = await connect(attacker)
      socket.terminate()
      return { status: 101, body: null, headers: new Headers() }
    },
  },
  {
    name: 'lavalink: a socket that never reads',
    lanes: 5,
    async once(attacker, lane, turn) {
      const { id, socket } = await sessionOf(attacker, 'a socket that never reads')
      socket.pause()
      const userData = { text: 'x'.repeat(15_000) }
      const path = `/v4/sessions/${id}/players/${guildOf(lane)}`
      return withMessage(
        await attacker.call('PATCH', path, { track: { ...track(attacker, `song.mp3?${turn}`), userData } }),
      )
    },
  },
  {
    name: 'lavalink: garbage frames',
    lanes: 8,
    async once(attacker, _, turn) {
      const { socket } = await connect(attacker)
      const wire = (socket as unknown as { _socket: { write(data: Buffer): void } })._socket
      wire.write(turn % 2 ? Buffer.alloc(70_000, 255) : Buffer.from([0x81, 0xff, 127, 0, 0, 0, 1, 0, 0, 0, 0]))
      await Promise.race([once(socket, 'close'), new Promise((resolve) => void setTimeout(resolve, 1000))])
      socket.terminate()
      return { status: 101, body: null, headers: new Headers() }
    },
  },
]
