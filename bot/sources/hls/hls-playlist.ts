import { parseHlsAttributes, parseHlsTag, resolveHlsUri, type HlsAttributes } from './hls-attributes.ts'
import { HlsKeyTable, type HlsKey } from './hls-keys.ts'
import { HlsVariableTable, type HlsVariables } from './hls-variables.ts'
import { playlistLines } from '../playlists/playlist-entries.ts'

/**
 * A parsed `.m3u8` (RFC 8216): a master playlist lists renditions of the same sound, a media playlist its segments. It
 * is input: URLs are absolute and http(s), but not checked by the egress guard.
 */
export type HlsPlaylist =
  | {
      readonly kind: 'master'
      /** Media playlists, the best one for listening first: sound alone before sound with pictures. */
      readonly variants: readonly string[]
      /** Variables for the media playlists to import. */
      readonly variables: HlsVariables
    }
  | HlsMedia

export interface HlsMedia {
  readonly kind: 'media'
  readonly segments: readonly HlsSegment[]
  /** Shortest time between two changes of a live playlist. */
  readonly targetMs: number
  /** Nothing will be added: it is not live, or is over. */
  readonly isEnded: boolean
  readonly lengthMs: number
  /** One decoder can read all segments in a row. */
  readonly isOneFile: boolean
}

export interface HlsSegment {
  /** Counts up by one; the same in each version of a live playlist. */
  readonly sequence: number
  readonly url: string
  /** Byte range within the file; null is the whole file. */
  readonly range: HlsRange | null
  readonly durationMs: number
  /** AES-128-CBC key; null without encryption. */
  readonly key: HlsKey | null
  /** Initialization section of fragmented MP4. */
  readonly init: HlsInit | null
  /** Begins another file: another clock, another coding, another initialisation. */
  readonly isDiscontinuous: boolean
}

export interface HlsRange {
  readonly fromByte: number
  readonly bytes: number
}

export interface HlsInit {
  readonly url: string
  readonly range: HlsRange | null
  readonly key: HlsKey | null
}

/** Characters. A live playlist is fetched again every few seconds, a finished one once. */
export const LIVE_PLAYLIST_MAX = 512 * 1024
/** Characters: a day of segments with long addresses. */
export const PLAYLIST_MAX = 8 * 1024 * 1024
/** A live playlist lists minutes, a finished one hours. */
const SEGMENTS_MAX = 20_000
/** Limit for all addresses together: short relative addresses grow by the address of their playlist. */
const ADDRESSES_MAX_CHARS = 8 * 1024 * 1024
/** Maximum variants, and maximum renditions. */
const VARIANTS_MAX = 200
/** More is for pictures, or for studios. */
const AUDIO_BITS_MAX = 400_000
/** HE-AAC. */
const THIN_CODEC = /^mp4a\.40\.(?:5|29)$/i
const AUDIO_CODEC = /^(?:mp4a|ac-3|ec-3|ac-4|opus|flac|alac|mp3|vorbis)/i

/**
 * Reads a playlist that was found at `base`; null when it is none or lists nothing.
 * @param imported the variables of the master playlist that named it.
 * @throws {HlsProtectedError} {HlsVariableError}
 */
export function readHls(text: string, base: URL, imported: HlsVariables = {}): HlsPlaylist | null {
  const variables = new HlsVariableTable(base, imported)
  let isFirst = true
  for (const line of playlistLines(text)) {
    if (isFirst && !line.startsWith('#EXTM3U')) return null
    isFirst = false
    if (line.startsWith('#EXT-X-STREAM-INF:')) return readMaster(variables, text, base)
    if (line.startsWith('#EXTINF:')) return readMedia(variables, text, base)
  }
  return null
}

interface Variant {
  readonly url: string
  readonly bandwidth: number
  readonly codecs: readonly string[]
  readonly hasPicture: boolean
  /** The name of its group of renditions. */
  readonly audio: string
}

interface Rendition {
  readonly group: string
  readonly url: string | null
  readonly isDefault: boolean
}

