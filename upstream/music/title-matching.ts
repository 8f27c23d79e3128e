import { squeezeSpaces, truncate } from '../../lib/text.ts'

/** A song as people name it. */
export interface SongName {
  readonly title: string
  readonly artist: string
}

/** A track as a site names it: the author may be a channel or a label, the title may hold anything. */
export interface TrackName {
  readonly title: string
  readonly author: string
}

/** Longer names are cut before anything is looked for in them. */
const NAME_MAX_CHARS = 500
const BRACKETED = /[([{【「][^()[\]{}【】「」]*[)\]}】」]/gu
/** Bracketed words of no use for finding a song; those that tell versions apart stay. */
const NOISE =
  /official|video|audio|lyric|visuali[sz]er|remaster|\bhd\b|\bhq\b|\b4k\b|\bm\/?v\b|live at|prod\.|explicit|colou?r coded|full album/iu
const FEATURED = /[([]?\b(?:ft|feat|featuring)\b\.?\s[^()[\]]*[)\]]?/giu
const DASH = / [-–—] /u
const VERSIONS = [
  'remix',
  'live',
  'cover',
  'karaoke',
  'instrumental',
  'acoustic',
  'nightcore',
  'slowed',
  'sped',
  'reverb',
  '8d',
  'demo',
] as const

/** Possible names of the song, the likeliest first. Never empty. */
export function songNames({ title, author }: TrackName): readonly SongName[] {
  const artist = cleanAuthor(author)
  const whole = cleanTitle(title)
  const [left, ...rest] = whole.split(DASH)
  const right = rest.join(' - ')
  if (!left || !right) return [{ title: whole, artist }]
  // `Artist - Title` as a rule; labels and channels upload it, and some write it the other way round.
  const asWritten = { title: right, artist: left }
  if (folded(left) === folded(artist)) return [asWritten]
  const turned = { title: left, artist: right }
  return folded(right) === folded(artist) ? [turned, asWritten] : [asWritten, { title: whole, artist }, turned]
}

function cleanAuthor(author: string): string {
  const name = bounded(author)
  return (
    name
      .replace(/ - Topic$/iu, '')
      .replace(/(?: ?VEVO| Official)$/u, '')
      .trim() || name
  )
}

function cleanTitle(title: string): string {
  const name = bounded(title)
  const bare = bounded(name.normalize('NFKC'))
    .replaceAll(BRACKETED, (part) => (NOISE.test(part) ? ' ' : part))
    .replaceAll(FEATURED, ' ')
    .replaceAll(/(?:^|\s)#\S+/gu, ' ')
    .replaceAll(/\p{Extended_Pictographic}|\p{Cf}|\ufe0f|["“”„«»]/gu, '')
  return squeezeSpaces(bare) || name
}

function bounded(name: string): string {
  return squeezeSpaces(truncate(name, NAME_MAX_CHARS))
}

/** Text to compare by: lower case, without accents and signs. */
export function folded(text: string): string {
  return words(text).join(' ')
}

function words(text: string): string[] {
  const plain = bounded(text).normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain.match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Share of the words of `wanted` that are in `found`, 0 to 1. */
function covered(wanted: string, found: string): number {
  const there = new Set(words(found))
  const needed = words(wanted)
  // Scripts without spaces and names of signs alone: the text itself.
  if (needed.length === 0) return bounded(found).includes(bounded(wanted)) ? 1 : 0
  return needed.filter((word) => there.has(word)).length / needed.length
}

/** Similarity of two titles, 0 to 1: words that only one of them has count against it. */
export function alike(one: string, other: string): number {
  return Math.min(covered(one, other), covered(other, one))
}

/** Whether two names tell of the same version: no remix for the song, no karaoke for the singer. */
export function sameVersion(one: string, other: string): boolean {
  const [first, second] = [new Set(words(one)), new Set(words(other))]
  return VERSIONS.every((version) => first.has(version) === second.has(version))
}

/** A track that was found, as far as it can be compared. */
export interface Candidate extends TrackName {
  readonly lengthMs: number
  readonly isStream: boolean
  readonly isrc: string | null
}

/** A song to find on another site: its name, and its length and ISRC where they are known. */
export interface WantedTrack extends TrackName {
  readonly lengthMs: number
  readonly isrc: string | null
}

/** The first of several artists: sites list guests in their own ways. */
export function leadArtist(artist: string): string {
  return artist.split(',')[0]?.trim() || artist
}

/** Whether a found track is the wanted song, by title, artist and length. */
export function isSameSong(wanted: WantedTrack, found: Candidate): boolean {
  if (wanted.isrc !== null && wanted.isrc === found.isrc) return true
  if (found.isStream || !sameVersion(wanted.title, found.title)) return false
  const apartMs = Math.abs(wanted.lengthMs - found.lengthMs)
  const areKnown = wanted.lengthMs > 0 && found.lengthMs > 0
  if (areKnown && apartMs > Math.max(7000, wanted.lengthMs * 0.04)) return false
  const all = `${found.title} ${found.author}`
  return songNames(wanted).some(({ title, artist }) => {
    const hasArtist = covered(artist, all) >= 0.5 || covered(leadArtist(artist), all) === 1
    return hasArtist && covered(title, found.title) >= 0.75
  })
}
