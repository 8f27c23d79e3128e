import { z } from 'zod'
import { Track } from '../server/schemas.ts'
import type { Answer } from '../server/rest.ts'
import { plugIn, type Check } from '../suite/check.ts'
import { equal, holds, oneOf, shaped, skip } from '../suite/expect.ts'
import { SOME_GUILD, type Stage } from '../suite/stage.ts'

const LYRICS = 'https://github.com/topi314/LavaLyrics#api'
const SEARCH = 'https://github.com/topi314/LavaSearch#api'
const SPONSORBLOCK = 'https://github.com/topi314/Sponsorblock-Plugin#api'

const Lyrics = z.looseObject({
  sourceName: z.string(),
  provider: z.string().nullable(),
  text: z.string().nullable(),
  lines: z.array(z.looseObject({ timestamp: z.number(), duration: z.number().nullable(), line: z.string() })),
})

const Playlists = z.array(z.looseObject({ info: z.looseObject({ name: z.string() }), tracks: z.array(Track) }))
const SearchResult = z.looseObject({
  tracks: z.array(Track).optional(),
  albums: Playlists.optional(),
  artists: Playlists.optional(),
  playlists: Playlists.optional(),
  texts: z.array(z.looseObject({ text: z.string() })).optional(),
})

/** Skips a check of a plug-in's conventions unless the server has it. */
function need(stage: Stage, name: string): void {
  const has = stage.suite.info?.plugins.some((plugin) => plugin.name === name) === true
  if (!has) skip(`The server does not name the plug-in ${name}.`)
}

/** Without the internet there is nothing to find. */
function reached({ status, text }: Answer): void {
  if (status >= 500) skip(`The server could not reach what it asks for this: ${status} ${text}`)
}

export const PLUGIN_CHECKS: readonly Check[] = [
  plugIn('plugins.lyrics', LYRICS, {
    title: 'LavaLyrics: the lyrics of a track are 200 with lines, or 204.',
    async run(stage) {
      need(stage, 'lavalyrics-plugin')
      const { encoded } = await stage.track(stage.media.wave('tone-440', 5))
      const answer = await stage.rest('GET', '/v4/lyrics', { query: { track: encoded } })
      reached(answer)
      oneOf('The status', answer.status, [200, 204])
      if (answer.status === 200) shaped('The lyrics have their shape.', Lyrics, answer.body)
    },
  }),
  plugIn('plugins.lyrics-player', LYRICS, {
    title: 'LavaLyrics: a player without a track has none: 404.',
    async run(stage) {
      need(stage, 'lavalyrics-plugin')
      const session = await stage.connect()
      await session.update(SOME_GUILD, {})
      const { status } = await stage.rest('GET', `${session.path(SOME_GUILD)}/track/lyrics`)
      equal('The status', status, 404)
    },
  }),
  plugIn('plugins.lyrics-subscribe', LYRICS, {
    title: 'LavaLyrics: a player is subscribed and unsubscribed with 204.',
    async run(stage) {
      need(stage, 'lavalyrics-plugin')
      const session = await stage.connect()
      await session.update(SOME_GUILD, {})
      const path = `${session.path(SOME_GUILD)}/lyrics/subscribe`
      equal('POST', (await stage.rest('POST', path)).status, 204)
      equal('DELETE', (await stage.rest('DELETE', path)).status, 204)
    },
  }),
  plugIn('plugins.search', SEARCH, {
    title: 'LavaSearch: a search answers 200 with lists by type, or 204.',
    async run(stage) {
      need(stage, 'lavasearch-plugin')
      const query = {
        query: stage.suite.fixtures.search ?? 'ytsearch:paper lanterns',
        types: 'track,album,artist,playlist,text',
      }
      const answer = await stage.rest('GET', '/v4/loadsearch', { query })
      reached(answer)
      oneOf('The status', answer.status, [200, 204])
      if (answer.status === 200) shaped('The result has its shape.', SearchResult, answer.body)
    },
  }),
  plugIn('plugins.sponsorblock', SPONSORBLOCK, {
    title: 'SponsorBlock: the categories of a player are set, read and deleted.',
    async run(stage) {
      need(stage, 'sponsorblock-plugin')
      const session = await stage.connect()
      await session.update(SOME_GUILD, {})
      const path = `${session.path(SOME_GUILD)}/sponsorblock/categories`
      equal('PUT', (await stage.rest('PUT', path, { body: ['sponsor', 'selfpromo'] })).status, 204)
      const categories = (await stage.rest('GET', path)).body
      const isKept = Array.isArray(categories) && ['selfpromo', 'sponsor'].every((name) => categories.includes(name))
      holds('They are kept.', isKept, 'sponsor and selfpromo', categories)
      equal('DELETE', (await stage.rest('DELETE', path)).status, 204)
      const { status, body } = await stage.rest('GET', path)
      holds('None is left.', status === 404 || (Array.isArray(body) && body.length === 0), '404 or an empty list', body)
    },
  }),
]
