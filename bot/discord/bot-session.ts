import { Events, GatewayCloseCodes, GatewayDispatchEvents, type Guild } from 'discord.js'
import type { Logger } from '../../lib/log.ts'
import { countHumans, humansIn, joinableChannel, ownVoice, silenceOf } from './voice-channels.ts'
import { waitAtMost, type Clock } from '../player/timers.ts'
import type { Attached, Interactions } from '../commands/interactions/interactions.ts'
import { DISCONNECTED, SHUTDOWN } from '../player/voice-lifecycle.ts'
import type { BotStopReason, EventBus } from '../events.ts'
import type { OwnVoice } from '../player/player.ts'
import { createGateway, isUnauthorized, loginPauseMs, type Gateway } from './gateway.ts'
import type { Players } from '../player/player-registry.ts'
import { mayReadMessages } from './message-intent.ts'
import { createReconciler, type Reconciler } from './reconciler.ts'
import type { SessionRestore } from '../player/session-restore.ts'
import { createStages } from './stage-channels.ts'
import { guildsOf } from './bot-status.ts'
import type { Bot } from './bot.ts'

export interface BotOptions {
  readonly id: string
  readonly projectId: string
  readonly token: string
  /** Of Discord's REST interface, without the version. */
  readonly apiUrl: string
  /** Base URL of its pictures. Defaults to Discord's CDN. */
  readonly cdnUrl: string | null
  readonly players: Players
  readonly sessionRestore: SessionRestore
  readonly interactions: Interactions
  readonly events: EventBus
  readonly clock: Clock
  readonly log: Logger
  /** Its nodes' last word on its players when Discord will not have the bot any more. */
  dropVoice(): void
}

const CONNECT_PATIENCE_MS = 3000
const OUTAGE_MS = 30_000

/** The state of a bot at Discord. */
interface Session {
  readonly options: BotOptions
  gateway: Gateway | null
  /** What members see of it in the present session. */
  attached: Attached | null
  reconciler: Reconciler | null
  /** Whether the present gateway has been connected once. */
  isEstablished: boolean
  /** Whether `botStopped` was the last event of the bot. */
  isStopReported: boolean
  /** Discord said that the token is void. */
  isRefused: boolean
  /** Discord rejected a login with the Message Content intent. */
  isIntentRefused: boolean
  /** Logins that failed since the last one that did not. */
  failures: number
  readonly stop: PromiseWithResolvers<void>
  isStopping: boolean
  cancelOutage: () => void
  /** Called whenever the bot is connected again. */
  readonly waiting: Set<() => void>
}

