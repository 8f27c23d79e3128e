import { performance } from 'node:perf_hooks'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { collectMetrics, type Reading } from './scrape-metrics.ts'

/** The lag of the event loop is measured by a timer, whose own step it contains. Each wakes the main thread, also at rest. */
const LAG_STEP_MS = 40

/** A registry with what is known of this process. */
export function createRegistry(version: string): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_STEP_MS })
  // Gauges, and without the ending they are there too, by type.
  for (const what of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${what}_total`)
  const build = new Gauge({
    name: 'bandstand_build_info',
    help: 'Always 1; the labels name the versions.',
    labelNames: ['version', 'node_version'],
    registers: [registry],
  })
  build.set({ version, node_version: process.version }, 1)
  collectMetrics(registry, () => performance.eventLoopUtilization(), EVENT_LOOP)
  return registry
}

const EVENT_LOOP: readonly Reading<{ readonly active: number }>[] = [
  {
    name: 'event_loop_active_seconds_total',
    help: 'Seconds the main thread was busy.',
    of: ({ active }) => active / 1000,
  },
]
