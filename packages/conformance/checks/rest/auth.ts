import { Refused } from '../../server/session.ts'
import { must, should, type Check } from '../../suite/check.ts'
import { rest, source, websocket } from '../../suite/docs.ts'
import { equal, oneOf } from '../../suite/expect.ts'
import type { Stage } from '../../suite/stage.ts'

const ROUTES = [
  ['GET', '/v4/info'],
  ['GET', '/v4/stats'],
  ['GET', '/v4/loadtracks?identifier=x'],
  ['GET', '/v4/decodetrack?encodedTrack=x'],
  ['GET', '/v4/sessions/none/players'],
  ['GET', '/v4/sessions/none/players/1'],
  ['DELETE', '/v4/sessions/none/players/1'],
  ['GET', '/v4/routeplanner/status'],
  ['POST', '/v4/routeplanner/free/all'],
] as const

const WRONG = 'certainly-not-the-password'

/** The status with which a socket is refused; null where it opens. */
async function dialled(stage: Stage, headers: Record<string, string | null>): Promise<number | null> {
  try {
    await stage.dial({ headers })
    return null
  } catch (error) {
    if (error instanceof Refused) return error.status
    throw error
  }
}

export const AUTH_CHECKS: readonly Check[] = [
  must('auth.missing', rest('rest-api'), {
    title: 'Every route refuses a request without a password.',
    async run(stage) {
      for (const [method, path] of ROUTES) {
        const { status } = await stage.rest(method, path, { password: null })
        oneOf(`${method} ${path}`, status, [401, 403])
      }
    },
  }),
  must('auth.wrong', rest('rest-api'), {
    title: 'Every route refuses a wrong password.',
    async run(stage) {
      for (const [method, path] of ROUTES) {
        const { status } = await stage.rest(method, path, { password: WRONG })
        oneOf(`${method} ${path}`, status, [401, 403])
      }
    },
  }),
  should('auth.statuses', source('config/RequestAuthorizationFilter.kt'), {
    title: 'A missing password is 401, a wrong one 403.',
    async run(stage) {
      const [missing, wrong] = [{ password: null }, { password: WRONG }]
      equal('Without a password', (await stage.rest('GET', '/v4/info', missing)).status, 401)
      equal('With a wrong one', (await stage.rest('GET', '/v4/info', wrong)).status, 403)
    },
  }),
  must('auth.prefix', rest('rest-api'), {
    title: 'A part of the password is not the password.',
    async run(stage) {
      const password = stage.server.password.slice(0, -1)
      oneOf('One letter less', (await stage.rest('GET', '/v4/info', { password })).status, [401, 403])
    },
  }),
  must('auth.socket-missing', websocket('opening-a-connection'), {
    title: 'The socket is refused without a password.',
    run: async (stage) => oneOf('The handshake', await dialled(stage, { authorization: null }), [401, 403]),
  }),
  must('auth.socket-wrong', websocket('opening-a-connection'), {
    title: 'The socket is refused with a wrong password.',
    run: async (stage) => oneOf('The handshake', await dialled(stage, { authorization: WRONG }), [401, 403]),
  }),
  should('auth.socket-status', source('io/HandshakeInterceptorImpl.kt'), {
    title: 'A socket with a wrong password is refused with 401.',
    run: async (stage) => equal('The handshake', await dialled(stage, { authorization: WRONG }), 401),
  }),
  must('auth.user-id', websocket('opening-a-connection'), {
    title: 'The socket is refused without a User-Id.',
    run: async (stage) => equal('The handshake', await dialled(stage, { 'user-id': null }), 400),
  }),
  should('auth.user-id-zero', source('io/HandshakeInterceptorImpl.kt'), {
    title: 'The socket is refused with a User-Id of 0.',
    run: async (stage) => equal('The handshake', await dialled(stage, { 'user-id': '0' }), 400),
  }),
  should('auth.client-name', source('io/SocketServer.kt'), {
    title: 'A client without Client-Name is let in, as old ones have none.',
    run: async (stage) => equal('The handshake', await dialled(stage, { 'client-name': null }), null),
  }),
]
