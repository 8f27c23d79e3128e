import type { Knowledge } from '../../bot/knowledge.ts'
import type { Utilities } from '../../upstream/utilities.ts'

/** For tests that look nothing up: whoever does is told. */
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

export const NO_UTILITIES: Utilities & { readonly knowledge: Knowledge } = {
  knowledge: absent('knowledge'),
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
