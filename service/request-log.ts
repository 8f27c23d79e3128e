import type { Config } from '../config.ts'
import { openRequestLog, type OpenRequestLog } from '../db/requests/request-log.ts'
import type { Repositories } from '../db/repositories.ts'
import type { Logger } from '../lib/log.ts'

/** The log of what each project asked for. */
export function openRequests(
  { dataDir, requestLog: { isOn, bounds } }: Config,
  { projects }: Pick<Repositories, 'projects'>,
  log: Logger,
  opening: AsyncDisposableStack,
): OpenRequestLog {
  const projectIds = () => projects.list().map(({ id }) => id)
  return opening.adopt(openRequestLog({ dataDir, isOn, bounds, projectIds, log }), (it) => it.close())
}
