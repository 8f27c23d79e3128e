import { SOURCE_NAMES, type SourceName } from '../../../bot/sources/settings.ts'

/** Those that Lavalink and its plug-ins call otherwise than `MUSIC_SOURCES`. Tokens and clients use these names. */
const LAVALINK_NAMES: Partial<Record<SourceName, string>> = { library: 'local', apple: 'applemusic' }

/** What Lavalink, or the plug-in that knows it, calls a source. */
export function lavalinkName(name: SourceName): string {
  return LAVALINK_NAMES[name] ?? name
}

export function isSourceName(name: string): name is SourceName {
  const all: readonly string[] = SOURCE_NAMES
  return all.includes(name)
}
