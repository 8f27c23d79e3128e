import { Refused } from '../../server/session.ts'
import type { Check } from '../../suite/check.ts'
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
  {
    id: 'auth.missing',
    level: 'must',
    title: 'Every route refuses a request without a password.',
    link: rest('rest-api'),
    async run(stage) {
      for (const [method, path] of ROUTES) {
        const { status } = await stage.rest(method, path, { password: null })
        oneOf(`${method} ${path}`, status, [401, 403])
      }
    },
  },
  {
    id: 'auth.wrong',
    level: 'must',
    title: 'Every route refuses a wrong password.',
    link: rest('rest-api'),
    async run(stage) {
      for (const [method, path] of ROUTES) {
        const { status } = await stage.rest(method, path, { password: WRONG })
        oneOf(`${method} ${path}`, status, [401, 403])
      }
    },
  },
  {
    id: 'auth.statuses',
    level: 'should',
    title: 'A missing password is 401, a wrong one 403.',
    link: source('config/RequestAuthorizationFilter.kt'),
    async run(stage) {
      const [missing, wrong] = [{ password: null }, { password: WRONG }]
      equal('Without a password', (await stage.rest('GET', '/v4/info', missing)).status, 401)
      equal('With a wrong one', (await stage.rest('GET', '/v4/info', wrong)).status, 403)
    },
  },
  {
    id: 'auth.prefix',
    level: 'must',
    title: 'A part of the password is not the password.',
    link: rest('rest-api'),
    async run(stage) {
      const password = stage.server.password.slice(0, -1)
      oneOf('One letter less', (await stage.rest('GET', '/v4/info', { password })).status, [401, 403])
    },
  },
  {
    id: 'auth.socket-missing',
    level: 'must',
    title: 'The socket is refused without a password.',
    link: websocket('opening-a-connection'),
    run: async (stage) => oneOf('The handshake', await dialled(stage, { authorization: null }), [401, 403]),
  },
  {
    id: 'auth.socket-wrong',
    level: 'must',
    title: 'The socket is refused with a wrong password.',
    link: websocket('opening-a-connection'),
    run: async (stage) => oneOf('The handshake', await dialled(stage, { authorization: WRONG }), [401, 403]),
  },
  {
    id: 'auth.socket-status',
    level: 'should',
    title: 'A socket with a wrong password is refused with 401.',
    link: source('io/HandshakeInterceptorImpl.kt'),
    run: async (stage) => equal('The handshake', await dialled(stage, { authorization: WRONG }), 401),
  },
  {
    id: 'auth.user-id',
    level: 'must',
    title: 'The socket is refused without a User-Id.',
    link: websocket('opening-a-connection'),
    run: async (stage) => equal('The handshake', await dialled(stage, { 'user-id': null }), 400),
  },
  {
    id: 'auth.user-id-zero',
    level: 'should',
    title: 'The socket is refused with a User-Id of 0.',
    link: source('io/HandshakeInterceptorImpl.kt'),
    run: async (stage) => equal('The handshake', await dialled(stage, { 'user-id': '0' }), 400),
  },
  {
    id: 'auth.client-name',
    level: 'should',
    title: 'A client without Client-Name is let in, as old ones have none.',
    link: source('io/SocketServer.kt'),
    run: async (stage) => equal('The handshake', await dialled(stage, { 'client-name': null }), null),
  },
]
