import { randomBytes } from 'node:crypto'
import { GatewayCloseCodes as Close, GatewayDispatchEvents, GatewayIntentBits } from 'discord-api-types/v10'
import type { Logger } from 'pino'
import { createToken, describeSelf, findByToken, PRIVILEGED, readyApplication } from '../world/applications.ts'
import { guildCreate } from '../world/guild/describe.ts'
import type { QuietGuilds } from '../world/guild/guild-map.ts'
import { createQuietWriter } from '../world/guild/quiet.ts'
import { endVoiceOfSession } from '../world/voice.ts'
import type { Application, World } from '../world/world.ts'
import { ALL_INTENTS, forAudience } from './intents.ts'
import type { Identify, Resume } from './requests.ts'
import { createSession, dispatch, dispatchText, hear, missed, shardOf, type Carrier, type Session } from './session.ts'
import type { GatewayTap } from './tap.ts'

/** Shards of the same remainder by `max_concurrency` identify one at a time, so far apart. */
const IDENTIFY_EVERY_MS = 5000
const DAY_MS = 86_400_000
const QUIET_AT_ONCE = 20

/** Gateway sessions, and the limits on new ones. */
export interface Hub {
  readonly world: World
  readonly log: Logger
  readonly tap: GatewayTap
  /** `ws://127.0.0.1:PORT`, where a client is to resume. */
  readonly url: () => string
  readonly heartbeatMs: number
  /** Time that a session waits for its client to resume. */
  readonly resumeMs: number
  readonly sessions: Map<string, Session>
  readonly starts: Map<string, { used: number; resetsAtMs: number }>
  /** When the last shard of each remainder identified, by application and remainder. */
  readonly identifiedAtMs: Map<string, number>
}

interface Identifying extends Identify {
  /** Gateway version from the address of the socket. */
  readonly version: number
}

/**
 * Before version 8, a bot that names no intents has all that its application may have; before version 10, the application's
 * own setting is enough to read what messages say.
 */
function intentsOf({ privileged }: Application, { version, intents }: Identifying): number {
  if (intents === undefined) return version < 8 ? (ALL_INTENTS & ~PRIVILEGED) | privileged : -1
  return version < 10 ? intents | (privileged & GatewayIntentBits.MessageContent) : intents
}

/** A new login and its first events; a number is the code that refuses it; null: it came too soon, and may come again. */
export function identify(hub: Hub, carrier: Carrier, d: Identifying): Session | number | null {
  const application = findByToken(hub.world, d.token)
  if (!application) return Close.AuthenticationFailed
  const intents = intentsOf(application, d)
  if (intents < 0 || intents & ~ALL_INTENTS) return Close.InvalidIntents
  if (intents & PRIVILEGED & ~application.privileged) return Close.DisallowedIntents
  const shard = d.shard ?? [0, 1]
  if (shard[0] < 0 || shard[0] >= shard[1]) return Close.InvalidShard
  if (shard[1] < application.shards) return Close.ShardingRequired
  if (!isInTime(hub, application, shard[0])) return null
  const starts = startsOf(hub, application.id)
  starts.used += 1
  if (hub.world.rules.identifyLimits && starts.used > application.sessionStarts) {
    resetToken(hub, application)
    return Close.AuthenticationFailed
  }
  const session = createSession({ id: randomBytes(16).toString('hex'), application, intents, shard })
  session.carrier = carrier
  hub.sessions.set(session.id, session)
  greet(hub, session, d.version)
  hub.world.notices.emit('presence')
  return session
}

/** Notes the moment, and tells whether `max_concurrency` allows it. */
function isInTime({ world, identifiedAtMs }: Hub, { id, maxConcurrency }: Application, shard: number): boolean {
  const key = `${id} ${shard % maxConcurrency}`
  const nowMs = world.now()
  const lastMs = identifiedAtMs.get(key)
  if (world.rules.identifyLimits && lastMs !== undefined && nowMs - lastMs < IDENTIFY_EVERY_MS) return false
  identifiedAtMs.set(key, nowMs)
  return true
}

/** Discord's penalty for a bot that has used up its session starts: all sessions end, and its token is revoked. */
function resetToken(hub: Hub, application: Application): void {
  for (const session of hub.sessions.values()) {
    if (session.application !== application) continue
    session.carrier?.close(Close.AuthenticationFailed)
    endSession(hub, session)
  }
  application.token = createToken(application.id, hub.world.now())
  hub.world.notices.emit('applications')
  hub.log.warn({ applicationId: application.id }, 'session start limit exceeded, token reset')
}

