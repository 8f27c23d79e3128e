import { GatewayCloseCodes } from 'discord.js'
import { countHumans, humansIn, joinableChannel, ownVoice } from './voice-channels.ts'
import { waitAtMost } from '../player/timers.ts'
import { DISCONNECTED, SHUTDOWN } from '../player/voice-lifecycle.ts'
import type { OwnVoice } from '../player/player.ts'
import { createGateway, isUnauthorized, loginPauseMs, type Gateway } from './gateway.ts'
import { mayReadMessages } from './message-intent.ts'
import { Reconciler } from './reconciler.ts'
import { guildsOf } from './bot-status.ts'
import type { Bot } from './bot.ts'
import { readConnectLimits } from './connect-limits.ts'
import {
  connected,
  isUp,
  reportStopped,
  speaksForBot,
  waitConnected,
  type BotOptions,
  type Session,
} from './session.ts'
import { listen, seeReadyShards } from './session-events.ts'
import { createBotShards } from './shards/bot-shards.ts'
import type { ShardLease } from './shards/shard-directory.ts'
import { addShard, assertRunHere, assertSettled, cutShard, handOver, loadOf } from './shards/session-shards.ts'

/** Before its first login. */
function createSession(options: BotOptions): Session {
  const session: Session = {
    options,
    shards: createBotShards({
      botId: options.id,
      directory: options.directory,
      onAdded: (lease) => addShard(session, lease),
      handOver: (shardId) => handOver(session, shardId),
      cut: (shardId) => cutShard(session, shardId),
      load: (shardId) => loadOf(session, shardId),
    }),
    isStandby: false,
    seenShards: new Set(),
    leavingShards: new Set(),
    restoringShards: new Map(),
    recount: Promise.withResolvers(),
    gateway: null,
    attached: null,
    reconciler: null,
    isEstablished: false,
    isStopReported: false,
    isRefused: false,
    isIntentRefused: false,
    failures: 0,
    stop: Promise.withResolvers(),
    isStopping: false,
    cancelOutage: () => undefined,
    waiting: new Set(),
  }
  return session
}

export function createBot(options: BotOptions): Bot {
  const session = createSession(options)
  const over = run(session)

  return {
    id: options.id,
    projectId: options.projectId,
    get isConnected() {
      return isUp(session)
    },
    get isUnanswered() {
      return isUp(session) && (session.gateway?.isSilent ?? false)
    },
    get isSpokenForHere() {
      return speaksForBot(session)
    },
    get isStandby() {
      return session.isStandby
    },
    get state() {
      if (isUp(session) || session.isStandby) return 'connected'
      return session.isRefused ? 'refused' : 'connecting'
    },
    guilds: () => guildsOf(session.gateway?.client),
    waitConnected: () => waitConnected(session),
    joinable(guildId, channelId) {
      if (!session.gateway) throw new Error('The guilds of a bot are unknown before it connects.')
      assertRunHere(session, guildId)
      return joinableChannel(session.gateway.client, guildId, channelId)
    },
    assertSettled: (guildId) => assertSettled(session, guildId),
    isIn: (guildId) => session.gateway?.client.guilds.cache.has(guildId) ?? false,
    voiceIn: (guildId) => voiceIn(session, guildId),
    countListeners: (guildId, channelId) =>
      session.gateway ? countHumans(session.gateway.client, guildId, channelId) : 0,
    listeners: (guildId, channelId) => (session.gateway ? humansIn(session.gateway.client, guildId, channelId) : []),
    memberName: (guildId, userId) =>
      session.gateway?.client.guilds.cache.get(guildId)?.members.cache.get(userId)?.displayName ?? null,
    joinTurn: async (guildId, purpose) => session.gateway?.joinTurn(guildId, purpose),
    sendVoice: (guildId, payload, onHeld) => session.gateway?.sendVoice(guildId, payload, onHeld),
    reconcile: (guildId) => session.reconciler?.check(guildId),
    async stop(reason) {
      session.isStopping = true
      if (reason === 'shutdown') session.attached?.leaving()
      const ending = reason === 'shutdown' ? SHUTDOWN : DISCONNECTED
      await options.players.closeAll(options.id, ending)
      session.stop.resolve()
      await over
      // A player requested before the end can have been created during it.
      await options.players.closeAll(options.id, ending)
      await session.shards.close()
      if (!session.isRefused) reportStopped(session, reason)
    },
  }
}

function voiceIn({ gateway }: Session, guildId: string): OwnVoice | null {
  const guild = gateway?.client.guilds.cache.get(guildId)
  return gateway && guild?.available ? ownVoice(gateway.client, guild) : null
}

