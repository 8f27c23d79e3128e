import { ErrorBody } from '../../server/schemas.ts'
import { ErrorView } from '../../server/views.ts'
import type { Answer } from '../../server/rest.ts'
import { must, should, type Check } from '../../suite/check.ts'
import { rest, source } from '../../suite/docs.ts'
import { equal, holds, oneOf, shaped, within } from '../../suite/expect.ts'
import { SOME_GUILD } from '../../suite/stage.ts'

const MISSING = '/v4/sessions/nosuchsession/players'

function errorOf(answer: Answer, status: number) {
  equal(`${answer.method} ${answer.path}`, answer.status, status)
  return shaped('The body is an object.', ErrorView, answer.body)
}

export const ERROR_CHECKS: readonly Check[] = [
  must('errors.shape', rest('error-responses'), {
    title: 'A refusal has a body with timestamp, status, error, message and path.',
    async run(stage) {
      const answer = await stage.rest('GET', MISSING)
      equal('The status', answer.status, 404)
      const error = shaped('The body is an error.', ErrorBody, answer.body)
      equal('status is that of the answer.', error.status, 404)
      equal('error is the text of the status.', error.error, 'Not Found')
    },
  }),
  must('errors.json', rest('error-responses'), {
    title: 'The body of a refusal is JSON by its Content-Type.',
    async run(stage) {
      const { headers } = await stage.rest('GET', MISSING)
      const type = headers.get('content-type') ?? 'none'
      holds('The type is JSON.', type.startsWith('application/json'), 'application/json', type)
    },
  }),
  must('errors.path', rest('error-responses'), {
    title: 'path is the path of the request, without its query.',
    async run(stage) {
      const error = errorOf(await stage.rest('GET', MISSING, { query: { trace: 'true' } }), 404)
      equal('path', error.path, MISSING)
    },
  }),
  must('errors.timestamp', rest('error-responses'), {
    title: 'timestamp is now, in milliseconds.',
    async run(stage) {
      const error = errorOf(await stage.rest('GET', MISSING), 404)
      within('It differs from the clock here by', error.timestamp - Date.now(), -60_000, 60_000)
    },
  }),
  must('errors.trace', rest('error-responses'), {
    title: 'A stack trace comes with ?trace=true.',
    async run(stage) {
      const { trace } = errorOf(await stage.rest('GET', MISSING, { query: { trace: 'true' } }), 404)
      holds('There is a trace.', typeof trace === 'string' && trace !== '', 'a text', trace ?? 'none')
    },
  }),
  must('errors.no-trace', rest('error-responses'), {
    title: 'Without ?trace=true there is no stack trace.',
    async run(stage) {
      const { trace } = errorOf(await stage.rest('GET', MISSING), 404)
      equal('There is none.', trace ?? null, null)
    },
  }),
  should('errors.message', rest('error-responses'), {
    title: 'The message of an unknown session is “Session not found”, as the documentation shows.',
    run: async (stage) => equal('message', errorOf(await stage.rest('GET', MISSING), 404).message, 'Session not found'),
  }),
  must('errors.unknown-route', rest('error-responses'), {
    title: 'An unknown route is 404 with the body of an error.',
    run: async (stage) => void errorOf(await stage.rest('GET', '/v4/nothing-here'), 404),
  }),
  should('errors.method', rest('error-responses'), {
    title: 'A known route by another method is 405 with the body of an error.',
    run: async (stage) => void errorOf(await stage.rest('PUT', '/v4/info', { body: {} }), 405),
  }),
  must('errors.session-routes', rest('error-responses'), {
    title: 'Every route of an unknown session is 404.',
    async run(stage) {
      const player = `${MISSING}/${SOME_GUILD}`
      errorOf(await stage.rest('GET', MISSING), 404)
      errorOf(await stage.rest('GET', player), 404)
      errorOf(await stage.rest('PATCH', player, { body: {} }), 404)
      errorOf(await stage.rest('DELETE', player), 404)
      errorOf(await stage.rest('PATCH', '/v4/sessions/nosuchsession', { body: {} }), 404)
    },
  }),
  must('errors.player', rest('get-player'), {
    title: 'A player that does not exist is 404.',
    async run(stage) {
      const session = await stage.connect()
      const { message } = errorOf(await stage.rest('GET', session.path(SOME_GUILD)), 404)
      holds('The message names what is missing.', /player/i.test(message), 'a text about a player', message)
    },
  }),
  should('errors.guild-id', source('player/PlayerRestHandler.kt'), {
    title: 'A guild id that is no number is 400.',
    async run(stage) {
      const session = await stage.connect()
      for (const [method, body] of [
        ['GET', undefined],
        ['PATCH', {}],
      ] as const) {
        const answer = await stage.rest(method, session.path('not-a-number'), body === undefined ? {} : { body })
        errorOf(answer, 400)
      }
    },
  }),
  must('errors.no-5xx', rest('error-responses'), {
    title: 'What a client does wrong is a 4xx with a body, never a 5xx.',
    async run(stage) {
      const session = await stage.connect()
      const answers = [
        await stage.rest('GET', '/v4/loadtracks'),
        await stage.rest('GET', '/v4/decodetrack'),
        await stage.rest('POST', '/v4/decodetracks', { raw: '{' }),
        await stage.rest('PATCH', session.path(SOME_GUILD), { raw: '{"volume":' }),
        await stage.rest('PATCH', `/v4/sessions/${session.id}`, { raw: 'null' }),
      ]
      for (const answer of answers) {
        oneOf(`${answer.method} ${answer.path}`, answer.status, [400, 415, 422])
        shaped('The body is an error.', ErrorBody, answer.body)
      }
    },
  }),
]
