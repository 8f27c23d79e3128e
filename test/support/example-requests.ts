import { EXAMPLE_REQUEST } from '../../api/schemas/requests.ts'
import { createRequestIds, type LoggedRequest, type RequestLog } from '../../lib/request-log/request-log.ts'
import { projects } from './projects.ts'

const nextId = createRequestIds(() => Date.parse(EXAMPLE_REQUEST.at))

/** A request as the log keeps it; a success unless it is given otherwise. */
export function loggedRequest(given: Partial<LoggedRequest> = {}): LoggedRequest {
  return {
    id: nextId(),
    projectId: projects.one,
    keyId: 'key-linked',
    requestId: EXAMPLE_REQUEST.requestId,
    method: 'GET',
    operation: 'encodeBinary',
    route: '/v1/tools/binary/encode',
    path: null,
    status: 200,
    code: null,
    reason: null,
    message: null,
    durationMs: 1.5,
    address: '192.0.2.7',
    limitClass: 'cheap',
    limitPerMinute: 6000,
    limitRemaining: 5999,
    limitSpent: null,
    traceId: null,
    ...given,
  }
}

/** Finds anything that is asked for; records nothing. */
export const EXAMPLE_REQUESTS: RequestLog = {
  isOn: true,
  lateMs: 0,
  bodies: null,
  admits: () => false,
  nextId,
  add: () => undefined,
  list: async ({ requestId }) => [loggedRequest(requestId === undefined ? {} : { requestId })],
}
