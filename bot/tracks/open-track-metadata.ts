import { createDeezer } from '../../upstream/music/deezer.ts'
import { createLyrics } from '../../upstream/music/lyrics.ts'
import { createMeaning } from '../../upstream/music/meaning.ts'
import { createSimilar } from '../../upstream/music/recommendations.ts'
import { createTrackMetadata, type TrackMetadataOptions } from './track-metadata.ts'
import type { Outside } from '../sources/remote-sources.ts'

interface OpenTrackMetadataOptions extends Pick<TrackMetadataOptions, 'music' | 'sources' | 'log'> {
  readonly outside: Omit<Outside, 'egress'>
}

/** Creates the track metadata from the providers that are configured. */
export function openTrackMetadata({
  outside,
  ...own
}: OpenTrackMetadataOptions): ReturnType<typeof createTrackMetadata> {
  const { context, places, timeoutMs, cacheMax } = outside
  const deezer = createDeezer(context, { ...places.deezer, timeoutMs })
  return createTrackMetadata({
    ...own,
    findLyrics: createLyrics(context, { ...places.lyrics, cacheMax }),
    findMeaning: createMeaning(context, { ...places, timeoutMs, cacheMax }),
    similar: createSimilar(context, { ...places, deezer, timeoutMs }),
  })
}