/** Undocumented fields of READY. Some clients read them, and fail without. */
const UNDOCUMENTED = {
  private_channels: [],
  presences: [],
  relationships: [],
  game_relationships: [],
  guild_join_requests: [],
  geo_ordered_rtc_regions: [],
  user_settings: {},
  auth: {},
  session_type: 'normal',
  _trace: ['["sandbox",{"micros":0,"calls":[]}]'],
} as const

function greet(hub: Hub, session: Session, version: number): void {
  const { world, log, url } = hub
  const { application, shard } = session
  const guilds = [...world.guilds.values()].filter(
    (guild) => guild.members.has(application.id) && shardOf(guild.id, shard[1]) === shard[0],
  )
  const quiet = world.quiet.filter((one) => one.application === application)
  const asleep = quiet.map((one) => ({ one, ids: one.ids(shard).filter((id) => !world.guilds.isAwake(id)) }))
  const ids = [...guilds.map(({ id }) => id), ...asleep.flatMap((those) => those.ids)]
  const d = {
    v: version,
    user: describeSelf(application),
    guilds: ids.map((id) => ({ id, unavailable: true })),
    session_id: session.id,
    resume_gateway_url: url(),
    shard: [...shard] as [number, number],
    application: readyApplication(application),
    ...UNDOCUMENTED,
  }
  dispatch(session, { t: GatewayDispatchEvents.Ready, d })
  for (const guild of guilds) {
    if (guild.unavailable) continue
    const event = { t: GatewayDispatchEvents.GuildCreate, d: guildCreate(world, guild, application.id) } as const
    hear(session, { event, guildId: guild.id, to: application.id }, guild)
  }
  for (const { one, ids: those } of asleep) tellOfQuiet(hub, session, { guilds: one, ids: those })
  log.debug({ applicationId: application.id, guilds: ids.length }, 'bot logged in')
}

/** A few at a time: voice and other bots do not wait for thousands of them. */
function tellOfQuiet(
  hub: Hub,
  session: Session,
  { guilds, ids }: { readonly guilds: QuietGuilds; readonly ids: readonly string[] },
): void {
  const { application, intents } = session
  const write = createQuietWriter(hub.world, guilds, (event) =>
    forAudience(event, { applicationId: application.id, intents, isDirect: false }),
  )
  let next = 0
  const tellSome = (): void => {
    if (!hub.sessions.has(session.id)) return
    for (const id of ids.slice(next, (next += QUIET_AT_ONCE))) {
      const text = write(id)
      if (text !== null) dispatchText(session, GatewayDispatchEvents.GuildCreate, text)
    }
    if (next < ids.length) setImmediate(tellSome)
  }
  tellSome()
}

/** The session that continues, after all it missed; a code to close with; or null: the client must log in again. */
export function resume(hub: Hub, carrier: Carrier, d: Resume): Session | number | null {
  const application = findByToken(hub.world, d.token)
  if (!application) return Close.AuthenticationFailed
  const session = hub.sessions.get(d.session_id)
  if (!session || session.application !== application) return null
  const events = missed(session, d.seq)
  if (!events) {
    endSession(hub, session)
    return d.seq > session.sequence ? Close.InvalidSeq : null
  }
  session.stay()
  const before = session.carrier
  session.carrier = carrier
  before?.close(null)
  for (const event of events) carrier.send(event)
  dispatch(session, { t: GatewayDispatchEvents.Resumed, d: undefined })
  hub.world.notices.emit('presence')
  return session
}

/** Detaches a session from its closed socket: it can be resumed for a while, then it ends. */
export function detach(hub: Hub, session: Session): void {
  session.carrier = null
  if (hub.sessions.has(session.id)) session.stay = hub.world.clock.after(hub.resumeMs, () => endSession(hub, session))
  hub.world.notices.emit('presence')
}

/** The bot is no longer logged in with it, and out of the voice channels it had entered. */
export function endSession({ world, log, sessions }: Hub, session: Session): void {
  session.stay()
  if (!sessions.delete(session.id)) return
  endVoiceOfSession(world, session.id)
  world.notices.emit('presence')
  log.debug({ applicationId: session.application.id }, 'bot logged out')
}

/** The logins left to a bot today. */
export function startLimit(hub: Hub, { id, maxConcurrency, sessionStarts }: Application) {
  const { used, resetsAtMs } = startsOf(hub, id)
  return {
    total: sessionStarts,
    remaining: Math.max(0, sessionStarts - used),
    reset_after: resetsAtMs - hub.world.now(),
    max_concurrency: maxConcurrency,
  }
}

function startsOf({ world, starts }: Hub, applicationId: string) {
  const nowMs = world.now()
  const known = starts.get(applicationId)
  if (known && known.resetsAtMs > nowMs) return known
  const fresh = { used: 0, resetsAtMs: nowMs + DAY_MS }
  starts.set(applicationId, fresh)
  return fresh
}
