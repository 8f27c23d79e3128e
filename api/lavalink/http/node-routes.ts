import { Fault } from '../../../lib/errors.ts'
import type { LavalinkRoute } from './route.ts'

/** About the node itself. There is no route planner: requests to sources go out from one address. */
export const nodeRoutes: readonly LavalinkRoute[] = [
  { id: 'lavalink.info', method: 'GET', path: '/v4/info', run: (_, { knowledge }) => knowledge.info() },
  {
    id: 'lavalink.version',
    method: 'GET',
    path: '/version',
    run: async (_, { knowledge }) => (await knowledge.info()).version.semver,
  },
  {
    id: 'lavalink.stats',
    method: 'GET',
    path: '/v4/stats',
    run: (_, { sessions }) => ({ ...sessions.stats(), frameStats: null }),
  },
  { id: 'lavalink.routeplanner.status', method: 'GET', path: '/v4/routeplanner/status', run: () => undefined },
  { id: 'lavalink.routeplanner.free', method: 'POST', path: '/v4/routeplanner/free/address', run: refuse },
  { id: 'lavalink.routeplanner.freeAll', method: 'POST', path: '/v4/routeplanner/free/all', run: refuse },
]

function refuse(): never {
  throw new Fault('internal_error', "Can't access disabled route planner")
}
