import type { SourceName } from './settings.ts'

/** Whose links people share, so that one to a source that is switched off can be told from a web page. */
const KNOWN: readonly (readonly [name: SourceName, site: string, hosts: RegExp])[] = [
  ['youtube', 'YouTube', /^(?:(?:www|m|music)\.)?youtube\.com$|^youtu\.be$|^(?:www\.)?youtube-nocookie\.com$/],
  ['soundcloud', 'SoundCloud', /^(?:(?:www|m|on)\.)?soundcloud\.com$/],
  ['bandcamp', 'Bandcamp', /^(?:.+\.)?bandcamp\.com$/],
  ['spotify', 'Spotify', /^(?:open|play)\.spotify\.com$|^spotify\.link$/],
  ['deezer', 'Deezer', /^(?:www\.)?deezer\.com$|^link\.deezer\.com$|^deezer\.page\.link$/],
  ['apple', 'Apple Music', /^(?:(?:geo\.)?music|itunes)\.apple\.com$/],
]

/** The source that a link belongs to, where it is one of those that people know. */
export function knownSource({ hostname }: URL): { readonly name: SourceName; readonly site: string } | null {
  const [name, site] = KNOWN.find(([, , hosts]) => hosts.test(hostname)) ?? []
  return name && site ? { name, site } : null
}
