import { unprocessable } from '../../errors.ts'
import type { RadioBrowser, Station } from '../../upstream/music/radio-browser.ts'
import type { TrackInfo } from '../track.ts'
import type { Source } from './source.ts'
import { tidy } from './words.ts'

export interface RadioSourceOptions {
  readonly directory: RadioBrowser
  /** Opens the address that the directory gives. */
  readonly web: Source
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Internet radios by name. */
export function createRadioSource({ directory, web }: RadioSourceOptions): Source {
  return {
    name: 'radio',
    sourceName: 'radio',
    claims: () => false,
    resolve: async () => {
      throw unprocessable('body.query', 'Stations are searched by name, not by URL.')
    },
    search: async (text, limit) => (await directory.search(text, limit)).map(toTrackInfo),
    // Stations move: the directory knows where they are now, and counts who listens.
    open: async ({ identifier }, signal) => {
      const address = UUID.test(identifier) ? await directory.addressOf(identifier) : null
      if (!address) {
        throw unprocessable('body.track.encoded', 'The radio directory does not have this station any more.')
      }
      const { tracks } = await web.resolve(new URL(address), signal)
      const [stream] = tracks
      if (!stream) throw unprocessable('body.track.encoded', 'This station sends nothing now.')
      return web.open(stream, signal)
    },
    close: () => undefined,
  }
}

function toTrackInfo({ stationuuid, name, url_resolved, homepage, favicon, country }: Station): TrackInfo {
  return {
    title: tidy(name) ?? 'Radio',
    author: tidy(country) ?? 'Radio',
    lengthMs: 0,
    identifier: stationuuid,
    isStream: true,
    uri: webAddress(homepage) ?? url_resolved,
    artworkUrl: webAddress(favicon ?? ''),
    isrc: null,
    sourceName: 'radio',
    probe: null,
  }
}

function webAddress(text: string): string | null {
  const url = URL.parse(text)
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : null
}
