import { Fault } from '../../../lib/errors.ts'
import type { LavalinkRoute } from './route.ts'

const ONE_ADDRESS =
  "Can't access disabled route planner: requests to music sites go out from one address, within a budget for each site."

/** About the node itself. */
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
  throw new Fault('internal_error', ONE_ADDRESS)
}
