import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { WebSocket, type ClientOptions } from 'ws'
import { digestOf } from '../../api/http/auth.ts'
import type { KeyRecord } from '../../api/http/app-context.ts'
import { createAudioNode } from '../../bot/audio/node/audio-node.ts'
import type { AudioNodeOptions } from '../../bot/audio/node/options.ts'
import type { AudioNode } from '../../bot/audio/node/protocol.ts'
import { createPlayerCeiling } from '../../bot/player-ceiling.ts'
import { systemClock, type Clock } from '../../bot/player/timers.ts'
import { decodeToken, encodeToken } from '../../bot/tracks/track-token.ts'
import { decodeTrack } from '../../api/lavalink/tracks/track-object.ts'
import type { TrackInfo } from '../../bot/tracks/track.ts'
import { createLavalink } from '../../api/lavalink/http/lavalink.ts'
import { createProjectKeys } from '../../api/lavalink/http/project-keys.ts'
import type { LavalinkSessions } from '../../api/lavalink/sessions/sessions.ts'
import type { TrackObject } from '../../api/lavalink/protocol/track.ts'
import type { TrackKnowledge } from '../../api/lavalink/tracks/open-tracks.ts'
import type { TrackService } from '../../api/lavalink/tracks/track-service.ts'
import { unprocessable } from '../../lib/errors.ts'
import { createLog } from '../../lib/log.ts'
import { PLANS } from '../../lib/plans.ts'
import { startSandbox, type Sandbox } from 'bandstand-sandbox'
import { addApplication, createApplication, enterVoice, getGuild, type Guild } from 'bandstand-sandbox/world'
import { startApi, type TestApi } from './api.ts'
import { temporaryFolder } from './database.ts'
import { framesOf, listenFrom, type Listener } from './hearing.ts'
import { followSession, type ClientSession, type LavalinkCall } from './lavalink-client.ts'
import { LavalinkError, LavalinkPlayer } from './lavalink-messages.ts'
import { pinkNoise } from './made-once.ts'
import { trackNamed } from './stage.ts'

export const passwords = {
  /** Room for 100 players. */
  one: `svc.${'a1'.repeat(32)}`,
  /** A second key of the same project. */
  oneToo: `svc.${'a2'.repeat(32)}`,
  /** Key of another project, with room for 5 players. */
  other: `svc.${'b1'.repeat(32)}`,
  /** Key for other things than players. */
  images: `svc.${'c1'.repeat(32)}`,
  /** Key that is only allowed from other IP addresses. */
  elsewhere: `svc.${'d1'.repeat(32)}`,
} as const

const common = { botId: null, poolId: null, poolBotIds: [], isBotRemoved: false, allow: null, classes: null } as const
const valid = { ...common, revokedAtMs: null, expiresAtMs: null, projectId: 'one', plan: 'scale' } as const

const records: Record<keyof typeof passwords, Omit<KeyRecord, 'id'>> = {
  one: valid,
  oneToo: valid,
  other: { ...valid, projectId: 'two', plan: 'free' },
  images: { ...valid, classes: ['canvas'] },
  elsewhere: { ...valid, allow: ['10.0.0.0/8'] },
}

/** Voice values that a bot receives from Discord, in the form in which a client forwards them. */
interface VoiceFacts {
  readonly token: string
  readonly endpoint: string
  readonly sessionId: string
  readonly channelId: string
}

interface ConnectOptions {
  readonly password?: string
  readonly userId?: string
  readonly sessionId?: string
  readonly socket?: ClientOptions
}

export interface LavalinkStage {
  readonly api: TestApi
  readonly sessions: LavalinkSessions
  readonly sandbox: Sandbox
  readonly guild: Guild
  readonly node: AudioNode
  /** The user id of the bot, and that of another one in the same guild. */
  readonly botId: string
  readonly otherBotId: string
  /** Two voice channels. */
  readonly pier: string
  readonly cabin: string
  /** Tracks that were requested to be opened. */
  readonly opened: string[]
  changeKey(name: keyof typeof passwords, change: Partial<KeyRecord>): void
  readonly call: LavalinkCall
  connect(options?: ConnectOptions): Promise<ClientSession>
  /** The bot enters a channel, as Discord tells it. */
  enter(channelId?: string, userId?: string): VoiceFacts
  /** A member with ears of their own enters a channel. */
  listen(channelId?: string, index?: number): Promise<Listener>
  close(): Promise<void>
}

export interface LavalinkStageOptions {
  readonly clock?: Clock
  readonly node?: Partial<AudioNodeOptions>
  /** Knowledge about tracks. Defaults to nothing. */
  readonly knowledge?: Partial<TrackKnowledge>
  /** Players of our own bots, which count for the ceiling. */
  readonly otherPlayers?: () => number
}

/** The token of a minute of noise that has this name; of other names in `testSources`, what they say. */
export function tokenOf(name: string): string {
  return encodeToken(trackNamed(name))
}

