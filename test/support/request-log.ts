import { createLoggedRequests, type RequestBounds } from '../../db/requests/logged-requests.ts'
import { openRequestLog, type OpenRequestLog, type RequestLogOptions } from '../../db/requests/request-log.ts'
import { createLog } from '../../lib/log.ts'
import { temporaryDatabase, type TemporaryDatabase } from './database.ts'

const BOUNDS = { keptMs: 7 * 86_400_000, rowsPerProject: 10_000, rowsInAll: 30_000 }

interface TemporaryOptions extends Partial<RequestLogOptions> {
  readonly bounds?: Partial<RequestBounds>
}

export interface TemporaryRequestLog extends Pick<TemporaryDatabase, 'db' | 'dataDir'> {
  readonly requests: OpenRequestLog
  /** Another one over the same database, as after a restart; the caller closes both. */
  reopen(isOn?: boolean): OpenRequestLog
  close(): Promise<void>
}

/** A log of requests in a database of its own, which goes with it. */
export function temporaryRequestLog({ bounds, ...options }: TemporaryOptions = {}): TemporaryRequestLog {
  const { db, store, dataDir, close } = temporaryDatabase()
  const records = createLoggedRequests(store)
  const open = (isOn = true) =>
    openRequestLog(
      { dataDir, requestLog: { isOn, bounds: { ...BOUNDS, ...bounds } } },
      { records, log: createLog('silent'), ...options },
    )
  const requests = open()
  return {
    db,
    requests,
    dataDir,
    reopen: open,
    async close() {
      await requests.close()
      close()
    },
  }
}
