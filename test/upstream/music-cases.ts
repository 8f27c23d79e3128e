import type { Sources } from '../../bot/sources/source.ts'
import { createDeezer } from '../../upstream/music/deezer.ts'
import { createLyrics } from '../../upstream/music/lyrics.ts'
import { createMeaning } from '../../upstream/music/meaning.ts'
import { createSimilar } from '../../upstream/music/recommendations.ts'
import { createSponsorBlock } from '../../upstream/music/sponsorblock.ts'
import { startSponsorBlock } from '../support/upstreams/sponsorblock.ts'
import { startBandcamp } from '../support/upstreams/bandcamp.ts'
import type { TestContext } from '../support/upstreams/context.ts'
import { startItunes, startSpotify } from '../support/upstreams/link-sites.ts'
import { startRadioBrowser } from '../support/upstreams/radio-browser.ts'
import {
  ACCESS_DENIED,
  CLIENT_CHALLENGE,
  json,
  JUST_A_MOMENT,
  type Case,
  type Env,
} from '../support/upstreams/recorded.ts'
import {
  startDeezer,
  startGenius,
  startLastFm,
  startListenBrainz,
  startLyrics,
  startWikipedia,
} from '../support/upstreams/song-lore.ts'
import { startSoundCloud } from '../support/upstreams/soundcloud.ts'
import { upstreamUrls } from '../../tools/stage/upstream-addresses.ts'

export interface SourceCase extends Case {
  readonly env: (url: string) => Env
  readonly ask: (sources: Sources, url: string) => Promise<unknown>
}

export interface ClientCase extends Case {
  readonly ask: (context: TestContext, url: string) => Promise<unknown>
}

const { signal } = new AbortController()
const search = (text: string) => async (sources: Sources) => {
  const found = await sources.search(text, { limit: 5, signal })
  return found.length > 0 ? found : Promise.reject(new Error('nothing was found'))
}
const find = (link: string) => async (sources: Sources) => (await sources.find(link, signal)).tracks
const id = 'a'.repeat(22)

export const SOURCES: readonly SourceCase[] = [
  {
    name: 'radio-browser',
    start: startRadioBrowser,
    env: (url) => ({ MUSIC_SOURCES: 'radio', RADIO_BROWSER_URL: url }),
    ask: search('harbour'),
    refusal: { status: 429, text: 'Too Many Requests' },
    changed: json({ stations: [{ uuid: 'x', title: 'Harbour FM' }] }),
  },
  {
    name: 'soundcloud',
    start: startSoundCloud,
    env: (url) => ({
      MUSIC_SOURCES: 'soundcloud',
      ...upstreamUrls({ 'soundcloud-api': url, 'soundcloud-web': url }),
      SOUNDCLOUD_CLIENT_ID: 'a'.repeat(32),
    }),
    ask: search('ebb & flow'),
    refusal: json({}, 403),
    changed: json({ results: [{ urn: 'soundcloud:tracks:1', title: 'Ebb & Flow' }] }),
  },
  {
    name: 'bandcamp, search',
    start: startBandcamp,
    env: (url) => ({ MUSIC_SOURCES: 'bandcamp', ...upstreamUrls({ bandcamp: url }) }),
    ask: search('salt & rope'),
    refusal: CLIENT_CHALLENGE,
    changed: json({ suggestions: { tracks: [{ title: 'Salt & Rope' }] } }),
  },
  {
    name: 'bandcamp, page',
    start: startBandcamp,
    env: (url) => ({ MUSIC_SOURCES: 'http,bandcamp', ...upstreamUrls({ bandcamp: url }) }),
    ask: (sources, url) => find(`${url}/track/salt`)(sources),
    refusal: CLIENT_CHALLENGE,
    changed: { text: '<html><body><script data-tralbum="{&quot;surprise&quot;:true}"></script></body></html>' },
  },
  {
    name: 'spotify',
    start: startSpotify,
    env: (url) => ({ MUSIC_SOURCES: 'soundcloud,spotify', ...upstreamUrls({ spotify: url }) }),
    ask: find(`https://open.spotify.com/track/${id}`),
    refusal: ACCESS_DENIED,
    changed: {
      text: '<html><body><script id="initial-state" type="text/plain">eyJlbnRpdGllcyI6e319</script></body></html>',
    },
  },
  {
    name: 'itunes',
    start: startItunes,
    env: (url) => ({ MUSIC_SOURCES: 'soundcloud,apple', ...upstreamUrls({ itunes: url }) }),
    ask: find('https://music.apple.com/us/album/tides/2?i=3'),
    refusal: ACCESS_DENIED,
    changed: json({ resultCount: 1, data: [{ id: '3', type: 'songs' }] }),
  },
  {
    name: 'deezer',
    start: startDeezer,
    env: (url) => ({ MUSIC_SOURCES: 'soundcloud,deezer', ...upstreamUrls({ deezer: url }) }),
    ask: find('https://www.deezer.com/track/1'),
    refusal: json({ error: { type: 'Exception', message: 'Quota limit exceeded', code: 4 } }),
    changed: json({ data: { track: { SNG_ID: '1', SNG_TITLE: 'Night Ferry' } } }),
  },
]

