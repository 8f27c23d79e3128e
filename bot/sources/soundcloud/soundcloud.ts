import { unplayable } from '../../../lib/errors.ts'
import type { Egress } from '../../../upstream/egress/egress-guard.ts'
import type { SoundCloud, SoundCloudTrack } from './soundcloud-client.ts'
import type { TrackInfo } from '../../tracks/track.ts'
import type { Found, Source } from '../source.ts'
import { normalizeTitle } from '../http/text.ts'

const HOSTS = new Set(['soundcloud.com', 'www.soundcloud.com', 'm.soundcloud.com', 'on.soundcloud.com'])

export function createSoundCloudSource(soundCloud: SoundCloud, webUrl: string, egress: Egress): Source {
  const webHost = new URL(webUrl).host

  async function resolve(url: URL, signal: AbortSignal): Promise<Found> {
    const page = url.host === 'on.soundcloud.com' ? await behindShortLink(url, egress, signal) : url
    const found = await soundCloud.resolve(plain(page))
    if (!found) throw unplayable('SoundCloud has nothing at this URL.', 'nothing_found')
    if (found.kind === 'user') {
      throw unplayable("This is a user's page. Send the URL of a track or playlist.")
    }
    if (found.kind === 'playlist') {
      const tracks = found.tracks.filter((track) => !whyNot(track)).map(toTrackInfo)
      const { title, total } = found
      if (tracks.length > 0) return { tracks, playlist: normalizeTitle(title) ?? 'SoundCloud', total }
      throw unplayable('This playlist has no playable track.')
    }
    refuse(found.track)
    return { tracks: [toTrackInfo(found.track)], playlist: null }
  }

  return {
    name: 'soundcloud',
    sourceName: 'soundcloud',
    claims: ({ host }) => HOSTS.has(host) || host === webHost,
    resolve,
    search: async (text, limit) => usable(await soundCloud.search(text, limit)),
    related: async ({ identifier }, limit) => {
      const id = idOf(identifier)
      return id === null ? [] : usable(await soundCloud.related(id, limit))
    },
    open: async ({ identifier }) => {
      const id = idOf(identifier)
      const track = id === null ? null : await soundCloud.track(id)
      if (!track) throw unplayable('SoundCloud no longer has this track.', 'nothing_found')
      refuse(track)
      const stream = await soundCloud.streamOf(track)
      if (!stream) throw unplayable('SoundCloud provides this track in no playable format.')
      const { url, form } = stream
      return { kind: form === 'hls' ? 'hls' : 'http', url, codec: 'other', isStream: false }
    },
    close: () => undefined,
  }
}

/** Tokens are input: only a number goes into a path of the API. */
function idOf(identifier: string): number | null {
  return /^[1-9]\d{0,14}$/.test(identifier) ? Number(identifier) : null
}

/** Short links redirect to the page, with a trail of who shared it. */
async function behindShortLink(url: URL, egress: Egress, signal: AbortSignal): Promise<URL> {
  const answer = await egress.open(url.href, { signal })
  answer.body.destroy()
  if (HOSTS.has(answer.url.host)) return answer.url
  throw unplayable("This short link doesn't lead to SoundCloud.")
}

/** The address as the API knows it, without parameters that say where a link was found. */
function plain(url: URL): string {
  const page = new URL(url.pathname, url)
  if (/^(?:www|m)\.soundcloud\.com$/.test(page.host)) page.host = 'soundcloud.com'
  return page.href
}

function usable(tracks: readonly SoundCloudTrack[]): readonly TrackInfo[] {
  return tracks.filter((track) => !whyNot(track)).map(toTrackInfo)
}

function refuse(track: SoundCloudTrack): void {
  const why = whyNot(track)
  if (why) throw unplayable(why, track.policy === 'BLOCK' ? 'region' : 'unplayable')
}

/** A preview of 30 seconds is reported with the length of the whole track: so it is recognised by its URL. */
function whyNot({ policy }: SoundCloudTrack): string | null {
  if (policy === 'BLOCK') return 'SoundCloud blocks this track in this country.'
  return policy === 'SNIP' ? 'SoundCloud provides only a preview of this track.' : null
}

function toTrackInfo(track: SoundCloudTrack): TrackInfo {
  const artwork = track.artwork_url ?? track.user.avatar_url ?? null
  return {
    title: normalizeTitle(track.title) ?? 'Untitled',
    author: normalizeTitle(track.user.username) ?? 'Unknown artist',
    lengthMs: Math.round(track.full_duration ?? track.duration),
    identifier: String(track.id),
    isStream: false,
    uri: track.permalink_url,
    artworkUrl: artwork?.replace(/-large(\.\w+)$/, '-t500x500$1') ?? null,
    isrc: normalizeTitle(track.publisher_metadata?.isrc),
    sourceName: 'soundcloud',
    probe: null,
  }
}
