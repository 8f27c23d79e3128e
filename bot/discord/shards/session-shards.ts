import { Fault } from '../../../lib/errors.ts'
import { MOVED } from '../../player/voice-lifecycle.ts'
import { playersOn, type Session } from '../session.ts'
import type { ShardLease, ShardLoad } from './shard-directory.ts'

/** One more, while others run already. */
export function addShard(session: Session, lease: ShardLease): void {
  const { gateway } = session
  if (!gateway) return
  if (gateway.shardCount === lease.shard.shardCount) gateway.shards.add(lease)
  else session.recount.resolve()
}

/** Players are saved, then another service may continue them. Those that were requested meanwhile go, too. */
export async function handOver(session: Session, shardId: number): Promise<void> {
  const { gateway, leavingShards, options } = session
  // Players go on meanwhile: a new session has thousands of guilds to save.
  await Promise.all([gateway?.shards.save(shardId), options.flushSaves()])
  leavingShards.add(shardId)
  try {
    await closeMoved(session, shardId)
    await gateway?.sent()
    await gateway?.shards.handOver(shardId)
    await closeMoved(session, shardId)
  } finally {
    session.seenShards.delete(shardId)
    leavingShards.delete(shardId)
  }
}

export function cutShard(session: Session, shardId: number): void {
  session.seenShards.delete(shardId)
  session.gateway?.shards.cut(shardId)
  void closeMoved(session, shardId)
}

async function closeMoved(session: Session, shardId: number): Promise<void> {
  const players = playersOn(session, shardId)
  await Promise.allSettled(players.map((player) => player.close(MOVED)))
  await session.options.flushSaves()
  for (const { ref } of players) session.attached?.guildMoved(ref.guildId)
}

export function loadOf(session: Session, shardId: number): ShardLoad {
  const { gateway } = session
  const isReady = gateway?.shards.isReady(shardId) ?? false
  const [guilds, players] = [gateway?.countGuilds(shardId) ?? 0, playersOn(session, shardId).length]
  return { guilds, players, isReady, isRestoring: session.restoringShards.has(shardId) }
}

/** @throws {Fault} `service_unavailable` for a guild that another service runs now, or in a moment, or that is not known yet. */
export function assertRunHere({ gateway, leavingShards, options }: Session, guildId: string): void {
  const shardId = gateway?.shardOf(guildId) ?? -1
  const isHere = gateway?.shards.has(shardId) && !gateway.shards.isLate(shardId, guildId)
  if (isHere && !leavingShards.has(shardId)) return
  const why = options.directory.isShared
    ? 'Another service is taking over this server.'
    : 'The bot is still connecting here.'
  const message = `${why} Try again in a moment.`
  throw new Fault('service_unavailable', message, { retryAfterMs: 1000, peer: 'moved' })
}

/**
 * Whether a guild without a player has none, of bots with several shards.
 * @throws {Fault} of a moved guild while the guild changes hands, or its player is still to come back.
 */
export function assertSettled(session: Session, guildId: string): void {
  const { gateway, options, seenShards } = session
  const { isShared } = options.directory
  if (isShared) assertRunHere(session, guildId)
  const shardId = gateway?.shardOf(guildId) ?? -1
  const isSeen = seenShards.has(shardId) || (!isShared && (gateway?.shardCount ?? 1) === 1)
  if (isSeen && !(isShared && options.sessionRestore.isRestoring(options.id, guildId))) return
  const message = "This server's player is coming back. Try again in a moment."
  throw new Fault('service_unavailable', message, { retryAfterMs: 1000, peer: 'moved' })
}
