import { readConfig } from '../../config.ts'
import { createLog } from '../../log.ts'
import { openUpstreamContext } from '../../upstream/context.ts'
import { createEgress } from '../../upstream/egress.ts'
import { createUpstreamCounters, type UpstreamCounters } from '../../upstream/metrics.ts'
import type { ScriptureStore } from '../../upstream/scripture/local.ts'
import { createUtilities } from '../../upstream/utilities.ts'
import { startApi, type TestApi } from './api.ts'

export interface UtilityApi extends TestApi {
  readonly metrics: UpstreamCounters
}

const NOTHING_IMPORTED: ScriptureStore = {
  translations: () => [],
  books: () => [],
  chapter: () => [],
  search: () => [],
}

/** The API with real utilities behind it, which the environment points at stand-ins. Retries are off unless told. */
export async function startUtilityApi(
  env: Readonly<Record<string, string>>,
  scripture: ScriptureStore = NOTHING_IMPORTED,
): Promise<UtilityApi> {
  const metrics = createUpstreamCounters()
  const clock = { nowMs: Date.UTC(2026, 10, 21, 12) }
  const { utilities: settings } = readConfig({ UPSTREAM_RETRIES: '0', DETECT_MODEL: 'extrasmall', ...env })
  const log = createLog('silent')
  const egress = createEgress({ allowHosts: ['127.0.0.1', '::1'] })
  const now = () => clock.nowMs
  const outside = openUpstreamContext({ settings, log, metrics, version: 'test', now })
  const open = createUtilities({ context: outside.context, settings, egress, scripture })
  const api = await startApi({ app: { ...open.utilities, now } })
  return {
    ...api,
    clock,
    metrics,
    async close() {
      await api.close()
      await open.close()
      await outside.close()
      await egress.close()
    },
  }
}
