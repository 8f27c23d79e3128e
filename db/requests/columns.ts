import type { LoggedRequest } from '../../lib/request-log/request-log.ts'

/** The columns of both request logs, the file's and the shared table's. */
export const COLUMNS = {
  id: 'id',
  projectId: 'project_id',
  keyId: 'key_id',
  requestId: 'request_id',
  method: 'method',
  operation: 'operation',
  route: 'route',
  path: 'path',
  status: 'status',
  code: 'code',
  reason: 'reason',
  message: 'message',
  durationMs: 'duration_ms',
  address: 'address',
  limitClass: 'limit_class',
  limitPerMinute: 'limit_per_minute',
  limitRemaining: 'limit_remaining',
  limitSpent: 'limit_spent',
  traceId: 'trace_id',
} as const satisfies Record<keyof LoggedRequest, string>
export const NAMES = Object.keys(COLUMNS) as (keyof LoggedRequest)[]
