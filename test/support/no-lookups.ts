import type { TrackMetadata } from '../../bot/tracks/track-metadata.ts'
import type { Lookups } from '../../upstream/lookups.ts'

/** Throws on any lookup, for tests that make none. */
function absent(name: string): never {
  return new Proxy(
    {},
    {
      get() {
        throw new Error(`${name} was not given to this test.`)
      },
    },
  ) as never
}

export const NO_UTILITIES: Lookups & { readonly trackMetadata: TrackMetadata } = {
  trackMetadata: absent('trackMetadata'),
  weather: absent('weather'),
  translation: absent('translation'),
  detection: absent('detection'),
  holidays: absent('holidays'),
  scripture: absent('scripture'),
  blockPlayers: absent('blockPlayers'),
  blockServers: absent('blockServers'),
  gamePlatform: absent('gamePlatform'),
  roleplay: absent('roleplay'),
}
