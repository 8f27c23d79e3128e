import { Fault } from '../../lib/errors.ts'
import { atomically, type Database } from '../engine/open.ts'

export const MOST_FAVOURITES = 500
export const MOST_PLAYLISTS = 50
export const LONGEST_PLAYLIST = 1000

/** A member of Discord as one bot knows them; what they keep, all bots of its project know. */
export interface Collector {
  readonly botId: string
  readonly userId: string
}

export interface Playlist {
  readonly name: string
  /** Tokens. */
  readonly tracks: readonly string[]
}

/** The tracks that members keep, each for themselves. Tracks are tokens. */
export interface Collections {
  /** The newest first. `limit` defaults to all of them. */
  favourites(who: Collector, limit?: number): readonly string[]
  /** @returns whether it is new. @throws {Fault} `conflict` when there are too many. */
  addFavourite(who: Collector, track: string): boolean
  /** @returns whether it was there. */
  removeFavourite(who: Collector, track: string): boolean
  /** By name, without regard to case. */
  findPlaylist(who: Collector, name: string): Playlist | null
  listPlaylists(who: Collector): readonly { readonly name: string; readonly count: number }[]
  /** Replaces what has the name. @throws {Fault} `conflict` when there are too many. */
  savePlaylist(who: Collector, playlist: Playlist): void
  /** @returns whether it was there. */
  deletePlaylist(who: Collector, name: string): boolean
}

/** The bots of a project. */
const SIBLINGS = '(SELECT id FROM bot WHERE project_id = (SELECT project_id FROM bot WHERE id = ?))'

export function createCollections(db: Database, now: () => number = Date.now): Collections {
  return { ...favouritesIn(db, now), ...playlistsIn(db, now) }
}

type Favourites = Pick<Collections, 'favourites' | 'addFavourite' | 'removeFavourite'>

function favouritesIn(db: Database, now: () => number): Favourites {
  const select = db
    .prepare<[string, string, number], string>(
      `SELECT track FROM favourite WHERE bot_id IN ${SIBLINGS} AND user_id = ?
        GROUP BY track ORDER BY max(added_at_ms) DESC, track LIMIT ?`,
    )
    .pluck()
  const count = db
    .prepare<[string, string], number>(
      `SELECT count(DISTINCT track) FROM favourite WHERE bot_id IN ${SIBLINGS} AND user_id = ?`,
    )
    .pluck()
  const insert = db.prepare('INSERT INTO favourite (bot_id, user_id, track, added_at_ms) VALUES (?, ?, ?, ?)')
  const has = db
    .prepare<[string, string, string], number>(
      `SELECT 1 FROM favourite WHERE bot_id IN ${SIBLINGS} AND user_id = ? AND track = ?`,
    )
    .pluck()
  const remove = db.prepare(`DELETE FROM favourite WHERE bot_id IN ${SIBLINGS} AND user_id = ? AND track = ?`)
  return {
    favourites: ({ botId, userId }, limit = MOST_FAVOURITES) => select.all(botId, userId, limit),
    addFavourite: ({ botId, userId }, track) =>
      atomically(db, () => {
        const isNew = has.get(botId, userId, track) === undefined
        if (isNew) insert.run(botId, userId, track, now())
        if (isNew && (count.get(botId, userId) ?? 0) > MOST_FAVOURITES) {
          throw new Fault('conflict', `You have ${MOST_FAVOURITES} favourites, the maximum. Remove one first.`, {
            reason: 'collection_full',
          })
        }
        return isNew
      }),
    removeFavourite: ({ botId, userId }, track) => atomically(db, () => remove.run(botId, userId, track).changes > 0),
  }
}

type Playlists = Omit<Collections, keyof Favourites>

function playlistsIn(db: Database, now: () => number): Playlists {
  const find = db.prepare<[string, string, string], { name: string; tracks: string }>(
    `SELECT name, tracks FROM playlist WHERE bot_id IN ${SIBLINGS} AND user_id = ? AND name = ?
      ORDER BY saved_at_ms DESC LIMIT 1`,
  )
  const list = db.prepare<[string, string], { name: string; count: number }>(
    // Where two bots have one of the same name, the newer one counts: SQLite takes the row of the maximum.
    `SELECT name, count FROM (
       SELECT name, json_array_length(tracks) AS count, max(saved_at_ms) FROM playlist
        WHERE bot_id IN ${SIBLINGS} AND user_id = ? GROUP BY name COLLATE NOCASE) ORDER BY name`,
  )
  const insert = db.prepare('INSERT INTO playlist (bot_id, user_id, name, tracks, saved_at_ms) VALUES (?, ?, ?, ?, ?)')
  const remove = db.prepare(`DELETE FROM playlist WHERE bot_id IN ${SIBLINGS} AND user_id = ? AND name = ?`)
  return {
    findPlaylist({ botId, userId }, name) {
      const row = find.get(botId, userId, name)
      return row ? { name: row.name, tracks: JSON.parse(row.tracks) as string[] } : null
    },
    listPlaylists: ({ botId, userId }) => list.all(botId, userId),
    savePlaylist({ botId, userId }, { name, tracks }) {
      const kept = JSON.stringify(tracks.slice(0, LONGEST_PLAYLIST))
      atomically(db, () => {
        remove.run(botId, userId, name)
        insert.run(botId, userId, name, kept, now())
        if (list.all(botId, userId).length <= MOST_PLAYLISTS) return
        throw new Fault('conflict', `There are ${MOST_PLAYLISTS} playlists, the maximum. Delete one first.`, {
          reason: 'collection_full',
        })
      })
    },
    deletePlaylist: ({ botId, userId }, name) => atomically(db, () => remove.run(botId, userId, name).changes > 0),
  }
}
