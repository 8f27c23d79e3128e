import { expect } from 'chai'
import { closing } from '../../support/closing.ts'
import { startTrackMetadata, type TrackMetadataApi } from '../../support/track-metadata.ts'
import { startGenius, startWikipedia, type GeniusStandIn } from '../../support/upstreams/song-lore.ts'
import type { StandIn } from '../../support/upstreams/stand-in.ts'
import { HOSTILE_NAMES } from '../../support/hostile-texts.ts'
import { leastCpuMs, CPU_MAX_MS } from '../../support/cpu-time.ts'
import { upstreamUrls } from '../../../tools/stage/upstream-addresses.ts'

describe('meanings', () => {
  const own = closing()
  let asked: TrackMetadataApi
  const get: TrackMetadataApi['get'] = (...of) => asked.get(...of)
  const start = async (env: Readonly<Record<string, string>>) => {
    asked = await startTrackMetadata(own, env)
  }

  const MEANING = '/v1/music/meaning'
  let english: StandIn
  let genius: GeniusStandIn

  beforeEach(async () => {
    english = own(await startWikipedia('en'))
    genius = own(await startGenius())
  })

  it('come from the article on the song, not on the town nor from the list of all', async () => {
    await start(upstreamUrls({ wikipedia: english.url }))
    const { status, body } = await get(MEANING)
    expect(status, JSON.stringify(body)).to.equal(200)
    expect(body.data).to.deep.equal({
      title: 'Night Ferry (song)',
      paragraphs: ['„Night Ferry (song)“ (en) is a song by The Harbour Lights.', 'It tells of a ferry.'],
      source: 'wikipedia',
      url: 'https://en.wikipedia.example/wiki/Night%20Ferry%20(song)',
    })
    expect((await get(MEANING, { title: 'Unheard' })).status).to.equal(404)
    expect((await get(MEANING, { author: 'Somebody' })).status).to.equal(404)
  })

  it('of a title full of signs are asked for in one segment of the path', async () => {
    await start(upstreamUrls({ wikipedia: english.url }))
    expect((await get(MEANING, { title: 'AC/DC?' })).body.data.title).to.equal('AC/DC? (song)')
  })

  it('come from Genius where there is a token, unless no one has described the song there', async () => {
    await start({
      ...upstreamUrls({ wikipedia: english.url, genius: genius.url }),
      GENIUS_ACCESS_TOKEN: 'genius-token',
    })
    const { body } = await get(MEANING)
    expect(body.data).to.deep.include({ source: 'genius', paragraphs: ['A description.', 'Second paragraph.'] })
    asked.context.clock.nowMs += 24 * 3_600_000
    genius.description = '?'
    expect((await get(MEANING)).body.data.source).to.equal('wikipedia')
  })

  it('come from elsewhere when Genius refuses, and end in 503 when no one else knows', async () => {
    await start({ ...upstreamUrls({ wikipedia: english.url, genius: genius.url }), GENIUS_ACCESS_TOKEN: 'wrong' })
    expect((await get(MEANING)).body.data.source).to.equal('wikipedia')
    const { status, body } = await get(MEANING, { title: 'Unheard' })
    expect([status, body.error.code]).to.deep.equal([503, 'service_unavailable'])
  })

  it('take a language and refuse what is none', async () => {
    await start(upstreamUrls({ wikipedia: english.url }))
    expect((await get(`${MEANING}?lang=de`)).status).to.equal(200)
    expect((await get(`${MEANING}?lang=pt-BR`)).status).to.equal(200)
    expect((await get(`${MEANING}?lang=../x`)).status).to.equal(422)
  })

  it('answer at once whatever the title or the author of the token holds', async () => {
    await start(upstreamUrls({ wikipedia: english.url }))
    for (const text of HOSTILE_NAMES) {
      const tookMs = await leastCpuMs(async (run) => {
        for (const track of [{ title: `${text}${run}` }, { author: `${text}${run}` }])
          expect((await get(MEANING, track)).status).to.be.oneOf([200, 404, 503])
      })
      expect(tookMs, JSON.stringify(text.slice(0, 20))).to.be.below(CPU_MAX_MS)
    }
  })

  for (const how of [
    'status 500',
    'status 429 with Retry-After',
    'wrong shape',
    'HTML',
    'cut connection',
    'hang',
  ] as const) {
    it(`answer 503 in words when Wikipedia fails, and are there again: ${how}`, async () => {
      await start(upstreamUrls({ wikipedia: english.url }))
      english.misbehave(how)
      const { status, body } = await get(MEANING)
      expect([status, body.error?.code]).to.deep.equal([503, 'service_unavailable'])
      expect(body.error.message).to.match(/^Wikipedia/)
      english.misbehave(null)
      asked.context.clock.nowMs += 61_000
      expect((await get(MEANING)).status).to.equal(200)
    })
  }
})
