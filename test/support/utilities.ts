import { expect } from 'chai'
import { readConfig } from '../../config.ts'
import { createLog } from '../../lib/log.ts'
import { openUpstreamContext } from '../../upstream/http/context.ts'
import { createEgress } from '../../upstream/egress/egress-guard.ts'
import { createUpstreamCounters, type UpstreamCounters } from './upstreams/counters.ts'
import type { ScriptureStore } from '../../upstream/scripture/local.ts'
import { createLookups, type Lookups } from '../../upstream/lookups.ts'
import { startApi, type Called, type TestApi } from './api.ts'

export interface TestUtilities {
  readonly utilities: Lookups
  readonly metrics: UpstreamCounters
  readonly clock: { nowMs: number }
  close(): Promise<void>
}

export interface UtilityApi extends TestApi {
  readonly metrics: UpstreamCounters
}

const NOTHING_IMPORTED: ScriptureStore = {
  translations: async () => [],
  books: async () => [],
  chapter: async () => [],
  search: async () => [],
}

/** Real utilities, which the environment points at stand-ins. Retries are off by default. */
export function openTestUtilities(
  env: Readonly<Record<string, string>>,
  scripture: ScriptureStore = NOTHING_IMPORTED,
): TestUtilities {
  const metrics = createUpstreamCounters()
  const clock = { nowMs: Date.UTC(2026, 10, 21, 12) }
  const { utilities: settings } = readConfig({ UPSTREAM_RETRIES: '0', DETECT_MODEL: 'extrasmall', ...env })
  const log = createLog('silent')
  const egress = createEgress({ allowHosts: ['127.0.0.1', '::1'] })
  const now = () => clock.nowMs
  const outside = openUpstreamContext({ settings, log, metrics, now, date: now })
  const open = createLookups({ context: outside.context, settings, egress, scripture })
  return {
    utilities: open.utilities,
    metrics,
    clock,
    async close() {
      await open.close()
      await outside.close()
      await egress.close()
    },
  }
}

/** The API with real utilities behind it. */
export async function startUtilityApi(
  env: Readonly<Record<string, string>>,
  scripture?: ScriptureStore,
): Promise<UtilityApi> {
  const { utilities, metrics, clock, ...open } = openTestUtilities(env, scripture)
  const api = await startApi({ app: { ...utilities, now: () => clock.nowMs } })
  return {
    ...api,
    clock,
    metrics,
    async close() {
      await api.close()
      await open.close()
    },
  }
}

/** Data of a successful answer. */
export async function dataOf(answer: Promise<Called>): Promise<any> {
  const { status, body } = await answer
  expect(status, JSON.stringify(body)).to.equal(200)
  return body.data
}

/** Refusal of an answer: the status, the code and the first field that it names. */
export async function refusalOf(answer: Promise<Called>): Promise<readonly [number, string, string | undefined]> {
  const { status, body } = await answer
  return [status, body.error?.code, body.error?.details?.[0].field]
}
