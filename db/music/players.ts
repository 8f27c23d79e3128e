import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { databaseNow } from '../engine/database-now.ts'
import type { Store } from '../engine/store.ts'
import { isTakenFrom } from '../shard-leases.ts'

/** A player as it is saved: enough for it to come back after a restart. Tracks are tokens. */
export interface SavedPlayer {
  readonly projectId: string
  readonly botId: string
  readonly guildId: string
  readonly channelId: string
  readonly current: string | null
  /** The next one first. */
  readonly queue: readonly string[]
  /** Tracks played before, the last one first. */
  readonly past: readonly string[]
  /** Why autoplay chose the current track. Null for requested tracks. Not interpreted here. */
  readonly recommendation: object | null
  /** Who asked for the current track and for those in the queue, in that order; null if a program did. */
  readonly requesterIds: readonly (string | null)[]
  readonly positionMs: number
  /** Percent, 0 to 200. */
  readonly volume: number
  readonly muted: boolean
  /** Volume before the mute; null while not muted. */
  readonly volumeBeforeMute: number | null
  readonly paused: boolean
  readonly loop: 'off' | 'track' | 'queue'
  /** Plays after the current one, ahead of the queue. */
  readonly nextTrack: string | null
  /** When the sleep timer stops the music, in milliseconds since 1970; null in it means at the end of the current track. */
  readonly sleep: { readonly endsAtMs: number | null } | null
  /** Sound filters; not interpreted here. */
  readonly filters: object
}

export type PlayerPosition = Pick<SavedPlayer, 'projectId' | 'botId' | 'guildId' | 'positionMs'>

/** A player's new state. */
export interface PlayerChange extends Pick<SavedPlayer, 'projectId' | 'botId' | 'guildId'> {
  /** Null: the player is over. */
  readonly state: SavedPlayer | null
  /**
   * The right to write the player, which grows whenever another service takes it over: what was written with a higher one is
   * not changed.
   */
  readonly lease: number
  /** Requests that this is the effect of, each with what its answer holds, as JSON: written down with the change, or neither. */
  readonly answered?: readonly { readonly requestId: number; readonly answer: string }[]
}

export type PlayerStates = ReturnType<typeof createPlayerStates>

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

const COLUMNS = {
  channelId: 'channel_id',
  current: 'current',
  queue: 'queue',
  past: 'past',
  requesterIds: 'requester_ids',
  positionMs: 'position_ms',
  volume: 'volume',
  muted: 'muted',
  volumeBeforeMute: 'volume_before_mute',
  paused: 'paused',
  loop: 'loop',
  filters: 'filters',
  nextTrack: 'next_track',
  sleep: 'sleep',
  recommendation: 'recommendation',
} as const satisfies Record<Exclude<keyof SavedPlayer, 'projectId' | 'botId' | 'guildId'>, string>
const NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[]
const SELECTED = raw(NAMES.map((name) => `${COLUMNS[name]} AS "${name}"`).join(', '))
const INSERTED = raw(NAMES.map((name) => COLUMNS[name]).join(', '))
const REPLACED = raw(NAMES.map((name) => `${COLUMNS[name]} = excluded.${COLUMNS[name]}`).join(', '))
/** Two texts of this statement are prepared, for any number of players. */
const POSITIONS_AT_ONCE = 50
/** Maximum length of a list in a query. */
const MOST_NAMED = 1000

interface PlayerStatesOptions {
  /** @throws {Fault} while it is known that nothing can be saved. */
  readonly assertWritable?: () => void
  readonly now?: () => number
}

export function createPlayerStates(store: Store, options: PlayerStatesOptions = {}) {
  const { assertWritable = () => undefined } = options
  const now = () => databaseNow(store, options.now)

  return {
    /** @throws {Fault} `service_unavailable` while it is known that nothing can be saved, as on a full disk. */
    assertWritable,
    /**
     * All of them or none. A player of a bot that was removed meanwhile is not saved.
     * @returns those that a higher lease has refused.
     */
    write: (changes: readonly PlayerChange[]) =>
      store.atomically(
        async () => {
          const refused: PlayerChange[] = []
          for (const change of changes) if (!(await write(store, change, now()))) refused.push(change)
          return refused
        },
        { isBatch: true },
      ),
    /** The positions of any number of saved players in one write: for the regular save, which must stay cheap. */
    async savePositions(positions: readonly (PlayerPosition & Pick<PlayerChange, 'lease'>)[]) {
      if (positions.length === 0) return
      const nowMs = now()
      const moves = Array.from(inPieces(positions), (some) => movement(some, nowMs))
      await store.atomically(
        async () => {
          for (const move of moves) await store.run(move)
        },
        { isBatch: true },
      )
    },
    /** Players of one bot; only those in these guilds, if any are named. */
    async list(projectId: string, botId: string, guildIds?: readonly string[]) {
      const found: SavedPlayer[] = []
      for (const where of named(guildIds)) {
        const rows = await store.all<Row>(listed(projectId, botId, where))
        found.push(...rows.map(toState))
      }
      return found
    },
    /** Age of a bot's saved players in milliseconds, by guild. */
    async ages(botId: string, guildIds: readonly string[]) {
      const rows = await Promise.all(named(guildIds).map((where) => store.all<Age>(agesOf(botId, where, now()))))
      return new Map(rows.flat().map(({ guildId, ageMs }) => [guildId, ageMs]))
    },
    /** Takes the players of these guilds over, or all of the bot: who has an older lease writes them no more from then on. */
    async claim(botId: string, guildIds: readonly string[] | undefined, lease: number) {
      const claimed = sql`UPDATE player SET lease = ${lease} WHERE bot_id = ${botId} AND lease < ${lease}`
      for (const where of named(guildIds)) await store.run(sql`${claimed} ${where}`)
    },
  }
}

