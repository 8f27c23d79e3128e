import { fold, squeezeSpaces, truncate } from '../../lib/text.ts'
import { isVersion, mayBeVersion, sameVersionOf } from './song-versions.ts'

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
/** An edition, as a part behind a dash or in brackets: the recording is the same. */
const EDITION =
  /\bre-?master(?:ed)?\b|^(?:(?:radio|single) edit|(?:single|album|original|mono|stereo) version|(?:original|mono|stereo) mix|mono|stereo|deluxe(?: edition)?|bonus track|(?:(?:love |main )?theme )?from ["“'‘].*)$/iu
/** Words that uploads put beside the name of a song. */
const FILLERS: ReadonlySet<string> = new Set(
  (
    'official officiel oficial officielle offizielles offizieller video videoclip clip musikvideo music mv m v pv audio ' +
    'lyric lyrics visualizer visualiser hd hq uhd 4k full song with explicit clean closed captioned remaster remastered ' +
    'new album version single original soundtrack ost prod by mit text letra legendado feat ft featuring'
  ).split(' '),
)
/** Signs between the parts of an upload's title. */
const PART = /\s[-–—~/]+\s|[|()[\]{}【】「」『』〈〉《》（）［］“”"/:]/u
const SPELLINGS: Readonly<Record<string, string>> = {
  pt: 'part',
  pts: 'part',
  parts: 'part',
  one: '1',
  two: '2',
  three: '3',
}
const ARTICLES: ReadonlySet<string> = new Set(['the', 'and', 'a', 'y', 'et', 'und'])

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
  // Catalogues put the version behind a dash.
  if (isVersion(folded(right))) return [{ title: whole, artist }]
  if (mayBeVersion(folded(right))) return [{ title: whole, artist }, asWritten]
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
  const bare = bounded(withoutEdition(name).normalize('NFKC'))
    .replaceAll(BRACKETED, (part) => (NOISE.test(part) || EDITION.test(part.slice(1, -1)) ? ' ' : part))
    .replaceAll(FEATURED, ' ')
    .replaceAll(/(?:^|\s)#\S+/gu, ' ')
    .replaceAll(/\p{Extended_Pictographic}|\p{Cf}|\ufe0f|["“”„«»]/gu, '')
  return squeezeSpaces(bare) || name
}

/** Without the editions at its end: `Song - 2011 Remaster`. */
function withoutEdition(title: string): string {
  const parts = title.split(DASH)
  while (parts.length > 1 && EDITION.test(parts.at(-1)?.trim() ?? '')) parts.pop()
  return parts.join(' - ')
}

function bounded(name: string): string {
  return squeezeSpaces(truncate(name, NAME_MAX_CHARS))
}

/** Text to compare by: lower case, without accents and signs. */
export function folded(text: string): string {
  return words(text).join(' ')
}

function words(text: string): string[] {
  return fold(bounded(text)).match(/[\p{L}\p{N}]+/gu) ?? []
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

/** Whether two titles tell of the same version: no remix for the song, no karaoke for the singer. */
export function sameVersion(one: string, other: string): boolean {
  return sameVersionOf(versionText(one, ''), versionText(other, ''), '')
}

function versionText(title: string, author: string) {
  const parts = bounded(title)
    .split(PART)
    .filter((part) => !EDITION.test(part.trim()))
  return { title: folded(title), parts: parts.map(folded), raw: bounded(title), author: folded(author) }
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
  if (found.isStream) return false
  const apartMs = Math.abs(wanted.lengthMs - found.lengthMs)
  const areKnown = wanted.lengthMs > 0 && found.lengthMs > 0
  if (areKnown && apartMs > Math.max(7000, wanted.lengthMs * 0.04)) return false
  return songNames(wanted).some((song) => isNamed(song, wanted, found))
}

/** Whether a track that was found by the ISRC of the wanted one is that recording, under any title. */
export function isSameRecording(wanted: WantedTrack, found: Candidate): boolean {
  const isAsLong = found.lengthMs > 0 && Math.abs(wanted.lengthMs - found.lengthMs) <= 2000
  if (!isAsLong || found.isStream || !sameVersion(wanted.title, found.title)) return false
  return hasArtist(wanted.author, found)
}

function isNamed({ title, artist }: SongName, wanted: WantedTrack, found: Candidate): boolean {
  const [core = ''] = title.replaceAll(BRACKETED, ' ').split(DASH)
  const asWanted = versionText(wanted.title, wanted.author)
  const isVersionSame = sameVersionOf(asWanted, versionText(found.title, found.author), folded(core))
  return isVersionSame && hasArtist(artist, found) && hasTitle(title, artist, found)
}

/** Whether one of the artists is named whole, in the title or as the channel. */
function hasArtist(artist: string, { title, author }: Candidate): boolean {
  const all = `${title} ${author}`
  const there = new Set(words(all))
  return [artist, ...artist.split(/[,&]|\sx\s/u)].some((one) => {
    const needed = words(one).filter((word) => !ARTICLES.has(word))
    if (needed.length === 0) return one.trim() !== '' && bounded(all).includes(bounded(one))
    const named = needed.filter((word) => there.has(word)).length / needed.length
    // Channels write names in one word, and names with signs in their own way.
    return named >= (needed.length > 2 ? 2 / 3 : 1) || squeezed(all).includes(squeezed(one))
  })
}

/** Whether a part of the found title is the wanted one, with few further words. */
function hasTitle(title: string, artist: string, found: Candidate): boolean {
  const needed = spelled(title)
  if (needed.length === 0) return bounded(found.title).includes(bounded(title))
  const beside = new Set([...spelled(artist), ...spelled(found.author)].filter((word) => !needed.includes(word)))
  return [...bounded(found.title.normalize('NFKC')).split(PART), found.title].some((part) => {
    const there = spelled(part.replaceAll(FEATURED, ' ')).filter((word) => !beside.has(word))
    const covering = needed.filter((word) => there.includes(word)).length / needed.length
    const further = there.filter((word) => !needed.includes(word) && !isFiller(word) && sharesScript(word, title))
    return covering >= 0.75 && further.length < needed.length && samePart(needed, there)
  })
}

function numbersOf(all: readonly string[]): string {
  return all.filter((word) => /^\d+$/.test(word)).join(' ')
}

/** Part 2 is not part 1. */
function samePart(needed: readonly string[], there: readonly string[]): boolean {
  return !needed.includes('part') || !there.includes('part') || numbersOf(needed) === numbersOf(there)
}

function isFiller(word: string): boolean {
  return FILLERS.has(word) || /^(?:19|20)\d\d$/.test(word)
}

/** A translation in another script says nothing about the title. */
function sharesScript(word: string, title: string): boolean {
  if (/^\p{N}+$/u.test(word)) return true
  return /\p{Script=Latin}/u.test(word) ? /\p{Script=Latin}/u.test(title) : /(?!\p{Script=Latin})\p{L}/u.test(title)
}

function spelled(text: string): string[] {
  return words(text).map((word) => SPELLINGS[word] ?? word)
}

/** Letters and digits alone, with the signs that names have in place of letters: P!nk, Ke$ha, A$AP. */
function squeezed(text: string): string {
  return words(text.replaceAll('$', 's').replaceAll('!', 'i')).join('')
}
