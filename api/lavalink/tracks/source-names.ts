import { SOURCE_NAMES, type SourceName } from '../../../bot/sources/settings.ts'

/** Names in Lavalink and its plug-ins that differ from `MUSIC_SOURCES`. Tokens and clients use these names. */
const LAVALINK_NAMES: Partial<Record<SourceName, string>> = { library: 'local', apple: 'applemusic' }

/** The name of a source in Lavalink, or in the plug-in that knows it. */
export function lavalinkName(name: SourceName): string {
  return LAVALINK_NAMES[name] ?? name
}

export function isSourceName(name: string): name is SourceName {
  const all: readonly string[] = SOURCE_NAMES
  return all.includes(name)
}
