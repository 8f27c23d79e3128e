import { UPSTREAM_NAMES, type UpstreamUrls } from '../../upstream/http/addresses.ts'

/** The setting by which outside services are at other addresses. */
export function upstreamUrls(urls: UpstreamUrls): { readonly UPSTREAM_URLS: string } {
  const pairs = Object.entries(urls).map(([name, url]) => `${name}=${url}`)
  return { UPSTREAM_URLS: pairs.join(',') }
}

/** The settings by which every outside service is elsewhere, the first at `urlOf(0)`. */
export function everyUpstream(urlOf: (index: number) => string) {
  const urls = Object.fromEntries(UPSTREAM_NAMES.map((name, i) => [name, urlOf(i)]))
  return { LIBRETRANSLATE_URL: urlOf(UPSTREAM_NAMES.length), ...upstreamUrls(urls) }
}

/** Everything of Roblox at one address. */
export function robloxAt(url: string) {
  const parts = ['users', 'thumbnails', 'groups', 'games', 'friends', 'apis'] as const
  return Object.fromEntries(parts.map((part) => [`roblox-${part}`, url])) as UpstreamUrls
}

/** Expected statuses of routes whose upstream does not answer. */
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
