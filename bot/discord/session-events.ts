import { Events, GatewayDispatchEvents, type Guild } from 'discord.js'
import { slices } from '../../lib/process/slices.ts'
import { DISCONNECTED } from '../player/voice-lifecycle.ts'
import type { Gateway } from './gateway.ts'
import { connected, playersOn, reportStopped, type Session } from './session.ts'
import { guildsOfShard } from './shards/announced-guilds.ts'
import { createStages } from './stage-channels.ts'
import { countHumans, joinableChannel, ownVoice, silenceOf } from './voice-channels.ts'

const OUTAGE_MS = 30_000

/** Passes Discord's events to the players of this bot. */
export function listen(session: Session, gateway: Gateway): void {
  const { client } = gateway
  const { options } = session
  const { id, players } = options
  const stages = createStages(client, { ...options, isGone: () => session.gateway !== gateway })

  client.ws.on(GatewayDispatchEvents.VoiceStateUpdate, (data: VoiceState) => {
    if (data.user_id !== id || !data.guild_id) return
    const player = players.findAny(id, data.guild_id)
    player?.node.voiceStateUpdate(player.ref, data)
    stages.placed({ guildId: data.guild_id, channelId: data.channel_id, suppress: data.suppress })
    if (!player || player.isClosed) return
    const guild = client.guilds.cache.get(data.guild_id)
    player.placed({ channelId: data.channel_id, silenced: silenceOf(guild, data.channel_id, data) })
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
  client.on(Events.ShardResume, (shardId) => {
    connected(session)
    for (const player of playersOn(session, shardId)) if (player.isAdrift) player.recover()
    session.reconciler?.check()
  })
  client.on(Events.ShardReady, (shardId) => {
    if (!session.isEstablished) return
    connected(session)
    if (!session.seenShards.has(shardId)) return onShardAdded(session, gateway, shardId)
    // A new session with Discord knows nothing of the old one's voice.
    for (const player of playersOn(session, shardId)) player.recover()
    session.reconciler?.check()
  })
}

/**
 * All guilds of the shards that have logged in together are known: one shard in a turn of the event loop. Until then players
 * of the others are not begun, see `assertSettled`.
 */
export async function seeReadyShards(session: Session, gateway: Gateway): Promise<void> {
  const { client, shards } = gateway
  const ready = [...client.ws.shards.keys()].filter((shardId) => shards.isReady(shardId))
  for (const shardId of ready) {
    if (session.gateway !== gateway || !shards.has(shardId) || session.seenShards.has(shardId)) continue
    session.seenShards.add(shardId)
    seen(session, gateway, guildsOfShard(gateway.client, shardId))
    if (ready.length > 1) await slices.next()
  }
}

/** Up to this many guilds are compared one by one. */
const FEW_GUILDS = 10

/** Guilds are known now: saved players come back, and voice channels without a player are left. */
function seen(session: Session, gateway: Gateway, guilds: readonly Guild[]): void {
  if (!session.isEstablished) return
  // Guilds of a shard that logs in for the first time come together, once it knows all of them.
  const known = guilds.filter(({ available, shardId }) => available && session.seenShards.has(shardId))
  const byShard = Map.groupBy(known, ({ shardId }) => shardId)
  for (const [shardId, all] of byShard) comeBack(session, gateway, shardId, all)
  // Not all guilds each time: those of a shard come one by one.
  if (known.length <= FEW_GUILDS) for (const guild of known) session.reconciler?.check(guild.id)
  else session.reconciler?.check()
  session.reconciler?.checkSoon()
}

function comeBack(session: Session, gateway: Gateway, shardId: number, guilds: readonly Guild[]): void {
  const { id, projectId, sessionRestore } = session.options
  const { client, shards } = gateway
  const isGone = (): boolean => session.gateway !== gateway || session.isStopping || !shards.leaseOf(shardId)?.isHeld
  const seenGuilds = guilds.map((guild) => ({
    id: guild.id,
    ownChannelId: ownVoice(client, guild).channelId,
    isTakenOver: (shards.leaseOf(shardId)?.sessions ?? null) !== null,
    joinable: (channelId: string) => joinableChannel(client, guild.id, channelId),
    countListeners: (channelId: string) => countHumans(client, guild.id, channelId),
    leave: () => gateway.leaveVoice(guild.id),
  }))
  const lease = shards.leaseOf(shardId)
  const right = { lease: lease?.token ?? 0, formerSilentAtMs: lease?.formerSilentAtMs ?? null }
  const restored = sessionRestore.comeBack({ id, projectId, isGone, ...right }, seenGuilds)
  const { restoringShards } = session
  restoringShards.set(shardId, (restoringShards.get(shardId) ?? 0) + 1)
  const forget = (): void => {
    const left = (restoringShards.get(shardId) ?? 1) - 1
    if (left > 0) restoringShards.set(shardId, left)
    else restoringShards.delete(shardId)
  }
  void restored.then(forget)
}

/** All guilds of a shard that was taken meanwhile are known. */
function onShardAdded(session: Session, gateway: Gateway, shardId: number): void {
  session.seenShards.add(shardId)
  const guilds = guildsOfShard(gateway.client, shardId)
  session.options.log.info({ shardId, guilds: guilds.length }, 'shard connected')
  seen(session, gateway, guilds)
  session.shards.changed()
}

interface VoiceState {
  readonly guild_id?: string
  readonly user_id: string
  readonly channel_id: string | null
  readonly mute: boolean
  readonly suppress: boolean
}
