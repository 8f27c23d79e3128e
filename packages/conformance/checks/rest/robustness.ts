import { must, should, type Check } from '../../suite/check.ts'
import { rest, source, websocket } from '../../suite/docs.ts'
import { equal, holds, oneOf } from '../../suite/expect.ts'
import { refused, SOME_GUILD, type Stage } from '../../suite/stage.ts'

const BIG = 8 * 1024 * 1024

/** The server lives and answers others. */
async function answers(stage: Stage): Promise<void> {
  equal('The server still answers.', (await stage.rest('GET', '/version')).status, 200)
}

export const ROBUSTNESS_CHECKS: readonly Check[] = [
  must('robustness.no-json', rest('error-responses'), {
    title: 'A body that is no JSON is 400.',
    async run(stage) {
      const session = await stage.connect()
      for (const raw of ['{', 'null', '[]', '"text"', '{"volume":}', '\u0000']) {
        refused(`PATCH of ${raw}`, await stage.rest('PATCH', session.path(SOME_GUILD), { raw }))
      }
    },
  }),
  should('robustness.no-body', source('player/PlayerRestHandler.kt'), {
    title: 'An update without a body is 400.',
    async run(stage) {
      const session = await stage.connect()
      refused('PATCH without a body', await stage.rest('PATCH', session.path(SOME_GUILD)))
    },
  }),
  must('robustness.types', rest('update-player'), {
    title: 'A field of another type is 400.',
    async run(stage) {
      const session = await stage.connect()
      const bodies = [
        { volume: 'loud' },
        { volume: [] },
        { paused: 'maybe' },
        { paused: 3 },
        { position: 'start' },
        { endTime: {} },
        { track: 'text' },
        { track: { encoded: 5 } },
        { track: { userData: 'text' } },
        { filters: [] },
        { filters: { equalizer: {} } },
        { filters: { timescale: 'fast' } },
        { voice: 'here' },
      ]
      for (const body of bodies) refused(JSON.stringify(body), await session.patch(SOME_GUILD, body))
    },
  }),
  must('robustness.session-types', rest('update-session'), {
    title: 'A session takes no other types for resuming and timeout: 400.',
    async run(stage) {
      const session = await stage.connect()
      for (const body of [{ resuming: 'maybe' }, { timeout: 'long' }, { timeout: {} }]) {
        refused(JSON.stringify(body), await stage.rest('PATCH', `/v4/sessions/${session.id}`, { body }))
      }
    },
  }),
  should('robustness.huge-body', rest('update-player'), {
    title: 'A body of 8 MiB does no harm: it is taken or refused, and others are answered.',
    async run(stage) {
      const session = await stage.connect()
      const body = { volume: 70, surprise: 'x'.repeat(BIG) }
      const status = await session.patch(SOME_GUILD, body).then(
        (answer) => answer.status,
        // A server may cut the connection while we still send.
        () => 413,
      )
      oneOf('The status', status, [200, 400, 413])
      await answers(stage)
    },
  }),
  should('robustness.long-identifier', rest('track-loading'), {
    title: 'A very long identifier does no harm.',
    async run(stage) {
      const query = { identifier: `http://127.0.0.1/${'x'.repeat(6000)}` }
      const { status } = await stage.rest('GET', '/v4/loadtracks', { query })
      oneOf('The status', status, [200, 400, 413, 414, 431])
      await answers(stage)
    },
  }),
  should('robustness.deep-json', rest('update-player'), {
    title: 'Deeply nested JSON does no harm.',
    async run(stage) {
      const session = await stage.connect()
      const raw = `{"surprise":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
      const { status } = await stage.rest('PATCH', session.path(SOME_GUILD), { raw })
      oneOf('The status', status, [200, 400, 413])
      await answers(stage)
    },
  }),
  must('robustness.client-messages', websocket('op-types'), {
    title: 'What a client sends over the socket changes nothing; the socket stays open.',
    async run(stage) {
      const session = await stage.connect()
      for (const text of ['{"op":"play"}', 'no json', '{"op":"destroy","guildId":"1"}']) session.send(text)
      await session.update(SOME_GUILD, { volume: 77 })
      equal('volume', (await session.player(SOME_GUILD)).volume, 77)
      holds('The socket is open.', session.isOpen, 'open', 'closed')
    },
  }),
  should('robustness.wild-filters', rest('filters'), {
    title: 'Filter values far outside of their ranges are taken or refused, never a 5xx.',
    async run(stage) {
      const session = await stage.connect()
      const wild = [
        { volume: 1e9 },
        { equalizer: [{ band: 99, gain: 5 }] },
        { timescale: { speed: 0, pitch: -1, rate: 1e9 } },
        { tremolo: { frequency: -1, depth: 7 } },
        { vibrato: { frequency: 999, depth: 0 } },
        { rotation: { rotationHz: 1e9 } },
        { lowPass: { smoothing: -5 } },
      ]
      for (const filters of wild) {
        oneOf(JSON.stringify(filters), (await session.patch(SOME_GUILD, { filters })).status, [200, 400])
      }
      await answers(stage)
    },
  }),
]
