import { expect } from 'chai'
import { closing } from '../../support/closing.ts'
import { startTrackMetadata, type TrackMetadataApi } from '../../support/track-metadata.ts'
import { channelId, guildId } from '../../support/fake-music.ts'
import { lyricsRecord, startLyrics, type LyricsStandIn } from '../../support/upstreams/song-lore.ts'
import { MISBEHAVIOURS } from '../../support/upstreams/stand-in.ts'
import { HOSTILE_NAMES } from '../../support/hostile-texts.ts'
import { leastCpuMs, CPU_MAX_MS } from '../../support/cpu-time.ts'

describe('lyrics', () => {
  const own = closing()
  let asked: TrackMetadataApi
  const get: TrackMetadataApi['get'] = (...of) => asked.get(...of)
  const start = async (env: Readonly<Record<string, string>>) => {
    asked = await startTrackMetadata(own, env)
  }

  let library: LyricsStandIn
  const LYRICS = '/v1/music/lyrics'

  beforeEach(async () => {
    library = own(await startLyrics())
    await start({ LRCLIB_URL: library.url })
  })

  it('come with the time of every line', async () => {
    const { status, body } = await get(LYRICS)
    expect(status, JSON.stringify(body)).to.equal(200)
    expect(body.data).to.deep.equal({
      source: 'lrclib',
      lang: null,
      synced: true,
      instrumental: false,
      lines: [
        { text: 'First line', timeMs: 12_340, durationMs: 3560 },
        { text: '', timeMs: 15_900, durationMs: 4100 },
        { text: 'Second line', timeMs: 20_000, durationMs: 194_000 },
      ],
    })
    expect(Object.fromEntries(library.received[0]?.query ?? [])).to.deep.equal({
      track_name: 'Night Ferry',
      artist_name: 'The Harbour Lights',
      duration: '214',
    })
  })

  it('are those of what plays in a guild; 404 without a player, 409 with nothing playing', async () => {
    expect((await asked.api.call('GET', `${LYRICS}?guildId=${guildId}`)).status).to.equal(404)
    await asked.api.call('POST', `/v1/music/guilds/${guildId}/play`, { body: { query: 'Night Ferry', channelId } })
    expect((await asked.api.call('GET', `${LYRICS}?guildId=${guildId}`)).body.data.lines).to.have.length(3)
    await asked.api.call('POST', `/v1/music/guilds/${guildId}/skip`)
    const { status, body } = await asked.api.call('GET', `${LYRICS}?guildId=${guildId}`)
    expect([status, body.error?.code]).to.deep.equal([409, 'conflict'])
  })

  it('answer at once whatever the title or the author of the token holds', async () => {
    for (const text of HOSTILE_NAMES) {
      const tookMs = await leastCpuMs(async (run) => {
        for (const track of [{ title: `${text}${run}` }, { author: `${text}${run}` }])
          expect((await get(LYRICS, track)).status).to.be.oneOf([200, 404, 503])
      })
      expect(tookMs, JSON.stringify(text.slice(0, 20))).to.be.below(CPU_MAX_MS)
    }
  })

  it('want exactly one of a token and a guild', async () => {
    for (const query of ['', `?guildId=${guildId}&encoded=QAAA`]) {
      const { status, body } = await asked.api.call('GET', LYRICS + query)
      expect([status, body.details?.length ?? body.error.details.length]).to.deep.equal([422, 2])
    }
    const { status, body } = await asked.api.call('GET', `${LYRICS}?encoded=QAAA`)
    expect([status, body.error.details[0].field]).to.deep.equal([422, 'query.encoded'])
  })

  it('of another recording lose their times rather than run away', async () => {
    library.exact = lyricsRecord({ duration: 260 })
    const { body } = await get(LYRICS)
    expect(body.data.synced).to.equal(false)
    expect(body.data.lines.map((line: { text: string }) => line.text)).to.deep.equal(['First line', '', 'Second line'])
    expect(body.data.lines[0].timeMs).to.equal(null)
  })

  it('say that no one sings', async () => {
    library.exact = lyricsRecord({ instrumental: true, plainLyrics: null, syncedLyrics: null })
    const { body } = await get(LYRICS)
    expect([body.data.instrumental, body.data.lines]).to.deep.equal([true, []])
  })

  it('are searched for: as long first, then timed; and no wrong song is taken', async () => {
    library.exact = null
    library.found = [
      lyricsRecord({ trackName: 'Night Ferry (Live)', duration: 214 }),
      lyricsRecord({ trackName: 'Day Bus', duration: 214 }),
      lyricsRecord({ artistName: 'Somebody Else', duration: 214 }),
      lyricsRecord({ duration: 300, plainLyrics: 'too long' }),
      lyricsRecord({ duration: 213, plainLyrics: 'right', syncedLyrics: null }),
      { broken: true, duration: 'x' },
    ]
    const { body } = await get(LYRICS)
    expect(body.data.lines[0].text).to.equal('right')
    library.found = [lyricsRecord({ trackName: 'Day Bus' })]
    const other = await get(LYRICS, { title: 'Another Ferry' })
    expect([other.status, other.body.error.code]).to.deep.equal([404, 'not_found'])
  })

  it('of a stream or a track of hours are asked for without a length', async () => {
    await get(LYRICS, { isStream: true, lengthMs: 0 })
    await get(LYRICS, { lengthMs: 3_700_000 })
    expect(library.received.map(({ query }) => query.get('duration'))).to.deep.equal([null, null])
  })

  it('that were not found are believed missing for an hour', async () => {
    library.exact = null
    expect((await get(LYRICS)).status).to.equal(404)
    const requests = library.received.length
    expect((await get(LYRICS)).status).to.equal(404)
    expect(library.received).to.have.length(requests)
    asked.context.clock.nowMs += 3_600_001
    library.exact = lyricsRecord()
    expect((await get(LYRICS)).status).to.equal(200)
  })

  for (const how of MISBEHAVIOURS.filter((each) => each !== 'hang' && each !== 'drip')) {
    it(`answer 503 in words when the library fails, and are there again: ${how}`, async () => {
      library.misbehave(how)
      const { status, body } = await get(LYRICS)
      // A record of the wrong shape counts as one without lyrics; the search that follows fails, too.
      expect([status, body.error.code]).to.deep.equal([503, 'service_unavailable'])
      expect(body.error.message).to.match(/^The lyrics library/)
      library.misbehave(null)
      asked.context.clock.nowMs += 61_000
      expect((await get(LYRICS)).status).to.equal(200)
    })
  }
})
