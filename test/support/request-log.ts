import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRequestLog, type OpenRequestLog, type RequestLogOptions } from '../../db/requests/request-log.ts'
import type { RequestBounds } from '../../db/requests/request-store.ts'
import { createLog } from '../../lib/log.ts'

const BOUNDS = { keptMs: 7 * 86_400_000, rowsPerProject: 10_000, rowsInAll: 30_000 }

interface TemporaryOptions extends Partial<RequestLogOptions> {
  readonly bounds?: Partial<RequestBounds>
}

export interface TemporaryRequestLog {
  readonly requests: OpenRequestLog
  readonly dataDir: string
  /** Another one over the same file, as after a restart; the caller closes both. */
  reopen(): OpenRequestLog
  close(): Promise<void>
}

/** A log of requests in a folder of its own, which goes with it. */
export function temporaryRequestLog({ bounds, ...options }: TemporaryOptions = {}): TemporaryRequestLog {
  const dataDir = mkdtempSync(join(tmpdir(), 'bandstand-requests-'))
  const config = { dataDir, requestLog: { isOn: true, bounds: { ...BOUNDS, ...bounds } } }
  const open = () =>
    openRequestLog(config, { projects: { list: async () => [] }, log: createLog('silent'), ...options })
  const requests = open()
  return {
    requests,
    dataDir,
    reopen: open,
    async close() {
      await requests.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
