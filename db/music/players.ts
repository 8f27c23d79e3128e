import { declaredEffect } from '../../lib/idempotency/effect.ts'
import { assertWritable, atomically, type Database } from '../engine/open.ts'

/** A player as it is saved: enough for it to come back after a restart. Tracks are tokens. */
export interface SavedPlayer {
  readonly projectId: string
  readonly botId: string
  readonly guildId: string
  readonly channelId: string
  readonly current: string | null
  /** The next one first. */
  readonly queue: readonly string[]
  /** What was played before, the last one first. */
  readonly past: readonly string[]
  /** Why autoplay chose the current track. Null for requested tracks. Not interpreted here. */
  readonly recommendation: object | null
  /** Who asked for the current track and for those in the queue, in that order; null if a program did. */
  readonly requesterIds: readonly (string | null)[]
  readonly positionMs: number
  /** Percent, 0 to 200. */
  readonly volume: number
  readonly muted: boolean
  /** What the volume was when the mute began; null while there is none. */
  readonly volumeBeforeMute: number | null
  readonly paused: boolean
  readonly loop: 'off' | 'track' | 'queue'
  /** Plays after the current one, ahead of the queue. */
  readonly nextTrack: string | null
  /** When the sleep timer stops the music, in milliseconds since 1970; null in it means at the end of the current track. */
  readonly sleep: { readonly endsAtMs: number | null } | null
  /** Of the sound; not interpreted here. */
  readonly filters: object
}

export type PlayerPosition = Pick<SavedPlayer, 'projectId' | 'botId' | 'guildId' | 'positionMs'>

export interface PlayerStates {
  /** @throws {Fault} `service_unavailable` while it is known that nothing can be saved, as on a full disk. */
  assertWritable(): void
  /** A player of a bot that was removed meanwhile is not saved. */
  save(state: SavedPlayer): void
  /** The positions of any number of saved players in one write: for the regular save, which must stay cheap. */
  savePositions(positions: readonly PlayerPosition[]): void
  /** Those of one bot. */
  list(projectId: string, botId: string): readonly SavedPlayer[]
  remove(projectId: string, botId: string, guildId: string): void
}

interface Row extends Omit<
  SavedPlayer,
  'queue' | 'past' | 'requesterIds' | 'muted' | 'paused' | 'filters' | 'sleep' | 'recommendation'
> {
  readonly queue: string
  readonly past: string
  readonly requesterIds: string
  readonly muted: 0 | 1
  readonly paused: 0 | 1
  readonly filters: string
  readonly sleep: string | null
  readonly recommendation: string | null
}

const UPSERT = `
  INSERT INTO player (bot_id, guild_id, project_id, channel_id, current, queue, past, requester_ids, position_ms,
                      volume, muted, volume_before_mute, paused, loop, filters, next_track, sleep, recommendation, updated_at_ms)
  SELECT :botId, :guildId, :projectId, :channelId, :current, :queue, :past, :requesterIds, :positionMs,
         :volume, :muted, :volumeBeforeMute, :paused, :loop, :filters, :nextTrack, :sleep, :recommendation, :nowMs
   WHERE EXISTS (SELECT 1 FROM bot WHERE id = :botId AND project_id = :projectId)
  ON CONFLICT (bot_id, guild_id) DO UPDATE SET
    project_id = excluded.project_id, channel_id = excluded.channel_id, current = excluded.current,
    queue = excluded.queue, past = excluded.past, requester_ids = excluded.requester_ids, position_ms = excluded.position_ms, volume = excluded.volume, muted = excluded.muted,
    volume_before_mute = excluded.volume_before_mute, paused = excluded.paused, loop = excluded.loop,
    filters = excluded.filters, next_track = excluded.next_track, sleep = excluded.sleep, recommendation = excluded.recommendation,
    updated_at_ms = excluded.updated_at_ms`

const UPDATE_POSITION = `
  UPDATE player SET position_ms = :positionMs, updated_at_ms = :nowMs
   WHERE project_id = :projectId AND bot_id = :botId AND guild_id = :guildId`

const SELECT = `
  SELECT project_id AS projectId, bot_id AS botId, guild_id AS guildId, channel_id AS channelId, current, queue,
         past, requester_ids AS requesterIds,
         position_ms AS positionMs, volume, muted, volume_before_mute AS volumeBeforeMute, paused, loop, filters,
         next_track AS nextTrack, sleep, recommendation
    FROM player WHERE project_id = ? AND bot_id = ? ORDER BY guild_id`

export function createPlayerStates(db: Database, now: () => number = Date.now): PlayerStates {
  const upsert = db.prepare(UPSERT)
  const updatePosition = db.prepare(UPDATE_POSITION)
  const select = db.prepare<[string, string], Row>(SELECT)
  const remove = db.prepare('DELETE FROM player WHERE project_id = ? AND bot_id = ? AND guild_id = ?')
  const setEffect = db.prepare('UPDATE idempotent_request SET effect = ? WHERE id = ?')

  /** A change, and the word that the current request has made it, or neither. */
  function saveWithEffect(change: () => void): void {
    const effect = declaredEffect()
    atomically(db, () => {
      change()
      if (effect) setEffect.run(JSON.stringify(effect.answer()), effect.requestId)
    })
    if (effect) effect.state = 'saved'
  }

  return {
    assertWritable: () => assertWritable(db),
    save(state) {
      const lists = {
        queue: JSON.stringify(state.queue),
        past: JSON.stringify(state.past),
        requesterIds: JSON.stringify(state.requesterIds),
        filters: JSON.stringify(state.filters),
        sleep: state.sleep && JSON.stringify(state.sleep),
        recommendation: state.recommendation && JSON.stringify(state.recommendation),
      }
      const row = { ...state, ...lists, positionMs: whole(state.positionMs), nowMs: now() }
      saveWithEffect(() => upsert.run({ ...row, muted: state.muted ? 1 : 0, paused: state.paused ? 1 : 0 }))
    },
    savePositions(positions) {
      if (positions.length === 0) return
      const nowMs = now()
      atomically(db, () => {
        for (const { projectId, botId, guildId, positionMs } of positions) {
          updatePosition.run({ projectId, botId, guildId, positionMs: whole(positionMs), nowMs })
        }
      })
    },
    list: (projectId, botId) => select.all(projectId, botId).map(toState),
    remove(projectId, botId, guildId) {
      saveWithEffect(() => remove.run(projectId, botId, guildId))
    },
  }
}

function whole(ms: number): number {
  return Math.max(0, Math.round(ms))
}

function toState(row: Row): SavedPlayer {
  return {
    ...row,
    queue: JSON.parse(row.queue) as string[],
    past: JSON.parse(row.past) as string[],
    requesterIds: JSON.parse(row.requesterIds) as (string | null)[],
    filters: JSON.parse(row.filters) as object,
    recommendation: row.recommendation === null ? null : (JSON.parse(row.recommendation) as object),
    sleep: row.sleep === null ? null : (JSON.parse(row.sleep) as SavedPlayer['sleep']),
    muted: row.muted === 1,
    paused: row.paused === 1,
  }
}
