import type { Track } from '../../tracks/track.ts'
import { plain } from '../core/embed-format.ts'

const LONGEST_TITLE = 80
/** Ten of them fit into the description of an embed. */
const LONGEST_LINK = 250

/** A track in a sentence: its title, linked if it has a URL. */
export function nameTrack({ title, uri }: Pick<Track, 'title' | 'uri'>): string {
  const shown = plain(title, LONGEST_TITLE).replaceAll(/[[\]]/gu, String.raw`\$&`)
  return isLink(uri) ? `**[${shown}](<${uri}>)**` : `**${shown}**`
}

/** The link of an embed's title to a track. */
export function linkTo(track: Pick<Track, 'uri'> | null): { readonly url?: string } {
  return track !== null && isLink(track.uri) ? { url: track.uri } : {}
}

function isLink(uri: string | null): uri is string {
  return uri !== null && uri.length <= LONGEST_LINK && /^https?:\/\/[^\s()<>]+$/u.test(uri)
}

/** `3:07`, or `1:03:07`. */
export function showTime(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const hours = Math.floor(seconds / 3600)
  const minutes = Math.floor(seconds / 60)
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`
}

function two(value: number): string {
  return String(value % 60).padStart(2, '0')
}

/** Reads `83`, `1:23` and `1:02:03`. @returns milliseconds, or null. */
export function readTime(text: string): number | null {
  if (!/^\d{1,5}(:[0-5]?\d){0,2}$/u.test(text.trim())) return null
  return text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) * 1000
}
