import type { CoverUrlOf } from '../covers/cover-addresses.ts'
import type { UpstreamContext } from '../../upstream/http/client.ts'
import type { Egress } from '../../upstream/egress/egress-guard.ts'
import { createBandcamp } from './bandcamp/bandcamp-client.ts'
import { createDeezer } from '../../upstream/music/deezer.ts'
import { createAppleLinks } from './links/apple-links.ts'
import { createDeezerLinks } from './links/deezer-links.ts'
import { createSpotifyApi, type SpotifyApi } from './links/spotify-api.ts'
import { createSpotifyLinks } from './links/spotify-links.ts'
import { createRadioBrowser } from './radio/radio-browser.ts'
import { SOURCE_FACTS, type MusicSettings, type SourceName } from './settings.ts'
import { withinBudget } from './site-budget.ts'
import { createSoundCloud } from './soundcloud/soundcloud-client.ts'
import { createChannelFinder } from './youtube/channel.ts'
import { createYouTube } from './youtube/youtube-client.ts'
import { createBandcampSource } from './bandcamp/bandcamp.ts'
import { createJellyfinSource } from './jellyfin/jellyfin.ts'
import { createJellyfin } from './jellyfin/jellyfin-client.ts'
import { createLinksSource, type LinksOptions } from './links/links.ts'
import { createPodcastSource } from './podcast/podcast.ts'
import { createPodcastDirectory } from './podcast/podcast-directory.ts'
import type { Reader } from './library/reader.ts'
import { createRadioSource } from './radio/radio.ts'
import { createSoundCloudSource } from './soundcloud/soundcloud.ts'
import type { Source } from './source.ts'
import { createSubsonicSource } from './subsonic/subsonic.ts'
import { createSubsonic } from './subsonic/subsonic-client.ts'
import { createYouTubeSource } from './youtube/youtube.ts'

/** Dependencies of sources that ask services on the internet. */
export interface Outside {
  readonly context: UpstreamContext
  /** Access to pages and streams, whose addresses others choose. */
  readonly egress: Egress
  readonly places: MusicSettings
  /** Time limit of one call to a service. */
  readonly timeoutMs: number
  readonly cacheMax: number
}

/** Dependencies of sources that lead to others. */
export interface OutsideMeans extends Pick<LinksOptions, 'mirror' | 'open'> {
  readonly reader: Reader
  /** Opens any address. */
  readonly web: Source
  /** Hosts that URLs can reach even at private addresses. */
  readonly allowHosts: readonly string[]
  /** Public addresses of covers that only we can fetch. */
  readonly coverUrlOf: CoverUrlOf
}

type OutsideName = Exclude<SourceName, 'library' | 'http'>

/** Sites of songs are asked within a budget; YouTube's own is in its client, which knows what it has asked before. */
export function createOutsideSource(name: OutsideName, outside: Outside, means: OutsideMeans): Source {
  const source = openOutsideSource(name, outside, means)
  const { isOperators, hosts } = SOURCE_FACTS[name]
  const isSite = hosts !== undefined && !isOperators && name !== 'youtube' && name !== 'podcast'
  return isSite ? withinBudget(source, outside.context.now) : source
}

function openOutsideSource(name: OutsideName, outside: Outside, means: OutsideMeans): Source {
  const { context, egress, places, timeoutMs, cacheMax } = outside
  const { allowHosts } = means
  switch (name) {
    case 'soundcloud': {
      const soundCloud = createSoundCloud(context, { ...places.soundCloud, egress, timeoutMs })
      return createSoundCloudSource(soundCloud, places.soundCloud.webUrl, egress)
    }
    case 'youtube': {
      const youTube = createYouTube(context, { ...places.youTube, allowHosts, cacheMax })
      const findChannel = createChannelFinder({ egress, baseUrl: places.youTube.baseUrl })
      return createYouTubeSource(youTube, { web: means.web, findChannel })
    }
    case 'bandcamp':
      return createBandcampSource(createBandcamp(context, { egress, timeoutMs, ...places.bandcamp }))
    case 'radio':
      return createRadioSource(createRadioBrowser(context, { ...places.radioBrowser, timeoutMs, cacheMax }), means.web)
    case 'subsonic':
      return createSubsonicSource(createSubsonic(context, { ...places.subsonic, egress, timeoutMs }), means.coverUrlOf)
    case 'jellyfin':
      return createJellyfinSource(createJellyfin(context, { ...places.jellyfin, egress, timeoutMs }), means.coverUrlOf)
    case 'podcast': {
      const directory = createPodcastDirectory(context, { ...places.podcasts, timeoutMs, cacheMax })
      return createPodcastSource(directory, means.reader, means.web, egress)
    }
    case 'spotify':
      return createLinksSource({
        ...means,
        site: createSpotifyLinks({ egress, ...places.spotify, api: spotifyApi(outside) }),
      })
    case 'deezer': {
      const deezer = createDeezer(context, { ...places.deezer, timeoutMs })
      return createLinksSource({ ...means, site: createDeezerLinks(deezer, egress) })
    }
    case 'apple':
      return createLinksSource({ ...means, site: createAppleLinks(context, { ...places.apple, egress, timeoutMs }) })
  }
}

/** Null where the operator has no app at Spotify. */
function spotifyApi({ context, places, timeoutMs }: Outside): SpotifyApi | null {
  const { clientId, clientSecret, ...addresses } = places.spotify
  if (clientId === null || clientSecret === null) return null
  return createSpotifyApi(context, { ...addresses, clientId, clientSecret, timeoutMs })
}