/** A whole node on a free port: real sockets, a real audio node, and the stand-in Discord. */
export async function startLavalink(options: LavalinkStageOptions = {}): Promise<LavalinkStage> {
  const { clock = systemClock, otherPlayers = () => 0 } = options
  const folder = temporaryFolder()
  const path = join(folder.path, 'noise.opus')
  copyFileSync(await pinkNoise(), path)
  const frames = framesOf(path)
  const log = createLog('silent')
  const sandbox = await startSandbox({ port: 0, stateFile: null, limits: false, demoMember: false, log })
  const { world, demo } = sandbox
  const guild = getGuild(world, demo.guildId)
  const other = createApplication(world, { name: 'Other' })
  addApplication(world, guild, other)
  const certificates = [sandbox.certificate]
  const egress = { allowHosts: ['127.0.0.1'] }
  const shared = { certificates, egress, voiceHosts: ['localhost'] }
  const node = await createAudioNode({ id: 'audio-1', log, inThread: false, ...shared, ...options.node })
  const stored = new Map<string, KeyRecord>()
  for (const [name, record] of Object.entries(records)) {
    stored.set(digestOf(passwords[name as keyof typeof passwords]).toString('hex'), { id: name, ...record })
  }
  const findByDigest = async (digest: Buffer) => stored.get(digest.toString('hex')) ?? null
  const counted = createPlayerCeiling({ ownPlayers: () => [], countElsewhere: otherPlayers })
  const opened: string[] = []
  const lavalink = createLavalink({
    nodes: [node],
    tracks: noiseTracks(path, opened),
    knowledge: { ...NOTHING_KNOWN, ...options.knowledge },
    keys: createProjectKeys({ findByDigest }, Date.now),
    ceiling: { acquire: ({ projectId, plan }) => counted.reserve(projectId, PLANS[plan].players) },
    clock,
    log,
    trustedProxies: [],
  })
  const api = await startApi({ mounts: [lavalink] })
  const members: Listener['member'][] = []
  const sockets: WebSocket[] = []
  const faults: string[] = []
  let seats = 0

  const call: LavalinkCall = async (method, at, { password = passwords.one, body } = {}) => {
    const response = await fetch(api.baseUrl + at, {
      method,
      headers: {
        ...(password !== null && { authorization: password }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
    const answer = {
      status: response.status,
      headers: response.headers,
      body: isJson && text !== '' ? JSON.parse(text) : text,
    }
    const isPlayer = /\/players\/\d+$/.test(at.split('?')[0]!) && answer.status === 200 && method !== 'OPTIONS'
    const schema = answer.status >= 400 ? LavalinkError : isPlayer ? LavalinkPlayer : null
    const parsed = method === 'HEAD' ? null : schema?.safeParse(answer.body)
    if (parsed && !parsed.success) faults.push(`${method} ${at} ${answer.status} ${text}: ${parsed.error.message}`)
    return answer
  }

  return {
    api,
    sessions: lavalink.sessions,
    sandbox,
    guild,
    node,
    botId: demo.applicationId,
    otherBotId: other.id,
    pier: demo.voiceChannelId,
    cabin: demo.secondVoiceChannelId,
    opened,
    changeKey(name, change) {
      const id = digestOf(passwords[name]).toString('hex')
      stored.set(id, { ...stored.get(id)!, ...change })
    },
    call,
    async connect({ password = passwords.one, userId = demo.applicationId, sessionId, socket: given } = {}) {
      const headers = {
        authorization: password,
        'user-id': userId,
        'client-name': 'test/1.0.0',
        ...(sessionId !== undefined && { 'session-id': sessionId }),
      }
      const socket = new WebSocket(`${api.baseUrl.replace('http', 'ws')}/v4/websocket`, { headers, ...given })
      sockets.push(socket)
      return followSession(socket, { call, password, guildId: guild.id, faults })
    },
    enter(channelId = demo.voiceChannelId, userId = demo.applicationId) {
      const voice = enterVoice(world, guild, { userId, channelId, sessionId: `voice-${++seats}` })
      if (!voice) throw new Error('The bot was not let in.')
      return { token: voice.token, sessionId: voice.sessionId, channelId, endpoint: sandbox.voice.endpoint }
    },
    async listen(channelId = demo.voiceChannelId, index = 0) {
      const listener = await listenFrom({ sandbox, guild, userId: demo.memberIds[index]!, channelId, frames })
      members.push(listener.member)
      return listener
    },
    async close() {
      for (const socket of sockets) socket.terminate()
      for (const member of members) member.close()
      await api.close()
      await node.close()
      await sandbox.close()
      folder.remove()
      if (faults.length > 0) throw new Error(`Not as Lavalink documents it:\n${faults.join('\n')}`)
    },
  }
}

const NOTHING_KNOWN: TrackKnowledge = {
  info: () => {
    throw new Error('No test asks what this node is.')
  },
  loadSearch: async () => null,
  findLyrics: async () => null,
  sponsorBlock: { find: async () => [] },
  chaptersOf: async () => [],
}

/** Every name is a track of the same minute of noise, but `gone…`, which no source has, and `broken…`, which is no sound. */
function noiseTracks(path: string, opened: string[]): TrackService {
  return {
    load: async (identifier) => ({ loadType: 'track', data: toObject(trackNamed(identifier)) }),
    async resolve(identifier) {
      if (identifier === 'nothing') throw unprocessable('nothing_found', 'Nothing was found.')
      return trackNamed(identifier)
    },
    decode: decodeTrack,
    read: decodeToken,
    encode: toObject,
    async open({ identifier }, _, isFresh) {
      opened.push(isFresh ? `${identifier} fresh` : identifier)
      if (identifier.startsWith('gone')) throw unprocessable('unplayable', 'The file is gone.')
      if (identifier.startsWith('broken')) return { kind: 'file', path: `${path}.none`, codec: 'other' }
      return { kind: 'file', path, codec: 'ogg-opus' }
    },
  }
}

function toObject(track: TrackInfo): TrackObject {
  const { identifier, author, title, uri, sourceName, artworkUrl, isrc, isStream, lengthMs } = track
  const names = { identifier, author, title, uri, sourceName, artworkUrl, isrc }
  const info = { ...names, isSeekable: !isStream, isStream, length: lengthMs, position: 0 }
  return { encoded: encodeToken(track), info, pluginInfo: {}, userData: {} }
}
