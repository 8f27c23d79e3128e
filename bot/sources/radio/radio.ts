import { Fault, unplayable } from '../../../lib/errors.ts'
import type { RadioBrowser, Station, StationRequest } from './radio-browser.ts'
import type { TrackInfo } from '../../tracks/track.ts'
import type { Source } from '../source.ts'
import { normalizeTitle } from '../http/text.ts'

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * Internet radios by name.
 * @param web opens the address that the directory gives.
 */
export function createRadioSource(directory: RadioBrowser, web: Source): Source {
  return {
    name: 'radio',
    sourceName: 'radio',
    claims: () => false,
    resolve: async () => {
      throw unplayable('Search stations by name, not by URL.')
    },
    search: async (text, limit) => (await stationsFor(text, limit, directory)).map(toTrackInfo),
    // Stations move: the directory knows where they are now, and counts who listens.
    open: async ({ identifier }, signal, isFresh) => {
      const address = UUID.test(identifier) ? await directory.addressOf(identifier) : null
      if (!address) {
        throw unplayable('The radio directory no longer has this station.', 'nothing_found')
      }
      try {
        const { tracks } = await web.resolve(new URL(address), signal)
        const [stream] = tracks
        if (stream) return await web.open(stream, signal, isFresh)
      } catch (error) {
        throw error instanceof Fault ? silentNow(error) : error
      }
      throw unplayable('This station is off the air.')
    },
    close: () => undefined,
  }
}

/**
 * Parses a query such as `tag:jazz country:DE language:german harbour`. Its filters may stand in any order and, quoted,
 * hold spaces. Anything else is part of the name.
 */
function parseStationQuery(text: string): StationRequest {
  const wish: Record<string, string> = {}
  const name = text.replaceAll(
    /(?:^|\s)(tag|genre|country|language|lang):(?:"([^"]*)"|(\S+))/gi,
    (_, key, quoted, plain) => {
      const part = { genre: 'tag', lang: 'language' }[String(key).toLowerCase()] ?? String(key).toLowerCase()
      wish[part] = String(quoted ?? plain).trim()
      return ' '
    },
  )
  const words = name.replaceAll(/\s+/g, ' ').trim()
  return words === '' ? wish : { ...wish, name: words }
}

/** Searches by name first; if few stations have it, also takes it as a tag. */
async function stationsFor(text: string, limit: number, directory: RadioBrowser): Promise<readonly Station[]> {
  const wish = parseStationQuery(text)
  if (Object.values(wish).every((part) => part === '')) return []
  const named = await directory.search(wish, limit)
  if (named.length >= limit || wish.name === undefined || wish.tag !== undefined) return named
  const { name, ...rest } = wish
  // Matches by name outweigh the failure of the search by tag.
  const sending = await directory.search({ ...rest, tag: name }, limit).catch((error: unknown) => {
    if (named.length === 0) throw error
    return []
  })
  const isNew = (it: Station) => !named.some(({ url_resolved: url }) => url === it.url_resolved)
  return [...named, ...sending.filter(isNew)].slice(0, limit)
}

/** The same reason, about what the caller knows: a station, not the address that it has today. */
function silentNow({ code, message, reason }: Fault): Fault {
  const why = reason === 'address_refused' ? reason : 'unreachable'
  return new Fault(code, `This station is unavailable: ${message}`, { reason: why })
}

function toTrackInfo({ stationuuid, name, url_resolved, homepage, favicon, country }: Station): TrackInfo {
  return {
    title: normalizeTitle(name) ?? 'Radio',
    author: normalizeTitle(country) ?? 'Radio',
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
