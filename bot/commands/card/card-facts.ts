import { Fault } from '../../../lib/errors.ts'
import type { PlayerScope, PlayerService } from '../../player-service.ts'
import type { PlayerInfo, Requesters } from '../../player/player-info.ts'
import type { EncodedTrack } from '../../tracks/track.ts'

export interface CardFacts {
  readonly player: PlayerInfo & { readonly current: EncodedTrack }
  readonly requesters: Requesters
  /** Track that plays next, ahead of the queue; null if the queue's turn is next. */
  readonly nextTrack: EncodedTrack | null
}

/** Null if nothing plays. */
export async function readCard(
  music: Pick<PlayerService, 'info' | 'requesters' | 'nextTrack'>,
  scope: PlayerScope,
  guildId: string,
): Promise<CardFacts | null> {
  try {
    const player = await music.info(scope, guildId)
    const { current } = player
    if (!current) return null
    const requesters = await music.requesters(scope, guildId)
    const { track: nextTrack } = await music.nextTrack(scope, guildId)
    return { player: { ...player, current }, requesters, nextTrack }
  } catch (err) {
    if (err instanceof Fault && err.code === 'not_found') return null
    throw err
  }
}

/** Returns the track that plays when the current one has ended, as far as it is known. */
export function upNext({ player, nextTrack }: CardFacts): EncodedTrack | null {
  const { current, queue, loop, suggestion } = player
  if (nextTrack) return nextTrack
  if (loop === 'track') return current
  return queue[0] ?? (loop === 'queue' ? current : suggestion)
}
