/** Every variable that says where an outside service is. */
export const UPSTREAM_ADDRESSES: readonly string[] = [
  'OPEN_METEO_BASE_URL OPEN_METEO_GEOCODING_URL LIBRETRANSLATE_URL GETBIBLE_URL GETBIBLE_SEARCH_URL',
  'MOJANG_SERVICES_URL MOJANG_API_URL MOJANG_SESSION_URL GEYSER_API_URL OTAKUGIFS_URL PURRBOT_URL',
  'ROBLOX_USERS_URL ROBLOX_THUMBNAILS_URL ROBLOX_GROUPS_URL ROBLOX_GAMES_URL ROBLOX_FRIENDS_URL ROBLOX_APIS_URL',
].flatMap((line) => line.split(' '))

/** What the routes answer that ask them, when no one answers. */
export const WITHOUT_AN_ANSWER: Readonly<Record<string, number>> = {
  '/v1/tools/weather?city=Somebody': 500,
  '/v1/translation/translate?text=Hallo%20Somebody&to=en': 500,
  '/v1/bible/translations': 503,
  '/v1/bible/kjv/search?q=god': 503,
  '/v1/bible/kjv/verses?refs=John%203:16': 503,
  '/v1/blockgame/players/Somebody': 503,
  '/v1/blockgame/players/2535400000000001': 503,
  '/v1/blockgame/textures/Somebody': 503,
  '/v1/gameplatform/users/Somebody': 503,
  '/v1/gameplatform/users/7/avatar': 503,
  '/v1/gameplatform/groups/7': 503,
  '/v1/gameplatform/games/7': 503,
  '/v1/fun/roleplay/hug': 503,
}

export const HANGING_ROUTES: readonly string[] = Object.keys(WITHOUT_AN_ANSWER)