export function createBot(options: BotOptions): Bot {
  const session: Session = {
    options,
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
  const over = run(session)

  return {
    id: options.id,
    projectId: options.projectId,
    get isConnected() {
      return isUp(session)
    },
    get state() {
      if (isUp(session)) return 'connected'
      return session.isRefused ? 'refused' : 'connecting'
    },
    guilds: () => guildsOf(session.gateway?.client),
    waitConnected: () => waitConnected(session),
    joinable(guildId, channelId) {
      if (!session.gateway) throw new Error('The guilds of a bot are unknown before it connects.')
      return joinableChannel(session.gateway.client, guildId, channelId)
    },
    voiceIn: (guildId) => voiceIn(session, guildId),
    countListeners: (guildId, channelId) =>
      session.gateway ? countHumans(session.gateway.client, guildId, channelId) : 0,
    listeners: (guildId, channelId) => (session.gateway ? humansIn(session.gateway.client, guildId, channelId) : []),
    memberName: (guildId, userId) =>
      session.gateway?.client.guilds.cache.get(guildId)?.members.cache.get(userId)?.displayName ?? null,
    sendVoice: (guildId, payload) => session.gateway?.sendVoice(guildId, payload),
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
  const { stop } = session
  const { id, log, players } = options
  while (!session.isStopping) {
    const readsMessages =
      !session.isIntentRefused && (await Promise.race([mayReadMessages(options.token, options), stop.promise]))
    if (session.isStopping) return
    const gateway = createGateway(options, readsMessages === true)
    const why = await live(session, gateway)
    session.cancelOutage()
    session.gateway = null
    session.reconciler?.close()
    session.reconciler = null
    await session.attached?.close()
    session.attached = null
    await gateway.close().catch((err: unknown) => log.warn({ err }, 'gateway close failed'))
    if (session.isStopping) return
    if (session.isEstablished) {
      options.dropVoice()
      await players.closeAll(id, DISCONNECTED)
    }
    if (isUnauthorized(why)) {
      log.error('bot login failed: invalid token; add the bot again with a new one')
      session.isRefused = true
      return reportStopped(session, 'unauthorized')
    }
    if (session.isEstablished && !session.isStopReported) reportStopped(session, 'disconnected')
    if (readsMessages === true && why === GatewayCloseCodes.DisallowedIntents) {
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

/** One session with Discord. @returns the close code or the error that ended it, or undefined when told to stop. */
async function live(session: Session, gateway: Gateway): Promise<unknown> {
  const { options, stop } = session
  session.gateway = gateway
  session.isEstablished = false
  listen(session, gateway)
  session.attached = options.interactions.attach(options, gateway.client)
  session.reconciler = createReconciler({ ...options, gateway })
  try {
    const failed = await Promise.race([gateway.login(options.token), gateway.refused, stop.promise])
    if (failed !== undefined || session.isStopping) return failed
    const guilds = gateway.client.guilds.cache
    options.log.info({ name: gateway.client.user?.username, guilds: guilds.size }, 'bot connected')
    session.failures = 0
    session.isEstablished = true
    connected(session)
    session.attached.connected()
    seen(session, gateway, [...guilds.values()])
    return await Promise.race([gateway.refused, stop.promise])
  } catch (err) {
    return err
  }
}

/** Passes Discord's events to the players of this bot. */
function listen(session: Session, gateway: Gateway): void {
  const { client } = gateway
  const { options } = session
  const { id, players } = options
  const stages = createStages(client, options.log)

  client.ws.on(GatewayDispatchEvents.VoiceStateUpdate, (data: VoiceState) => {
    if (data.user_id !== id || !data.guild_id) return
    const player = players.findAny(id, data.guild_id)
    player?.node.voiceStateUpdate(player.ref, data)
    stages.placed({ guildId: data.guild_id, channelId: data.channel_id, suppress: data.suppress })
    if (!player || player.isClosed) return
    player.placed({ channelId: data.channel_id, silenced: silenceOf(data) })
    session.attached?.playerChanged(data.guild_id)
  })
  client.ws.on(GatewayDispatchEvents.VoiceServerUpdate, (data: { readonly guild_id: string }) => {
    const player = players.findAny(id, data.guild_id)
    player?.node.voiceServerUpdate(player.ref, data)
  })
  client.on(Events.VoiceStateUpdate, (_, { guild }) => players.find(id, guild.id)?.listenersChanged())
  client.on(Events.GuildDelete, (guild) => void players.find(id, guild.id)?.close(DISCONNECTED))
  client.on(Events.GuildCreate, (guild) => seen(session, gateway, [guild]))
  client.on(Events.GuildAvailable, (guild) => seen(session, gateway, [guild]))
  client.on(Events.ShardReconnecting, () => {
    // Our own good-bye looks like a loss, too.
    if (session.gateway !== gateway) return
    session.cancelOutage()
    session.cancelOutage = options.clock.after(OUTAGE_MS, () => reportStopped(session, 'disconnected'))
  })
  const playersOn = (shardId: number) => players.ofBot(id).filter(({ ref }) => gateway.serves(shardId, ref.guildId))
  client.on(Events.ShardResume, (shardId) => {
    connected(session)
    for (const player of playersOn(shardId)) if (player.isAdrift) player.recover()
    session.reconciler?.check()
  })
  client.on(Events.ShardReady, (shardId) => {
    if (!session.isEstablished) return
    connected(session)
    // A new session with Discord knows nothing of the old one's voice.
    for (const player of playersOn(shardId)) player.recover()
    session.reconciler?.check()
  })
}

/** Guilds are known now: saved players come back, and voice channels without a player are left. */
function seen(session: Session, gateway: Gateway, guilds: readonly Guild[]): void {
  const { options } = session
  if (!session.isEstablished) return
  const { client } = gateway
  const known = guilds.filter(({ available }) => available)
  void options.sessionRestore.comeBack(
    { id: options.id, projectId: options.projectId, isGone: () => session.gateway !== gateway || session.isStopping },
    known.map((guild) => ({
      id: guild.id,
      ownChannelId: ownVoice(client, guild).channelId,
      joinable: (channelId) => joinableChannel(client, guild.id, channelId),
      countListeners: (channelId) => countHumans(client, guild.id, channelId),
      leave: () => gateway.leaveVoice(guild.id),
    })),
  )
  session.reconciler?.check()
}

function isUp({ gateway, isStopping }: Session): boolean {
  return !isStopping && (gateway?.isConnected ?? false)
}

/** One of its connections works: as a rule the only one. While another is away the bot is not said to be back. */
function connected(session: Session): void {
  if (!session.gateway?.isConnected) return
  session.cancelOutage()
  session.isStopReported = false
  for (const resolve of session.waiting) resolve()
}

async function waitConnected(session: Session): Promise<boolean> {
  // After a failed login the next one may be a minute away: do not wait for it.
  if (isUp(session) || session.failures > 0 || session.isStopping || session.isRefused) return isUp(session)
  const up = Promise.withResolvers<void>()
  session.waiting.add(up.resolve)
  const cancel = session.options.clock.after(CONNECT_PATIENCE_MS, up.resolve)
  await up.promise
  cancel()
  session.waiting.delete(up.resolve)
  return isUp(session)
}

function reportStopped(session: Session, reason: BotStopReason): void {
  const { id, projectId, events, log } = session.options
  session.isStopReported = true
  log.info({ reason }, 'bot stopped')
  events.emit({ projectId, event: { type: 'botStopped', botId: id, reason } })
}

interface VoiceState {
  readonly guild_id?: string
  readonly user_id: string
  readonly channel_id: string | null
  readonly mute: boolean
  readonly suppress: boolean
}
