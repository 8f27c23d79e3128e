import { z } from 'zod'
import { ErrorBody, Track } from '../../server/schemas.ts'
import { TrackView } from '../../server/views.ts'
import type { Check } from '../../suite/check.ts'
import { rest, source } from '../../suite/docs.ts'
import { equal, holds, shaped, skip } from '../../suite/expect.ts'
import { refused, type Stage } from '../../suite/stage.ts'

/** The example of the documentation, with the values that it gives for it. */
const EXAMPLE =
  'QAAAjQIAJVJpY2sgQXN0bGV5IC0gTmV2ZXIgR29ubmEgR2l2ZSBZb3UgVXAADlJpY2tBc3RsZXlWRVZPAAAAAAADPCAAC2RRdzR3OVdnWGNRAAEAK2h0dHBzOi8vd3d3LnlvdXR1YmUuY29tL3dhdGNoP3Y9ZFF3NHc5V2dYY1EAB3lvdXR1YmUAAAAAAAAAAA=='
const EXAMPLE_INFO = {
  identifier: 'dQw4w9WgXcQ',
  isSeekable: true,
  author: 'RickAstleyVEVO',
  length: 212_000,
  isStream: false,
  position: 0,
  title: 'Rick Astley - Never Gonna Give You Up',
  uri: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
  isrc: null,
  sourceName: 'youtube',
}

async function decode(stage: Stage, encodedTrack: string): Promise<TrackView> {
  const answer = await stage.rest('GET', '/v4/decodetrack', { query: { encodedTrack } })
  equal('decodetrack answers 200.', answer.status, 200)
  return shaped('The answer is a track.', TrackView, answer.body)
}

async function decodeAll(stage: Stage, tokens: readonly string[]): Promise<TrackView[]> {
  const answer = await stage.rest('POST', '/v4/decodetracks', { body: tokens })
  equal('decodetracks answers 200.', answer.status, 200)
  return shaped('The answer is a list of tracks.', z.array(TrackView), answer.body)
}

export const DECODING_CHECKS: readonly Check[] = [
  {
    id: 'decoding.shape',
    level: 'must',
    title: 'A decoded track has the documented shape.',
    link: rest('track'),
    async run(stage) {
      const { encoded } = await stage.track(stage.media.wave('tone-440', 8))
      const answer = await stage.rest('GET', '/v4/decodetrack', { query: { encodedTrack: encoded } })
      shaped('The answer is a track.', Track, answer.body)
    },
  },
  {
    id: 'decoding.own',
    level: 'must',
    title: 'A track that was loaded decodes to itself.',
    link: rest('track-decoding'),
    async run(stage) {
      const track = await stage.track(stage.media.wave('tone-440', 8))
      const decoded = await decode(stage, track.encoded)
      equal('info', decoded.info, track.info)
      equal('encoded', decoded.encoded, track.encoded)
    },
  },
  {
    id: 'decoding.stream',
    level: 'must',
    title: 'A radio stream decodes to a stream.',
    link: rest('track-decoding'),
    async run(stage) {
      const track = await stage.track(stage.media.stream())
      equal('info', (await decode(stage, track.encoded)).info, track.info)
    },
  },
  {
    id: 'decoding.example',
    level: 'must',
    title: 'The track of the documentation’s example decodes to what is written there.',
    link: rest('track-decoding'),
    async run(stage) {
      const answer = await stage.rest('GET', '/v4/decodetrack', { query: { encodedTrack: EXAMPLE } })
      const hasYouTube = stage.suite.info?.sourceManagers.includes('youtube') === true
      if (answer.status !== 200 && !hasYouTube) return skip('It is of YouTube, which this server does not have.')
      equal('decodetrack answers 200.', answer.status, 200)
      const { info } = shaped('The answer is a track.', TrackView, answer.body)
      // The picture is not in the token, but in the example: a newer one of the same track.
      const { artworkUrl: _artwork, ...rest } = info
      equal('info', rest, EXAMPLE_INFO)
    },
  },
  {
    id: 'decoding.old-name',
    level: 'should',
    title: 'The query track= is taken as encodedTrack=, as older clients send it.',
    link: source('player/AudioLoaderRestHandler.kt'),
    async run(stage) {
      const { encoded, info } = await stage.track(stage.media.wave('tone-440', 8))
      const answer = await stage.rest('GET', '/v4/decodetrack', { query: { track: encoded } })
      equal('decodetrack answers 200.', answer.status, 200)
      equal('info', shaped('The answer is a track.', TrackView, answer.body).info, info)
    },
  },
  {
    id: 'decoding.missing',
    level: 'must',
    title: 'decodetrack without a track is 400.',
    link: rest('track-decoding'),
    run: async (stage) => refused('decodetrack', await stage.rest('GET', '/v4/decodetrack')),
  },
  {
    id: 'decoding.garbage',
    level: 'must',
    title: 'What is no track is refused with the body of an error.',
    link: rest('error-responses'),
    async run(stage) {
      for (const encodedTrack of ['garbage', 'QUJD', '%%%', EXAMPLE.slice(0, 40)]) {
        const answer = await stage.rest('GET', '/v4/decodetrack', { query: { encodedTrack } })
        holds(`${encodedTrack} is refused.`, answer.status >= 400, 'a status of 400 or more', answer.status)
        shaped('The body is an error.', ErrorBody, answer.body)
      }
    },
  },
  {
    id: 'decoding.list',
    level: 'must',
    title: 'decodetracks answers all tracks in their order.',
    link: rest('track-decoding'),
    async run(stage) {
      const tracks = [
        await stage.track(stage.media.wave('tone-440', 8)),
        await stage.track(stage.media.wave('tone-550', 4)),
        await stage.track(stage.media.mp3(5)),
      ]
      const decoded = await decodeAll(
        stage,
        tracks.map(({ encoded }) => encoded),
      )
      equal(
        'infos',
        decoded.map(({ info }) => info),
        tracks.map(({ info }) => info),
      )
    },
  },
  {
    id: 'decoding.list-empty',
    level: 'should',
    title: 'decodetracks of no track is 400.',
    link: source('player/AudioLoaderRestHandler.kt'),
    run: async (stage) => refused('decodetracks', await stage.rest('POST', '/v4/decodetracks', { body: [] })),
  },
  {
    id: 'decoding.list-shape',
    level: 'must',
    title: 'decodetracks of something else than a list of texts is 400.',
    link: rest('track-decoding'),
    async run(stage) {
      for (const body of [{ tracks: [] }, 'text', [1, 2]]) {
        refused(`decodetracks of ${JSON.stringify(body)}`, await stage.rest('POST', '/v4/decodetracks', { body }))
      }
    },
  },
  {
    id: 'decoding.list-bad',
    level: 'must',
    title: 'decodetracks with one that is no track is refused as a whole.',
    link: rest('track-decoding'),
    async run(stage) {
      const { encoded } = await stage.track(stage.media.wave('tone-440', 8))
      const answer = await stage.rest('POST', '/v4/decodetracks', { body: [encoded, 'garbage'] })
      holds('It is refused.', answer.status >= 400, 'a status of 400 or more', answer.status)
    },
  },
]