const song = { title: 'Night Ferry', author: 'The Harbour Lights', lengthMs: 214_000 }
const bounds = { timeoutMs: 500, cacheMax: 10 }
const meaning = (url: string, token: string | null) => ({
  ...bounds,
  wikipediaUrl: url,
  genius: { baseUrl: url, token },
})
const similar = async (
  context: TestContext,
  url: string,
  keys: { lastFm: string | null; listenBrainz: string | null },
) => {
  const deezer = createDeezer(context, { baseUrl: url, timeoutMs: 500 })
  const lastFm = { baseUrl: url, key: keys.lastFm }
  const listenBrainz = { baseUrl: url, token: keys.listenBrainz }
  const [first] = createSimilar(context, { deezer, lastFm, listenBrainz, timeoutMs: 500 })
  return first?.find(song.author, song.title)
}

export const CLIENTS: readonly ClientCase[] = [
  {
    name: 'sponsorblock',
    async start() {
      const service = await startSponsorBlock()
      service.videos.set('AAAAAAAAAAA', [{ segment: [0, 10], category: 'sponsor' }])
      return service
    },
    ask: async (context, baseUrl) =>
      (await createSponsorBlock(context, { baseUrl, timeoutMs: 1000, cacheMax: 5 }).find('AAAAAAAAAAA', 0)).length,
    refusal: json({ message: 'Forbidden' }, 403),
    changed: json([{ video: 'AAAAAAAAAAA', parts: [{ from: 0, to: 10 }] }]),
  },
  {
    name: 'lrclib',
    start: startLyrics,
    ask: (context, url) => createLyrics(context, { baseUrl: url, cacheMax: 10 }).find(song),
    refusal: JUST_A_MOMENT,
    changed: json([{ trackName: 'Night Ferry', lyrics: { synced: [] } }]),
  },
  {
    name: 'wikipedia',
    start: () => startWikipedia('en'),
    ask: (context, url) => createMeaning(context, meaning(url, null)).find(song, 'en'),
    refusal: {
      status: 403,
      text: 'Please set a user-agent and respect our robot policy https://w.wiki/4wJS. See also T400119.\n',
    },
    changed: json({ pages: [{ id: 1, key: 'Night_Ferry', title: 'Night Ferry' }] }),
  },
  {
    name: 'genius',
    start: startGenius,
    ask: (context, url) => createMeaning(context, meaning(url, 'genius-token')).find(song, 'en'),
    refusal: json(
      {
        error: 'invalid_token',
        error_description: 'The access token provided is expired, revoked, malformed or invalid',
      },
      401,
    ),
    changed: json({ meta: { status: 200 }, response: { sections: [] } }),
  },
  {
    name: 'last.fm',
    start: startLastFm,
    ask: (context, url) => similar(context, url, { lastFm: 'lastfm-key', listenBrainz: null }),
    refusal: json({ error: 29, message: 'Rate limit exceeded' }),
    changed: json({ tracks: { similar: [] } }),
  },
  {
    name: 'listenbrainz',
    start: startListenBrainz,
    ask: (context, url) => similar(context, url, { lastFm: null, listenBrainz: 'lb-token' }),
    refusal: json({ code: 401, error: 'Invalid authorization token.' }, 401),
    changed: json({ payload: { playlist: { track: [] } } }),
  },
  {
    name: 'deezer, songs that go with one',
    start: startDeezer,
    ask: (context, url) => similar(context, url, { lastFm: null, listenBrainz: null }),
    refusal: json({ error: { type: 'Exception', message: 'Quota limit exceeded', code: 4 } }),
    changed: json({ results: [{ SNG_ID: '1' }] }),
  },
]
