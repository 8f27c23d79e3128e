import { z } from 'zod'
import { ADDRESS_DETAILS } from '../../lib/request-log/request-log.ts'
import type { RequestBounds } from './logged-requests.ts'

/** The variables of the request log; `.env.example` explains each. */
export const REQUEST_LOG_ENV = {
  REQUEST_LOG: z.enum(['on', 'off']).default('on'),
  REQUEST_LOG_DAYS: z.coerce.number().int().min(1).max(366).default(7),
  REQUEST_LOG_ROWS: z.coerce.number().int().min(1000).max(10_000_000).default(200_000),
  REQUEST_LOG_ROWS_IN_ALL: z.coerce.number().int().min(1000).max(100_000_000).default(1_000_000),
  REQUEST_LOG_ADDRESSES: z.enum(ADDRESS_DETAILS).default('full'),
  TRACE_URL: z
    .url({ protocol: /^https?$/ })
    .refine((url) => url.includes('{traceId}'), 'Must contain {traceId}.')
    .optional(),
}

type Env = z.output<z.ZodObject<typeof REQUEST_LOG_ENV>>

export interface RequestLogSettings {
  readonly isOn: boolean
  readonly bounds: RequestBounds
  /** Address for viewing a trace, with `{traceId}` in it. */
  readonly traceUrl: string | null
}

export function requestLogSettings(env: Env): RequestLogSettings {
  return {
    isOn: env.REQUEST_LOG === 'on',
    bounds: {
      keptMs: env.REQUEST_LOG_DAYS * 86_400_000,
      rowsPerProject: env.REQUEST_LOG_ROWS,
      rowsInAll: env.REQUEST_LOG_ROWS_IN_ALL,
    },
    traceUrl: env.TRACE_URL ?? null,
  }
}
