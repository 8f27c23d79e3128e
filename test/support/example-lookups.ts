import { getVerses, listTranslations, searchScripture } from '../../api/routes/scripture/scripture.ts'
import { roleplay, roleplayActions } from '../../api/routes/roleplay/roleplay.ts'
import {
  getPlatformAvatar,
  getPlatformGame,
  getPlatformGroup,
  getPlatformUser,
} from '../../api/routes/gameplatform/lookups.ts'
import { getBlockPlayer, getBlockServer } from '../../api/routes/blockgame/info.ts'
import { listHolidayCountries, listHolidays } from '../../api/routes/holidays/holidays.ts'
import { lyrics, meaning, recommendations } from '../../api/routes/music/track-metadata.ts'
import { weather } from '../../api/routes/tools/weather.ts'
import { detectLanguage } from '../../api/routes/translation/detect.ts'
import { listLanguages, translate } from '../../api/routes/translation/translate.ts'
import type { Route } from '../../api/http/route.ts'
import type { TrackMetadata } from '../../bot/tracks/track-metadata.ts'
import type { Lookups } from '../../upstream/lookups.ts'

/** Answers what the reference shows, no matter what is asked. */
function exampleOf(route: Route) {
  return async () => structuredClone(route.example.data) as never
}

/** Example answers, for tests that call every route and care for none in particular. */
export const EXAMPLE_UTILITIES: Lookups & { readonly trackMetadata: TrackMetadata } = {
  trackMetadata: {
    lyrics: exampleOf(lyrics),
    meaning: exampleOf(meaning),
    recommendations: exampleOf(recommendations),
  },
  weather: {
    credit: { name: 'Open-Meteo.com', url: 'https://open-meteo.com/' },
    find: exampleOf(weather),
    suggest: async () => [{ name: 'Munich', region: 'Bavaria', country: 'DE' }],
  },
  translation: {
    provider: null,
    translate: exampleOf(translate),
    languages: async () => (listLanguages.example.data as { languages: never }).languages,
  },
  detection: { detect: exampleOf(detectLanguage) },
  holidays: { countries: exampleOf(listHolidayCountries), find: exampleOf(listHolidays) },
  scripture: {
    translations: exampleOf(listTranslations),
    search: exampleOf(searchScripture),
    verses: exampleOf(getVerses),
  },
  blockPlayers: { find: exampleOf(getBlockPlayer) },
  blockServers: { status: exampleOf(getBlockServer) },
  gamePlatform: {
    user: exampleOf(getPlatformUser),
    avatar: exampleOf(getPlatformAvatar),
    group: exampleOf(getPlatformGroup),
    game: exampleOf(getPlatformGame),
  },
  roleplay: { actions: roleplayActions.example.data as never, find: exampleOf(roleplay) },
}
