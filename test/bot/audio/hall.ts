import { pino } from 'pino'
import { createAudioNode } from '../../../bot/audio/node/audio-node.ts'
import type { AudioNodeOptions } from '../../../bot/audio/node/options.ts'
import type { AudioEvent, AudioNode, PlayerRef, VoiceCredentials } from '../../../bot/audio/node/protocol.ts'
import { createCertificate } from 'bandstand-sandbox/certificate'
import { connectMember, startVoiceServer, type MemberVoice, type VoiceServer } from 'bandstand-sandbox/voice'

export const PLAYER: PlayerRef = { botId: '42', guildId: '1000' }
export const HALL = '5000'
export const ATTIC = '5001'

/** An audio node and a voice server, with the little of a main gateway that brings them together. */
export interface Hall {
  readonly node: AudioNode
  readonly server: VoiceServer
  readonly events: AudioEvent[]
  /** Channels that the bot asked to join, in order; null is leaving. */
  readonly asked: (string | null)[]
  /** Reaction of the gateway when the bot requests a channel. */
  rule: { silent: boolean; refuse: number | null; serverFirst: boolean }
  /** A member with a voice client of their own. */
  listen(userId?: string): Promise<MemberVoice>
  /** The gateway says that the bot is there now: state and server, as after a move. */
  place(channelId: string | null): void
  /** The gateway of another bot says where it is, which the voice server knows, too; what that bot hands on. */
  placeForeign(userId: string, channelId: string | null): VoiceCredentials
  /** Resolves with the next event of that type, or one that came already. */
  heard<T extends AudioEvent['type']>(type: T, count?: number): Promise<Extract<AudioEvent, { type: T }>>
  close(): Promise<void>
}

export async function createHall(options: Partial<AudioNodeOptions> = {}): Promise<Hall> {
  const certificate = await createCertificate()
  const where = new Map<string, string>()
  const rule = { silent: false, refuse: null as number | null, serverFirst: false }
  const server = await startVoiceServer({
    certificate,
    admit: ({ userId }) => {
      const channelId = where.get(userId)
      return rule.refuse === null && channelId !== undefined ? { channelId } : { refuse: rule.refuse ?? 4006 }
    },
  })
  const node = await createAudioNode({
    id: 'audio-test',
    log: pino({ level: process.env['AUDIO_LOG'] ?? 'silent' }),
    inThread: false,
    certificates: [certificate.cert],
    egress: { allowHosts: ['127.0.0.1'] },
    voiceHosts: ['localhost'],
    ...options,
  })
  const events: AudioEvent[] = []
  const asked: (string | null)[] = []
  const members: MemberVoice[] = []
  const waiting = new Set<() => void>()
  let sessions = 0

  const place = (channelId: string | null): void => {
    const { botId, guildId } = PLAYER
    if (channelId === null) where.delete(botId)
    else where.set(botId, channelId)
    const sessionId = `session-${++sessions}`
    const state = () =>
      node.voiceStateUpdate(PLAYER, {
        guild_id: guildId,
        channel_id: channelId,
        user_id: botId,
        session_id: sessionId,
        self_deaf: true,
        self_mute: false,
      })
    const named = () =>
      node.voiceServerUpdate(PLAYER, { token: `token-${sessions}`, guild_id: guildId, endpoint: server.endpoint })
    if (channelId === null) return state()
    for (const tell of rule.serverFirst ? [named, state] : [state, named]) tell()
  }

  node.onEvent((event) => {
    events.push(event)
    for (const look of waiting) look()
    if (event.type !== 'gatewayPayload') return
    const { channel_id: channelId } = (event.payload as { d: { channel_id: string | null } }).d
    asked.push(channelId)
    if (!rule.silent) setImmediate(() => place(channelId))
  })

  return {
    node,
    server,
    events,
    asked,
    rule,
    place,
    placeForeign(userId, channelId) {
      if (channelId === null) where.delete(userId)
      else where.set(userId, channelId)
      const [sessionId, token] = [`session-${++sessions}`, `token-${sessions}`]
      return { userId, channelId: channelId ?? '', sessionId, token, endpoint: server.endpoint }
    },
    async listen(userId = '77') {
      where.set(userId, HALL)
      const member = await connectMember({
        endpoint: server.endpoint,
        token: 't',
        sessionId: `s-${userId}`,
        userId,
        guildId: PLAYER.guildId,
        channelId: HALL,
        certificate: certificate.cert,
      })
      members.push(member)
      return member
    },
    heard: (type, count = 1) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = events.filter((event) => event.type === type)[count - 1]
          if (!found) return
          waiting.delete(look)
          clearTimeout(timer)
          resolve(found as never)
        }
        const timer = setTimeout(() => {
          waiting.delete(look)
          const said = events.map((event) => event.type).join(', ')
          reject(new Error(`No ${type} came; there were: ${said}.`))
        }, 9000)
        waiting.add(look)
        look()
      }),
    async close() {
      await node.close()
      for (const member of members) member.close()
      await server.close()
    },
  }
}
