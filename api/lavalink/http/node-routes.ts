import { Fault } from '../../../lib/errors.ts'
import { get, post, type LavalinkRoute } from './route.ts'

const ONE_ADDRESS =
  "Can't access disabled route planner: requests to music sites go out from one address, within a budget for each site."

/** About the node itself. */
export const nodeRoutes: readonly LavalinkRoute[] = [
  get('lavalink.info', '/v4/info', (_, { knowledge }) => knowledge.info()),
  get('lavalink.version', '/version', async (_, { knowledge }) => (await knowledge.info()).version.semver),
  get('lavalink.stats', '/v4/stats', (_, { sessions }) => ({ ...sessions.stats(), frameStats: null })),
  get('lavalink.routeplanner.status', '/v4/routeplanner/status', () => undefined),
  post('lavalink.routeplanner.free', '/v4/routeplanner/free/address', refuse),
  post('lavalink.routeplanner.freeAll', '/v4/routeplanner/free/all', refuse),
]

function refuse(): never {
  throw new Fault('internal_error', ONE_ADDRESS)
}
