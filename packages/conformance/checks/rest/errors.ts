import { ErrorBody } from '../../server/schemas.ts'
import { ErrorView } from '../../server/views.ts'
import type { Answer } from '../../server/rest.ts'
import type { Check } from '../../suite/check.ts'
import { rest, source } from '../../suite/docs.ts'
import { equal, holds, oneOf, shaped, within } from '../../suite/expect.ts'
import { SOME_GUILD } from '../../suite/stage.ts'

const MISSING = '/v4/sessions/nosuchsession/players'

function errorOf(answer: Answer, status: number) {
  equal(`${answer.method} ${answer.path}`, answer.status, status)
  return shaped('The body is an object.', ErrorView, answer.body)
}

export const ERROR_CHECKS: readonly Check[] = [
  {
    id: 'errors.shape',
    level: 'must',
    title: 'A refusal has a body with timestamp, status, error, message and path.',
    link: rest('error-responses'),
    async run(stage) {
      const answer = await stage.rest('GET', MISSING)
      equal('The status', answer.status, 404)
      const error = shaped('The body is an error.', ErrorBody, answer.body)
      equal('status is that of the answer.', error.status, 404)
      equal('error is the text of the status.', error.error, 'Not Found')
    },
  },
  {
    id: 'errors.json',
    level: 'must',
    title: 'The body of a refusal is JSON by its Content-Type.',
    link: rest('error-responses'),
    async run(stage) {
      const { headers } = await stage.rest('GET', MISSING)
      const type = headers.get('content-type') ?? 'none'
      holds('The type is JSON.', type.startsWith('application/json'), 'application/json', type)
    },
  },
  {
    id: 'errors.path',
    level: 'must',
    title: 'path is the path of the request, without its query.',
    link: rest('error-responses'),
    async run(stage) {
      const error = errorOf(await stage.rest('GET', MISSING, { query: { trace: 'true' } }), 404)
      equal('path', error.path, MISSING)
    },
  },
  {
    id: 'errors.timestamp',
    level: 'must',
    title: 'timestamp is now, in milliseconds.',
    link: rest('error-responses'),
    async run(stage) {
      const error = errorOf(await stage.rest('GET', MISSING), 404)
      within('It differs from the clock here by', error.timestamp - Date.now(), -60_000, 60_000)
    },
  },
  {
    id: 'errors.trace',
    level: 'must',
    title: 'A stack trace comes with ?trace=true.',
    link: rest('error-responses'),
    async run(stage) {
      const { trace } = errorOf(await stage.rest('GET', MISSING, { query: { trace: 'true' } }), 404)
      holds('There is a trace.', typeof trace === 'string' && trace !== '', 'a text', trace ?? 'none')
    },
  },
  {
    id: 'errors.no-trace',
    level: 'must',
    title: 'Without ?trace=true there is no stack trace.',
    link: rest('error-responses'),
    async run(stage) {
      const { trace } = errorOf(await stage.rest('GET', MISSING), 404)
      equal('There is none.', trace ?? null, null)
    },
  },
  {
    id: 'errors.message',
    level: 'should',
    title: 'The message of an unknown session is “Session not found”, as the documentation shows.',
    link: rest('error-responses'),
    run: async (stage) => equal('message', errorOf(await stage.rest('GET', MISSING), 404).message, 'Session not found'),
  },
  {
    id: 'errors.unknown-route',
    level: 'must',
    title: 'An unknown route is 404 with the body of an error.',
    link: rest('error-responses'),
    run: async (stage) => void errorOf(await stage.rest('GET', '/v4/nothing-here'), 404),
  },
  {
    id: 'errors.method',
    level: 'should',
    title: 'A known route by another method is 405 with the body of an error.',
    link: rest('error-responses'),
    run: async (stage) => void errorOf(await stage.rest('PUT', '/v4/info', { body: {} }), 405),
  },
  {
    id: 'errors.session-routes',
    level: 'must',
    title: 'Every route of an unknown session is 404.',
    link: rest('error-responses'),
    async run(stage) {
      const player = `${MISSING}/${SOME_GUILD}`
      errorOf(await stage.rest('GET', MISSING), 404)
      errorOf(await stage.rest('GET', player), 404)
      errorOf(await stage.rest('PATCH', player, { body: {} }), 404)
      errorOf(await stage.rest('DELETE', player), 404)
      errorOf(await stage.rest('PATCH', '/v4/sessions/nosuchsession', { body: {} }), 404)
    },
  },
  {
    id: 'errors.player',
    level: 'must',
    title: 'A player that does not exist is 404.',
    link: rest('get-player'),
    async run(stage) {
      const session = await stage.connect()
      const { message } = errorOf(await stage.rest('GET', session.path(SOME_GUILD)), 404)
      holds('The message names what is missing.', /player/i.test(message), 'a text about a player', message)
    },
  },
  {
    id: 'errors.guild-id',
    level: 'should',
    title: 'A guild id that is no number is 400.',
    link: source('player/PlayerRestHandler.kt'),
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
  },
  {
    id: 'errors.no-5xx',
    level: 'must',
    title: 'What a client does wrong is a 4xx with a body, never a 5xx.',
    link: rest('error-responses'),
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
  },
]
