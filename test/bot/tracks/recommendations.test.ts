import { expect } from 'chai'
import type { FoundTrack } from '../../../bot/sources/source.ts'
import { closing } from '../../support/closing.ts'
import { startTrackMetadata, type TrackMetadataApi } from '../../support/track-metadata.ts'
import type { Called } from '../../support/api.ts'
import { trackNamed } from '../../support/stage.ts'
import { startDeezer, startLastFm, startListenBrainz, type LastFmStandIn } from '../../support/upstreams/song-lore.ts'
import type { StandIn } from '../../support/upstreams/stand-in.ts'
import { upstreamUrls } from '../../../tools/stage/upstream-addresses.ts'

const titles = ({ body }: Called) => body.data.map(({ title }: { title: string }) => title)

describe('recommendations', () => {
  const own = closing()
  let asked: TrackMetadataApi
  const get: TrackMetadataApi['get'] = (...of) => asked.get(...of)
  const start = async (...[env, related]: [Readonly<Record<string, string>>, (readonly FoundTrack[])?]) => {
    asked = await startTrackMetadata(own, env, related)
  }

  const RECOMMENDED = '/v1/music/recommendations'
  let deezer: StandIn
  let lastFm: LastFmStandIn

  beforeEach(async () => {
    deezer = own(await startDeezer())
    lastFm = own(await startLastFm())
  })

  it('are what its own source says, without the track itself and its other uploads', async () => {
    const related = ['Night Ferry', 'Low Tide', 'Low Tide (Official Video)', 'Reef'].map((title) =>
      Object.assign(trackNamed(title), { author: 'The Harbour Lights', source: 'library' }),
    )
    await start(upstreamUrls({ deezer: deezer.url }), related)
    const found = await get(`${RECOMMENDED}?limit=2`)
    expect(found.status, JSON.stringify(found.body)).to.equal(200)
    expect(titles(found)).to.deep.equal(['Low Tide', 'Reef'])
    expect(found.body.data[0]).to.include({ source: 'library' })
    expect(deezer.received).to.deep.equal([])
    await get(`${RECOMMENDED}?limit=2`)
  })

  it('are filled up with songs that others know by name, found where they play', async () => {
    await start(upstreamUrls({ deezer: deezer.url }))
    const found = await get(RECOMMENDED)
    // The song itself leads the radio, and one is nowhere to be had.
    expect(titles(found)).to.deep.equal(['Ebb &  Flow 6'])
    expect(deezer.received[0]?.query.get('q')).to.equal('artist:"The Harbour Lights" track:"Night Ferry"')
  })

  for (const [what, tracks, expected] of [
    [
      'several',
      [
        { name: 'A', artist: { name: 'X' }, match: '0.8' },
        { name: 'B', artist: { name: 'X' }, duration: '61' },
      ],
      ['A', 'B'],
    ],
    ['one, which comes as itself', { name: 'A', artist: { name: 'X' }, match: 1 }, ['A']],
    ['none, which comes as text', '\n', []],
  ] as const) {
    it(`take ${what} from Last.fm where there is a key`, async () => {
      lastFm.tracks = tracks
      await start({ ...upstreamUrls({ lastfm: lastFm.url, deezer: deezer.url }), LASTFM_API_KEY: 'lastfm-key' })
      expect(titles(await get(`${RECOMMENDED}?limit=${expected.length || 10}`))).to.deep.equal(
        expected.length > 0 ? expected : ['Ebb &  Flow 6'],
      )
    })
  }

  it('take those of ListenBrainz where there is a token', async () => {
    const listenBrainz = own(await startListenBrainz())
    await start({
      ...upstreamUrls({ listenbrainz: listenBrainz.url, lastfm: lastFm.url, deezer: deezer.url }),
      LISTENBRAINZ_TOKEN: 'lb-token',
      LASTFM_API_KEY: 'wrong',
    })
    expect(titles(await get(`${RECOMMENDED}?limit=1`, { author: 'The (Harbour) Lights' }))).to.deep.equal(['Low Tide'])
  })

  it('are none where no one knows anything, and 503 where the only one who may know is down', async () => {
    await start(upstreamUrls({ deezer: deezer.url }))
    expect((await get(RECOMMENDED, { title: 'Unheard' })).body.data).to.deep.equal([])
    const refused = await get(RECOMMENDED, { title: 'quota' })
    expect([refused.status, refused.body.error.code]).to.deep.equal([503, 'service_unavailable'])
    deezer.misbehave('status 500')
    expect((await get(RECOMMENDED, { title: 'Another' })).status).to.equal(503)
  })

  it('want the token of a track', async () => {
    await start(upstreamUrls({ deezer: deezer.url }))
    for (const query of ['', '?encoded=QAAA', '?encoded=']) {
      expect((await asked.api.call('GET', RECOMMENDED + query)).status).to.equal(422)
    }
  })
})