async function write(store: Store, change: PlayerChange, nowMs: Sql): Promise<boolean> {
  const { answered = [] } = change
  const changed = await store.run(change.state ? upsert(change, change.state, nowMs) : removal(change))
  if (changed === 0 && (await isRefused(store, change))) return false
  for (const { requestId, answer } of answered) {
    await store.run(sql`UPDATE idempotent_request SET effect = ${answer} WHERE id = ${requestId}`)
  }
  return true
}

/** Whether a newer lease, of the player or of its shard, forbids the write. */
async function isRefused(store: Store, { botId, guildId, lease }: PlayerChange): Promise<boolean> {
  const newer = sql`SELECT 1 FROM player WHERE bot_id = ${botId} AND guild_id = ${guildId} AND lease > ${lease}`
  if ((await store.find(newer)) !== undefined) return true
  return (
    lease > 0 && (await store.find(sql`SELECT 1 AS found WHERE ${isTakenFrom(botId, guildId, lease)}`)) !== undefined
  )
}

function listed(projectId: string, botId: string, where: Sql): Sql {
  return sql`
    SELECT project_id AS "projectId", bot_id AS "botId", guild_id AS "guildId", ${SELECTED} FROM player
     WHERE project_id = ${projectId} AND bot_id = ${botId} ${where} ORDER BY guild_id`
}

interface Age {
  readonly guildId: string
  readonly ageMs: number
}

function agesOf(botId: string, where: Sql, nowMs: Sql): Sql {
  return sql`
    SELECT guild_id AS "guildId", ${nowMs} - updated_at_ms AS "ageMs" FROM player WHERE bot_id = ${botId} ${where}`
}

/** All, or the named ones in lists that are not too long. */
function named(guildIds: readonly string[] | undefined): readonly Sql[] {
  if (!guildIds) return [empty]
  const lists = Array.from({ length: Math.ceil(guildIds.length / MOST_NAMED) }, (_, at) =>
    guildIds.slice(at * MOST_NAMED, (at + 1) * MOST_NAMED),
  )
  return lists.map((some) => sql`AND guild_id IN (${join(some)})`)
}

function upsert({ projectId, botId, guildId, lease }: PlayerChange, state: SavedPlayer, nowMs: Sql): Sql {
  // A player that its new owner has ended must not be written again by a former one.
  const unlessTaken = lease > 0 ? sql`AND NOT ${isTakenFrom(botId, guildId, lease)}` : empty
  return sql`
    INSERT INTO player (bot_id, guild_id, project_id, lease, updated_at_ms, ${INSERTED})
    SELECT id, ${guildId}, project_id, ${lease}, ${nowMs}, ${join(valuesOf(state))}
      FROM bot WHERE id = ${botId} AND project_id = ${projectId} ${unlessTaken}
    ON CONFLICT (bot_id, guild_id) DO UPDATE SET
      project_id = excluded.project_id, lease = excluded.lease, updated_at_ms = excluded.updated_at_ms, ${REPLACED}
      WHERE player.lease <= excluded.lease`
}

function removal({ projectId, botId, guildId, lease }: PlayerChange): Sql {
  return sql`
    DELETE FROM player
     WHERE project_id = ${projectId} AND bot_id = ${botId} AND guild_id = ${guildId} AND lease <= ${lease}`
}

type LeasedPosition = PlayerPosition & Pick<PlayerChange, 'lease'>

function* inPieces(positions: readonly LeasedPosition[]): Iterable<readonly LeasedPosition[]> {
  const whole = positions.length - (positions.length % POSITIONS_AT_ONCE)
  for (let at = 0; at < whole; at += POSITIONS_AT_ONCE) yield positions.slice(at, at + POSITIONS_AT_ONCE)
  for (const one of positions.slice(whole)) yield [one]
}

function movement(positions: readonly LeasedPosition[], nowMs: Sql): Sql {
  const rows = positions.map(
    ({ projectId, botId, guildId, positionMs, lease }) =>
      sql`(${projectId}, ${botId}, ${guildId}, CAST(${whole(positionMs)} AS bigint), CAST(${lease} AS bigint))`,
  )
  return sql`
    WITH moved (project_id, bot_id, guild_id, position_ms, lease) AS (VALUES ${join(rows)})
    UPDATE player SET position_ms = moved.position_ms, updated_at_ms = ${nowMs} FROM moved
     WHERE player.bot_id = moved.bot_id AND player.guild_id = moved.guild_id
       AND player.project_id = moved.project_id AND player.lease <= moved.lease`
}

function valuesOf(state: SavedPlayer): readonly (string | number | null)[] {
  const row: Readonly<Record<keyof typeof COLUMNS, string | number | null>> = {
    ...state,
    queue: JSON.stringify(state.queue),
    past: JSON.stringify(state.past),
    requesterIds: JSON.stringify(state.requesterIds),
    positionMs: whole(state.positionMs),
    muted: state.muted ? 1 : 0,
    paused: state.paused ? 1 : 0,
    filters: JSON.stringify(state.filters),
    sleep: state.sleep && JSON.stringify(state.sleep),
    recommendation: state.recommendation && JSON.stringify(state.recommendation),
  }
  return NAMES.map((name) => row[name])
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