function readMaster(table: HlsVariableTable, text: string, base: URL): HlsPlaylist | null {
  const renditions: Rendition[] = []
  const variants: Variant[] = []
  let about: HlsAttributes | null = null
  for (const line of table.lines(text)) {
    const { tag, value } = parseHlsTag(line) ?? { tag: '', value: '' }
    if (tag === 'EXT-X-STREAM-INF') about = parseHlsAttributes(value)
    else if (tag === 'EXT-X-MEDIA' && renditions.length < VARIANTS_MAX) {
      renditions.push(...renditionOf(parseHlsAttributes(value), base))
    }
    if (variants.length === VARIANTS_MAX) break
    if (line.startsWith('#') || !about) continue
    variants.push(...variantOf(about, resolveHlsUri(line, base)))
    about = null
  }
  const inOrder = ordered(variants, renditions)
  return inOrder.length === 0 ? null : { kind: 'master', variants: [...new Set(inOrder)], variables: table.all }
}

function renditionOf(about: HlsAttributes, base: URL): Rendition[] {
  if (about.get('TYPE') !== 'AUDIO') return []
  const uri = about.get('URI')
  return [
    {
      group: about.get('GROUP-ID') ?? '',
      url: uri === undefined ? null : resolveHlsUri(uri, base),
      isDefault: about.get('DEFAULT') === 'YES',
    },
  ]
}

function variantOf(about: HlsAttributes, url: string | null): Variant[] {
  if (url === null) return []
  const codecs = (about.get('CODECS') ?? '').split(',').filter((codec) => codec !== '')
  return [
    {
      url,
      bandwidth: Number(about.get('BANDWIDTH')) || 0,
      codecs,
      hasPicture: about.has('RESOLUTION') || !codecs.every(isSound),
      audio: about.get('AUDIO') ?? '',
    },
  ]
}

/** Renditions of sound alone, then variants without pictures, the best first; then those with pictures, the least first. */
function ordered(variants: readonly Variant[], renditions: readonly Rendition[]): string[] {
  const best = variants.toSorted((one, other) => other.bandwidth - one.bandwidth)
  const renditionsOf = ({ audio }: Variant) =>
    renditions
      .filter(({ group }) => audio !== '' && group === audio)
      .toSorted((one, other) => Number(other.isDefault) - Number(one.isDefault))
      .slice(0, 1)
      .flatMap(({ url }) => url ?? [])
  const alone = best.filter(({ hasPicture, codecs }) => !hasPicture && codecs.length > 0)
  const modest = alone.filter(({ bandwidth }) => bandwidth <= AUDIO_BITS_MAX)
  const silent = ({ codecs }: Variant) => codecs.length > 0 && !codecs.some(isSound)
  const others = best.filter((it) => !silent(it)).toReversed()
  // The smallest picture often comes with sound for the smallest line.
  const isThin = ({ codecs }: Variant) => codecs.some((codec) => THIN_CODEC.test(codec.trim()))
  others.sort((one, other) => Number(isThin(one)) - Number(isThin(other)))
  return [...best.flatMap(renditionsOf), ...modest.map(urlOf), ...others.map(urlOf)]
}

const isSound = (codec: string): boolean => AUDIO_CODEC.test(codec.trim())
const urlOf = ({ url }: Variant): string => url