/** Logs in again and again, more slowly each time, until told to stop or until Discord says that the token is void. */
async function run(session: Session): Promise<void> {
  const { options } = session
  const { id, log, players } = options
  while (!session.isStopping) {
    const { why, readsMessages } = await attempt(session)
    if (session.isStopping) return
    if (session.isEstablished && why !== RECOUNTED) {
      options.dropVoice()
      await players.closeAll(id, DISCONNECTED)
    }
    if (isUnauthorized(why)) {
      log.error('bot login failed: invalid token; add the bot again with a new one')
      session.isRefused = true
      return reportStopped(session, 'unauthorized')
    }
    if (why === RECOUNTED) continue
    if (session.isEstablished && !session.isStopReported) reportStopped(session, 'disconnected')
    if (readsMessages && why === GatewayCloseCodes.DisallowedIntents) {
      log.warn('intent Message Content rejected, logging in without it')
      session.isIntentRefused = true
      continue
    }
    const retryMs = loginPauseMs(session.failures, why)
    session.failures += 1
    log.warn({ err: why, retryMs }, 'bot connection failed')
    await waitAtMost(session.options.clock, retryMs, session.stop.promise)
  }
}

/** Why a session ended that is followed by one with another number of shards. */
const RECOUNTED = Symbol('recounted')

/** Runs from a login to the end of its session. @returns the reason for the end, as `live`. */
async function attempt(session: Session): Promise<{ readonly why: unknown; readonly readsMessages: boolean }> {
  const { options, stop } = session
  let readsMessages = false
  let gateway: Gateway | null = null
  let why: unknown
  session.isEstablished = false
  try {
    readsMessages =
      !session.isIntentRefused && (await Promise.race([mayReadMessages(options.token, options), stop.promise])) === true
    gateway = session.isStopping ? null : await connect(session, readsMessages)
    why = gateway ? await live(session, gateway) : undefined
  } catch (err) {
    why = err
  }
  session.cancelOutage()
  session.gateway = null
  session.seenShards.clear()
  session.reconciler?.close()
  session.reconciler = null
  await session.attached?.close()
  session.attached = null
  await gateway?.close().catch((err: unknown) => options.log.warn({ err }, 'gateway close failed'))
  return { why, readsMessages }
}

/** A client for the shards that this service holds, as soon as it holds one. @returns null when told to stop. */
async function connect(session: Session, readsMessages: boolean): Promise<Gateway | null> {
  const { options, shards, stop } = session
  const found = await Promise.race([readConnectLimits(options.token, options.apiUrl), stop.promise])
  if (!found) return null
  session.isStandby = shards.count === 0
  const held = await shards.whenHeld(found.limits, stop.promise)
  const leases = firstOf(held, { ...found.limits, isShared: options.directory.isShared })
  session.isStandby = false
  const shardCount = leases[0]?.shard.shardCount
  if (session.isStopping || shardCount === undefined) return null
  session.recount = Promise.withResolvers()
  const limits = { ...found.limits, shardCount }
  const waitForIdentify = (shardId: number, signal: AbortSignal) => shards.waitForIdentify(shardId, signal)
  return createGateway(options, { ...found, ...options, limits, readsMessages, leases, waitForIdentify })
}

/**
 * Leases to log in with. Discord lets a connection log in every five seconds, so players on the first shard need not
 * wait for the last. The library refuses if too few logins are left for all; with shared shards, another service may
 * wait.
 */
function firstOf(
  held: readonly ShardLease[],
  { isShared, remaining }: { readonly isShared: boolean; readonly remaining: number },
): readonly ShardLease[] {
  return isShared || remaining < held.length ? held : held.slice(0, 1)
}

/** One session with Discord. @returns the close code or the error that ended it, or undefined when told to stop. */
async function live(session: Session, gateway: Gateway): Promise<unknown> {
  const { options, stop } = session
  session.gateway = gateway
  listen(session, gateway)
  session.attached = options.interactions.attach(options, gateway.client)
  session.reconciler = new Reconciler({ ...options, gateway })
  try {
    const recounted = session.recount.promise.then(() => RECOUNTED)
    const failed = await Promise.race([gateway.login(options.token), gateway.refused, recounted, stop.promise])
    if (failed !== undefined || session.isStopping) return failed
    const guilds = gateway.client.guilds.cache
    options.log.info({ name: gateway.client.user?.username, guilds: guilds.size }, 'bot connected')
    session.failures = 0
    session.isEstablished = true
    connected(session)
    session.attached.connected()
    for (const lease of session.shards.held) gateway.shards.add(lease)
    await seeReadyShards(session, gateway)
    session.shards.changed()
    return await Promise.race([gateway.refused, recounted, stop.promise])
  } catch (err) {
    return err
  }
}
