import { VoiceCloseCodes } from 'discord-api-types/voice/v8'
import type { Logger } from 'pino'
import { createChannel, type Channel } from './channel.ts'
import type { DaveRule } from './dave/encryption.ts'
import { Session, type Identity } from './session.ts'
import type { VoiceTiming } from './timing.ts'
import type { Audibility } from './udp/relay-protocol.ts'
import type { Relay } from './udp/relay.ts'

export interface RegistryOptions {
  readonly relay: Relay
  readonly rule: DaveRule
  readonly timing: VoiceTiming
  readonly log: Logger
  /** A client's session ended although no one here wanted it to. */
  onLeft(identity: Identity): void
  isHeard(identity: Identity): boolean
  canHear(identity: Identity): boolean
}

/** End of a session: its client is gone, its socket is cut, or closed with a code. */
type Ending = 'gone' | 'cut' | number

/** Every session and channel of the voice server. */
export type Registry = ReturnType<typeof createRegistry>

/** The highest SSRC, after which they begin again; the first ones stay free. */
const SSRC_MAX = 0xffff_ffff
const SSRC_FIRST = 1000

interface State {
  readonly options: RegistryOptions
  readonly sessions: Map<string, Session>
  readonly channels: Map<string, Channel>
  rule: DaveRule
  lastSsrc: number
}

export function createRegistry(options: RegistryOptions) {
  const state: State = {
    options,
    sessions: new Map(),
    channels: new Map(),
    rule: options.rule,
    lastSsrc: SSRC_FIRST,
  }
  return {
    find: (guildId: string, userId: string) => state.sessions.get(userKey(guildId, userId)),
    /** The session that op 7 names. */
    findResumable: ({
      guildId,
      sessionId,
      token,
    }: {
      guildId: string
      sessionId: string
      token: string
    }): Session | undefined =>
      [...state.sessions.values()].find(
        ({ identity: it }) => it.guildId === guildId && it.sessionId === sessionId && it.token === token,
      ),
    /** A user is in one channel of a guild at most: an older session ends, its socket closes with 4014. */
    open: (identity: Identity) => open(state, identity),
    join: (session: Session): void => channelOf(state, session).join(session),
    channelOf: (session: Session) => channelOf(state, session),
    end: (session: Session, how: Ending): void => end(state, session, how),
    setRule(rule: DaveRule) {
      state.rule = rule
      for (const channel of state.channels.values()) channel.encryption.setRule(rule)
    },
    /** Asks again whether a user is heard and hears. */
    refresh(guildId: string, userId: string) {
      const session = state.sessions.get(userKey(guildId, userId))
      if (session) options.relay.setAudibility(session.ssrc, audibilityOf(options, session.identity))
    },
    close() {
      for (const session of state.sessions.values()) end(state, session, 'cut')
    },
  }
}

function open(state: State, identity: Identity): Session {
  const key = userKey(identity.guildId, identity.userId)
  const previous = state.sessions.get(key)
  if (previous) end(state, previous, VoiceCloseCodes.Disconnected)
  state.lastSsrc = state.lastSsrc === SSRC_MAX ? SSRC_FIRST : state.lastSsrc + 1
  const { relay } = state.options
  const session = new Session(identity, state.lastSsrc, relay)
  state.sessions.set(key, session)
  const { guildId, channelId, userId } = identity
  relay.add({ ssrc: session.ssrc, guildId, channelId, userId, ...audibilityOf(state.options, identity) })
  return session
}

function audibilityOf(options: RegistryOptions, identity: Identity): Audibility {
  return { isHeard: options.isHeard(identity), canHear: options.canHear(identity) }
}

function end(state: State, session: Session, how: Ending): void {
  const key = userKey(session.guildId, session.userId)
  if (state.sessions.get(key) !== session) return
  state.sessions.delete(key)
  state.options.relay.remove(session.ssrc)
  clearTimeout(session.resumeTimer)
  const { socket } = session
  session.socket = null
  if (how === 'cut') socket?.terminate()
  else if (how !== 'gone') socket?.close(how)
  const channel = channelOf(state, session)
  channel.leave(session)
  if (channel.isEmpty) {
    channel.close()
    state.channels.delete(session.identity.channelId)
  }
  if (how === 'gone') state.options.onLeft(session.identity)
}

function channelOf(state: State, { identity: { channelId } }: Session): Channel {
  const { timing, log } = state.options
  const channel = state.channels.get(channelId) ?? createChannel({ channelId, rule: state.rule, timing, log })
  state.channels.set(channelId, channel)
  return channel
}

function userKey(guildId: string, userId: string): string {
  return `${guildId}:${userId}`
}
