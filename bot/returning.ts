import type { PlayerState, PlayerStates } from '../db/players.ts'
import { Fault } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { QueuedTrack } from './player-core.ts'
import type { Players } from './players.ts'
import { decodeToken } from './token.ts'

/** A guild that a bot sees for the first time since it connected. */
export interface SeenGuild {
  readonly id: string
  /** Where Discord still shows the bot. */
  readonly ownChannelId: string | null
  /** @throws {Fault} when the channel is gone or closed to the bot. */
  joinable(channelId: string): string
  countListeners(channelId: string): number
  /** Takes the bot out of the call that Discord shows it in. */
  leave(): void
}

/** Brings back the players that a restart interrupted. */
export interface Returning {
  /**
   * A saved player goes on where it was if humans still listen, and is forgotten otherwise. A call that no player
   * belongs to, left over from a crash, is left.
   */
  comeBack(bot: { readonly id: string; readonly projectId: string }, guild: SeenGuild): void
}

export interface ReturningOptions {
  readonly players: Players
  readonly states: PlayerStates
  readonly log: Logger
}

export function createReturning({ players, states, log }: ReturningOptions): Returning {
  function forget({ projectId, botId, guildId }: PlayerState): void {
    states.remove(projectId, botId, guildId)
  }

  async function restore(saved: PlayerState): Promise<void> {
    const { botId, guildId, channelId, positionMs } = saved
    try {
      const current = saved.current === null ? null : toQueued(saved.current)
      await players.restore({ ...saved, current, queue: saved.queue.map(toQueued) })
      log.info({ botId, guildId, channelId, positionMs }, 'player restored')
    } catch (err) {
      log.warn({ err, botId, guildId, channelId }, 'player not restored')
      // Without an audio node it is not the channel's fault: the next start may do better.
      if (!(err instanceof Fault) || err.code !== 'service_unavailable') forget(saved)
    }
  }

  return {
    comeBack({ id, projectId }, guild) {
      if (players.findAny(id, guild.id)) return
      const saved = states.list(projectId, id).find(({ guildId }) => guildId === guild.id)
      if (saved && isWanted(saved, guild)) return void restore(saved)
      if (saved) {
        log.info({ botId: id, guildId: guild.id, channelId: saved.channelId }, 'saved player given up')
        forget(saved)
      }
      if (guild.ownChannelId === null) return
      log.info({ botId: id, guildId: guild.id, channelId: guild.ownChannelId }, 'abandoned call left')
      guild.leave()
    },
  }
}

/** Whether there is anything to go on with and anybody to hear it. */
function isWanted(saved: PlayerState, guild: SeenGuild): boolean {
  if (saved.current === null || guild.countListeners(saved.channelId) === 0) return false
  try {
    guild.joinable(saved.channelId)
    return true
  } catch {
    return false
  }
}

function toQueued(encoded: string): QueuedTrack {
  return { info: decodeToken(encoded), encoded }
}
