import { unplayable } from '../../../lib/errors.ts'
import type { Bandcamp, BandcampTrack } from './bandcamp-client.ts'
import type { TrackInfo } from '../../tracks/track.ts'
import type { Source } from '../source.ts'
import { normalizeTitle } from '../http/text.ts'

const NO_PAGE =
  'The track token names Bandcamp as its source, but no Bandcamp page. Send the unchanged token from a search.'

/** Tracks and albums of Bandcamp, where those who made them let everybody listen. */
export function createBandcampSource(bandcamp: Bandcamp): Source {
  return {
    name: 'bandcamp',
    sourceName: 'bandcamp',
    claims: (url) => bandcamp.claims(url),
    resolve: async (url, signal) => {
      const page = await bandcamp.page(plain(url), signal)
      if (!page) throw unplayable('This Bandcamp page has no track or album.', 'nothing_found')
      const tracks = page.tracks.filter(({ streamUrl }) => streamUrl !== null).map(toTrackInfo)
      if (tracks.length === 0) throw unplayable("Bandcamp sells this but doesn't stream it.")
      return { tracks, playlist: page.tracks.length > 1 ? (normalizeTitle(page.title) ?? 'Bandcamp') : null }
    },
    search: async (text, limit) => (await bandcamp.search(text, limit)).map(toTrackInfo),
    open: async ({ identifier }, signal) => {
      const url = URL.parse(identifier)
      // Tokens are input: nothing but a page of Bandcamp is read.
      if (!url || !bandcamp.claims(url)) throw unplayable(NO_PAGE)
      const page = await bandcamp.page(plain(url), signal)
      const track = page?.tracks.find((it) => new URL(it.url).pathname === url.pathname) ?? page?.tracks[0]
      if (!track?.streamUrl) throw unplayable('Bandcamp no longer streams this track.')
      return { kind: 'http', url: track.streamUrl, codec: 'other', isStream: false }
    },
    close: () => undefined,
  }
}

function plain(url: URL): string {
  return new URL(url.pathname, url).href
}

function toTrackInfo({ title, artist, lengthMs, url, artworkUrl }: BandcampTrack): TrackInfo {
  return {
    title: normalizeTitle(title) ?? 'Untitled',
    author: normalizeTitle(artist) ?? 'Unknown artist',
    lengthMs,
    identifier: url,
    isStream: false,
    uri: url,
    artworkUrl,
    isrc: null,
    sourceName: 'bandcamp',
    probe: null,
  }
}