function readMedia(table: HlsVariableTable, text: string, base: URL): HlsMedia | null {
  const segments: HlsSegment[] = []
  const header: Header = { targetMs: 6000, isEnded: false }
  let sequence = 0
  let next = nothingSaid()
  const keys = new HlsKeyTable()
  let init: HlsSegment['init'] = null
  let addressChars = 0
  for (const line of table.lines(text)) {
    const { tag, value } = parseHlsTag(line) ?? { tag: '', value: '' }
    if (tag === 'EXT-X-MEDIA-SEQUENCE') sequence = wholeNumber(value)
    else if (tag === 'EXT-X-KEY') keys.note(parseHlsAttributes(value), base)
    else if (tag === 'EXT-X-MAP') init = initOf(parseHlsAttributes(value), base, keys.inForce(sequence))
    else if (tag !== '') note({ next, header }, tag, value)
    if (line.startsWith('#')) continue
    const url = resolveHlsUri(line, base)
    const before = segments.at(-1)
    const isHeard = url !== null && next.isNamed && !next.isGap
    if (isHeard) {
      const { durationMs } = next
      const range = next.range && rangeFrom(next.range, before?.url === url ? before.range : null)
      const isDiscontinuous = next.isDiscontinuous || (before !== undefined && !isSameInit(before.init, init))
      segments.push({ sequence, url, range, durationMs, key: keys.inForce(sequence), init, isDiscontinuous })
    }
    addressChars += url?.length ?? 0
    if (segments.length === SEGMENTS_MAX || addressChars > ADDRESSES_MAX_CHARS) break
    sequence += 1
    // A segment that is left out may have been the first one of another file.
    next = { ...nothingSaid(), isDiscontinuous: !isHeard && next.isDiscontinuous }
  }
  if (segments.length === 0) return null
  const lengthMs = Math.round(segments.reduce((sum, { durationMs }) => sum + durationMs, 0))
  const isOneFile = !segments.some(({ isDiscontinuous }, at) => at > 0 && isDiscontinuous)
  return { kind: 'media', segments, ...header, lengthMs, isOneFile }
}

/** Tags that apply to the next segment. */
interface Next {
  durationMs: number
  isNamed: boolean
  range: { readonly bytes: number; readonly fromByte: number | null } | null
  isDiscontinuous: boolean
  isGap: boolean
}

interface Header {
  targetMs: number
  isEnded: boolean
}

function nothingSaid(): Next {
  return { durationMs: 0, isNamed: false, range: null, isDiscontinuous: false, isGap: false }
}

function note({ next, header }: { next: Next; header: Header }, tag: string, value: string): void {
  switch (tag) {
    case 'EXTINF': {
      const seconds = Number.parseFloat(value)
      next.isNamed = true
      next.durationMs = seconds > 0 && seconds < 86_400 ? seconds * 1000 : 0
      return
    }
    case 'EXT-X-BYTERANGE': {
      const [, bytes, from] = /^(\d{1,12})(?:@(\d{1,15}))?/.exec(value) ?? []
      if (bytes) next.range = { bytes: Number(bytes), fromByte: from ? Number(from) : null }
      return
    }
    case 'EXT-X-DISCONTINUITY':
      next.isDiscontinuous = true
      return
    case 'EXT-X-GAP':
      next.isGap = true
      return
    case 'EXT-X-TARGETDURATION':
      header.targetMs = Math.min(60, Math.max(1, wholeNumber(value))) * 1000
      return
    case 'EXT-X-ENDLIST':
      header.isEnded = true
      return
    case 'EXT-X-PLAYLIST-TYPE':
      // A VOD playlist never changes, so it has ended, whether or not it says so at its end.
      header.isEnded ||= value === 'VOD'
  }
}

/** A part that names no beginning begins where the previous one it ended. */
function rangeFrom({ bytes, fromByte }: NonNullable<Next['range']>, before: HlsRange | null): HlsRange {
  return { bytes, fromByte: fromByte ?? (before ? before.fromByte + before.bytes : 0) }
}

function initOf(about: HlsAttributes, base: URL, key: HlsKey | null): HlsInit | null {
  const url = resolveHlsUri(about.get('URI') ?? '', base)
  const [, bytes, from] = /^(\d{1,12})(?:@(\d{1,15}))?$/.exec(about.get('BYTERANGE') ?? '') ?? []
  const range = bytes ? { bytes: Number(bytes), fromByte: Number(from ?? 0) } : null
  return url === null ? null : { url, range, key }
}

/** Whether both are the same bytes, whatever number their key is made of. */
export function isSameInit(one: HlsInit | null, other: HlsInit | null): boolean {
  if (one === other || one === null || other === null) return one === other
  const isSameRange = one.range?.fromByte === other.range?.fromByte && one.range?.bytes === other.range?.bytes
  return one.url === other.url && isSameRange
}

function wholeNumber(text: string): number {
  const value = Number(text)
  return Number.isSafeInteger(value) && value >= 0 ? value : 0
}
