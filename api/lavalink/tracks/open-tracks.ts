import { createChapterLookup, type ChapterLookup } from '../../../bot/tracks/chapter-lookup.ts'
import type { Outside } from '../../../bot/sources/remote-sources.ts'
import type { Sources } from '../../../bot/sources/source.ts'
import type { Logger } from '../../../lib/log.ts'
import { createLyrics } from '../../../upstream/music/lyrics.ts'
import { createSponsorBlock, type SponsorBlock } from '../../../upstream/music/sponsorblock.ts'
import { createLoadSearch, type LoadSearch } from '../plugins/load-search.ts'
import { createFindLyrics, type FindLyrics } from '../plugins/lyrics.ts'
import type { InfoObject } from '../protocol/info.ts'
import { createTrackService } from './create-track-service.ts'
import { createNodeInfo } from './node-info.ts'
import type { TrackService } from './track-service.ts'

/** Knowledge of the node about tracks besides their sound: the additions of Lavalink plug-ins. */
export interface TrackKnowledge {
  /** Current version and abilities of the node. */
  readonly info: () => Promise<InfoObject>
  readonly loadSearch: LoadSearch
  readonly findLyrics: FindLyrics
  readonly sponsorBlock: SponsorBlock
  readonly chaptersOf: ChapterLookup
}

interface NodeTracksOptions {
  readonly sources: Sources
  readonly hasAudioLinks?: boolean
  readonly outside: Pick<Outside, 'context' | 'places' | 'timeoutMs' | 'cacheMax'>
  readonly log: Logger
}

interface NodeTracks {
  readonly tracks: TrackService
  readonly knowledge: TrackKnowledge
}

/** Tracks of the service's own sources for the bots of others. */
export function openNodeTracks({ sources, outside, log, hasAudioLinks = false }: NodeTracksOptions): NodeTracks {
  const { context, places, timeoutMs, cacheMax } = outside
  return {
    tracks: createTrackService({ sources, log }),
    knowledge: {
      info: createNodeInfo({ sources, hasAudioLinks }),
      loadSearch: createLoadSearch({ sources }),
      findLyrics: createFindLyrics(createLyrics(context, { ...places.lyrics, cacheMax })),
      sponsorBlock: createSponsorBlock(context, { ...places.sponsorBlock, timeoutMs, cacheMax }),
      chaptersOf: createChapterLookup({ sources, log }),
    },
  }
}
