import type { JsonObject } from '../protocol/track.ts'
import type { LoadResult } from '../protocol/load-result.ts'
import type { FoundTracks } from './find-tracks.ts'
import { toTrackObject } from './track-object.ts'

/** Lists of these say more of themselves, as the plug-in LavaSrc does. */
const CATALOGUES: ReadonlySet<string> = new Set(['spotify', 'deezer', 'applemusic'])

/** @param address of a list, where it has one that people can open */
export function toLoadResult(found: FoundTracks, address: string | null): LoadResult {
  switch (found.kind) {
    case 'track':
      return { loadType: 'track', data: toTrackObject(found.track) }
    case 'search':
      return { loadType: 'search', data: found.tracks.map(toTrackObject) }
    case 'playlist': {
      const { name, tracks, selected: selectedTrack } = found
      const data = { info: { name, selectedTrack }, pluginInfo: listInfo(found, address) }
      return { loadType: 'playlist', data: { ...data, tracks: tracks.map(toTrackObject) } }
    }
    case 'empty':
      return { loadType: 'empty', data: null }
  }
}

/** Lists of which a part was found say how long they are, in the field that LavaSrc has for it. */
function listInfo({ tracks, total }: Extract<FoundTracks, { kind: 'playlist' }>, address: string | null): JsonObject {
  const [first] = tracks
  const totalTracks = Math.max(total ?? 0, tracks.length)
  if (!first || address === null || !CATALOGUES.has(first.sourceName))
    return totalTracks > tracks.length ? { totalTracks } : {}
  const [, type = 'playlist'] = /\/(album|artist)\//.exec(address) ?? []
  const author = type === 'artist' ? first.author : null
  return { type, url: address, artworkUrl: first.artworkUrl, author, totalTracks }
}
