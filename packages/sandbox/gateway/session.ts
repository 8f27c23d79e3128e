import { GatewayOpcodes } from 'discord-api-types/v10'
import type { Application, Dispatch, Guild, Happening } from '../world/world.ts'
import { forAudience } from './intents.ts'
import { mayHear } from './visibility.ts'

/** Number of events that a session keeps for a client that resumes. */
const REPLAY_EVENTS = 1000

/** `deaf`: nothing that the client says is heard, heartbeats included. `frozen`: and it is told nothing either. */
export type Spoiled = 'deaf' | 'frozen'

/** A payload as it goes out, written once for those who keep it and those who send it. */
export interface Frame {
  readonly op: number
  readonly event: string | null
  readonly text: string
  /** Index in the text where its data begins; the data ends before the last character. */
  readonly dataAt: number
}

/** @param data JSON that belongs to `d`. */
export function createFrame(op: number, data: string, dispatched?: { event: string; sequence: number }): Frame {
  const { event = null, sequence = null } = dispatched ?? {}
  const head = `{"op":${op},"s":${sequence},"t":${JSON.stringify(event)},"d":`
  return { op, event, text: `${head}${data}}`, dataAt: head.length }
}

/** The socket that serves a session. */
export interface Carrier {
  send(frame: Frame): void
  /** Null cuts the connection without a word. */
  close(code: number | null): void
  /** Leaves it open and of no use any more. */
  spoil(how: Spoiled): void
}

/** A bot's logged-in presence. It outlives its socket for a while, so that the bot can resume. */
export interface Session {
  readonly id: string
  readonly application: Application
  readonly intents: number
  readonly shard: readonly [index: number, count: number]
  sequence: number
  /** The last events as sent, oldest first; the newest has number `sequence`. */
  readonly replay: Frame[]
  carrier: Carrier | null
  /** Keeps it from ending although no one resumes it. */
  stay: () => void
}

export function createSession(facts: Pick<Session, 'id' | 'application' | 'intents' | 'shard'>): Session {
  return { ...facts, sequence: 0, replay: [], carrier: null, stay: () => undefined }
}

/** Numbers an event, keeps it for a resume and sends it if someone listens. */
export function dispatch(session: Session, event: Dispatch): void {
  dispatchText(session, event.t, JSON.stringify(event.d ?? {}))
}

/** @param data JSON that belongs to `d`. */
export function dispatchText(session: Session, event: string, data: string): void {
  session.sequence += 1
  const frame = createFrame(GatewayOpcodes.Dispatch, data, { event, sequence: session.sequence })
  session.replay.push(frame)
  if (session.replay.length > REPLAY_EVENTS) session.replay.shift()
  session.carrier?.send(frame)
}

/** Sends an event of the world to the session, if it concerns it. */
export function hear(session: Session, { event, guildId, to }: Happening, guild: Guild | undefined): void {
  const applicationId = session.application.id
  if (to === undefined ? !guild?.members.has(applicationId) : to !== applicationId) return
  // Direct messages are of the first shard.
  if ((guildId === null ? 0 : shardOf(guildId, session.shard[1])) !== session.shard[0]) return
  if (guild && to === undefined && !mayHear(guild, applicationId, event)) return
  const shaped = forAudience(event, { applicationId, intents: session.intents, isDirect: guildId === null })
  if (shaped) dispatch(session, shaped)
}

/** The events after `sequence`; null when they are no longer all known. */
export function missed(session: Session, sequence: number): readonly Frame[] | null {
  const count = session.sequence - sequence
  if (count < 0 || count > session.replay.length) return null
  return count === 0 ? [] : session.replay.slice(-count)
}

export function shardOf(guildId: string, count: number): number {
  return Number((BigInt(guildId) >> 22n) % BigInt(count))
}
