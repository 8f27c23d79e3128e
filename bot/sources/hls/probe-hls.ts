import { Fault, unplayable } from '../../../lib/errors.ts'
import { readPage } from '../../../upstream/music/page.ts'
import { HlsProtectedError } from './hls-keys.ts'
import { LIVE_PLAYLIST_MAX, PLAYLIST_MAX, readHls, type HlsMedia, type HlsPlaylist } from './hls-playlist.ts'
import { HlsVariableError, type HlsVariables } from './hls-variables.ts'
import type { Probed, ProbeOptions } from '../http/probed.ts'
import { refuseStatus } from '../http/http-status.ts'
import { decodedPath, decodeText, titleOfFile } from '../http/text.ts'

interface HlsProbe extends ProbeOptions {
  /** The URL as the caller wrote it, and the one that it led to. */
  readonly url: string
  readonly at: URL
  /** The beginning of what is there, which is often all of it. */
  readonly head: Buffer
}

/** Bytes read at once while the type of the content is unknown. */
const HEAD_BYTES = 65_536
/** Maximum variants to try, the best one first. */
const VARIANTS_TRIED = 3
/** File names that packagers give to every playlist. */
const NAMELESS =
  /^(?:index|master|playlist|chunklist|manifest|main|prog_index|stream|live|hls|audio|media|variant)(?:_.*)?$/i

/** Chooses the rendition that is heard, and finds out how long it is. @throws {Fault} when there is none. */
export async function probeHls(options: HlsProbe): Promise<Probed> {
  const { url, at, head } = options
  const whole = head.length < HEAD_BYTES ? readText(decodeText(head), at) : await fetchPlaylist(url, options)
  if (whole === null) throw unplayable(`The HLS playlist of ${at.host} is empty.`)
  if (whole.kind === 'media') return toProbed(url, { hlsUrl: url }, whole)
  const { variables } = whole
  const hasAny = Object.keys(variables).length > 0
  let failure: unknown = null
  for (const variant of whole.variants.slice(0, VARIANTS_TRIED)) {
    try {
      const media = await fetchPlaylist(variant, options, variables)
      if (media?.kind === 'media')
        return toProbed(url, { hlsUrl: variant, ...(hasAny && { hlsVariables: variables }) }, media)
    } catch (error) {
      options.signal.throwIfAborted()
      failure ??= error
    }
  }
  throw failure instanceof Fault ? failure : unplayable(`The HLS playlists of ${at.host} are empty.`)
}

async function fetchPlaylist(url: string, { egress, signal }: ProbeOptions, variables: HlsVariables = {}) {
  const name = URL.parse(url)?.host ?? 'The host'
  const page = await readPage(url, { egress, signal, name, maxBytes: PLAYLIST_MAX })
  refuseStatus(page)
  return readText(page.text, page.url, variables)
}

function readText(text: string, at: URL, variables: HlsVariables = {}): HlsPlaylist | null {
  try {
    const playlist = readHls(text, at, variables)
    if (playlist?.kind !== 'media' || playlist.isEnded || text.length <= LIVE_PLAYLIST_MAX) return playlist
    throw unplayable(`${at.host} sends a live playlist of more than ${LIVE_PLAYLIST_MAX / 1024} KiB.`)
  } catch (error) {
    if (error instanceof HlsVariableError) throw unplayable(`The HLS playlist of ${at.host} ${error.message}.`)
    if (!(error instanceof HlsProtectedError)) throw error
    throw unplayable(`${at.host} protects this stream: ${error.message}.`)
  }
}

interface Found {
  readonly hlsUrl: string
  readonly hlsVariables?: HlsVariables
}

function toProbed(url: string, found: Found, { isEnded, lengthMs }: HlsMedia): Probed {
  const isMaster = found.hlsUrl !== url
  const facts = { title: null, artist: null, genre: null, isrc: null, codec: 'other' as const }
  const place = { album: null, albumArtist: null, discNumber: null, trackNumber: null, hasPicture: false }
  return {
    kind: 'audio',
    // Probe names of lavaplayer.
    facts: { ...facts, ...place, lengthMs: isEnded ? lengthMs : 0, probe: `m3u|hls-${isMaster ? 'outer' : 'inner'}` },
    isStream: !isEnded,
    name: nameIn(url),
    ...found,
  }
}

/** The first part of the path, from its end, that says something. */
function nameIn(url: string): string | null {
  const { pathname, host } = new URL(url)
  const parts = pathname.split('/').toReversed()
  const names = parts.flatMap((part) => titleOfFile(decodedPath(part).replace(/\.smil$/i, '')) ?? [])
  return names.find((name) => !NAMELESS.test(name.replaceAll(' ', '_'))) ?? host
}
