import { unplayable } from '../../../lib/errors.ts'
import type { LinkedSong, LinkSite } from './link-site.ts'
import type { TrackInfo } from '../../tracks/track.ts'
import type { Mirror } from './mirror.ts'
import type { Source } from '../source.ts'
import { normalizeTitle } from '../http/text.ts'

export interface LinksOptions {
  readonly site: LinkSite
  readonly mirror: Mirror
  /** Opens what the mirror finds. */
  readonly open: Source['open']
}

const NOT_READ = "This link doesn't lead to a readable track, album or playlist."

/** Links to songs that play elsewhere: what they name is looked for among the sources that play, when its turn comes. */
export function createLinksSource({ site, mirror, open }: LinksOptions): Source {
  const { sourceName } = site
  return {
    name: site.name,
    sourceName,
    claims: (url) => site.claims(url),
    resolve: async (url, signal) => {
      const linked = await site.read(url, signal)
      if (!linked) throw unplayable(NOT_READ, 'nothing_found')
      const tracks = linked.songs.map((song) => toTrackInfo(song, sourceName))
      if (tracks.length === 0) throw unplayable('This list is empty.', 'nothing_found')
      const playlist = linked.list === null ? null : (normalizeTitle(linked.list) ?? 'Playlist')
      return { tracks, playlist, total: linked.total ?? null }
    },
    search: async (text, limit) =>
      ((await site.search?.(text, limit)) ?? []).map((song) => toTrackInfo(song, sourceName)),
    lists: async (request) => (await site.lists?.(request)) ?? [],
    // The token's words are searched for like any other; nothing else in it counts.
    open: async (track, signal, isFresh) => {
      const found = await mirror(track, signal)
      if (!found) throw unplayable('No source that is turned on has this track.', 'nothing_found')
      return open(found, signal, isFresh)
    },
    close: () => undefined,
  }
}

function toTrackInfo(
  { id, title, artist, lengthMs, url, artworkUrl, isrc }: LinkedSong,
  sourceName: string,
): TrackInfo {
  return {
    title: normalizeTitle(title) ?? 'Untitled',
    author: normalizeTitle(artist) ?? 'Unknown artist',
    lengthMs: Math.round(lengthMs),
    identifier: id,
    isStream: false,
    uri: url,
    artworkUrl,
    isrc,
    sourceName,
    probe: null,
  }
}
