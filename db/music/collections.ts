import sql, { raw, type Sql } from 'sql-template-tag'
import { Fault } from '../../lib/errors.ts'
import type { Store } from '../engine/store.ts'

export const MOST_FAVOURITES = 500
export const MOST_PLAYLISTS = 50
const LONGEST_PLAYLIST = 1000

/** A member of Discord as one bot knows them; what they keep, all bots of its project know. */
interface Collector {
  readonly botId: string
  readonly userId: string
}

interface SavedPlaylist {
  readonly name: string
  /** Tokens. */
  readonly tracks: readonly string[]
}

/** The tracks that members keep, each for themselves. Tracks are tokens. */
export type Collections = ReturnType<typeof createCollections>

export function createCollections(store: Store, now: () => number = Date.now) {
  return { ...favouritesIn(store, now), ...playlistsIn(store, now) }
}

/** The member, known by any bot of the project. */
function belongsTo({ botId, userId }: Collector): Sql {
  const project = sql`SELECT project_id FROM bot WHERE id = ${botId}`
  return sql`bot_id IN (SELECT id FROM bot WHERE project_id = (${project})) AND user_id = ${userId}`
}

function favouritesIn(store: Store, now: () => number) {
  async function count(who: Collector): Promise<number> {
    const counted = sql`SELECT count(DISTINCT track) AS count FROM favourite WHERE ${belongsTo(who)}`
    return (await store.find<{ readonly count: number }>(counted))?.count ?? 0
  }

  async function isFavourite(who: Collector, track: string): Promise<boolean> {
    const found = sql`SELECT 1 FROM favourite WHERE ${belongsTo(who)} AND track = ${track} LIMIT 1`
    return (await store.find(found)) !== undefined
  }

  return {
    isFavourite,
    /** The newest first. `limit` defaults to all of them. */
    async favourites(who: Collector, limit = MOST_FAVOURITES) {
      const rows = await store.all<{ readonly track: string }>(sql`
        SELECT track FROM favourite WHERE ${belongsTo(who)}
         GROUP BY track ORDER BY max(added_at_ms) DESC, track LIMIT ${limit}`)
      return rows.map(({ track }) => track)
    },
    /** @returns whether it is new. @throws {Fault} `conflict` when there are too many. */
    addFavourite: (who: Collector, track: string) =>
      store.atomically(async () => {
        if (await isFavourite(who, track)) return false
        if ((await count(who)) >= MOST_FAVOURITES) {
          throw full(`Favourites limit reached (${MOST_FAVOURITES}).`)
        }
        await store.run(sql`
          INSERT INTO favourite (bot_id, user_id, track, added_at_ms)
          VALUES (${who.botId}, ${who.userId}, ${track}, ${now()})`)
        return true
      }),
    /** @returns whether it was there. */
    async removeFavourite(who: Collector, track: string) {
      return (await store.run(sql`DELETE FROM favourite WHERE ${belongsTo(who)} AND track = ${track}`)) > 0
    },
  }
}

function playlistsIn(store: Store, now: () => number) {
  async function list(who: Collector) {
    // If two bots have a playlist of the same name, the newer one counts.
    return store.all<{ readonly name: string; readonly count: number }>(sql`
      SELECT name, json_array_length(${store.engine === 'sqlite' ? raw('tracks') : raw('CAST(tracks AS json)')}) AS count FROM (
        SELECT name, tracks, row_number() OVER (PARTITION BY name ORDER BY saved_at_ms DESC) AS place
          FROM playlist WHERE ${belongsTo(who)}) AS own
       WHERE place = 1 ORDER BY name`)
  }
  async function find(who: Collector, name: string): Promise<SavedPlaylist | null> {
    const row = await store.find<{ readonly name: string; readonly tracks: string }>(sql`
      SELECT name, tracks FROM playlist WHERE ${belongsTo(who)} AND name = ${name}
       ORDER BY saved_at_ms DESC LIMIT 1`)
    return row ? { name: row.name, tracks: JSON.parse(row.tracks) as string[] } : null
  }
  async function write(who: Collector, { name, tracks }: SavedPlaylist): Promise<void> {
    await store.run(sql`DELETE FROM playlist WHERE ${belongsTo(who)} AND name = ${name}`)
    if ((await list(who)).length >= MOST_PLAYLISTS) throw full(`Playlist limit reached (${MOST_PLAYLISTS}).`)
    await store.run(sql`
      INSERT INTO playlist (bot_id, user_id, name, tracks, saved_at_ms)
      VALUES (${who.botId}, ${who.userId}, ${name}, ${JSON.stringify(tracks.slice(0, LONGEST_PLAYLIST))}, ${now()})`)
  }
  return {
    /** By name, without regard to case. */
    findPlaylist: find,
    listPlaylists: list,
    /** Replaces what has the name. @throws {Fault} `conflict` when there are too many. */
    savePlaylist: (who: Collector, playlist: SavedPlaylist) => store.atomically(() => write(who, playlist)),
    /** Adds tracks at the end, or to a new playlist. @throws {Fault} `conflict` when it or the collection is full. */
    addToPlaylist: (who: Collector, { name, tracks }: SavedPlaylist) =>
      store.atomically(async () => {
        const kept = (await find(who, name)) ?? { name, tracks: [] }
        if (kept.tracks.length + tracks.length > LONGEST_PLAYLIST)
          throw full(`A playlist has at most ${LONGEST_PLAYLIST} tracks.`)
        await write(who, { name: kept.name, tracks: [...kept.tracks, ...tracks] })
      }),
    renamePlaylist: (who: Collector, name: string, newName: string): Promise<'renamed' | 'missing' | 'taken'> =>
      store.atomically(async () => {
        const other = sql`SELECT 1 FROM playlist WHERE ${belongsTo(who)} AND name = ${newName} AND name <> ${name}`
        if (await store.find(other)) return 'taken'
        const renamed = sql`UPDATE playlist SET name = ${newName} WHERE ${belongsTo(who)} AND name = ${name}`
        return (await store.run(renamed)) > 0 ? 'renamed' : 'missing'
      }),
    /** @returns whether it was there. */
    async deletePlaylist(who: Collector, name: string) {
      return (await store.run(sql`DELETE FROM playlist WHERE ${belongsTo(who)} AND name = ${name}`)) > 0
    },
  }
}

function full(why: string): Fault {
  return new Fault('conflict', `${why} Remove one first.`, { reason: 'collection_full' })
}
