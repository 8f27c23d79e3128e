import { Counter, Histogram, type Registry } from 'prom-client'
import { noopHooks, type TelemetryHooks } from '../../lib/telemetry-hooks.ts'

/** Buckets from cached answers to screenshots and long polls. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const JOB_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80]

/** Registers what is counted as it happens. An end of a request costs about 1 µs. */
export function createMetrics(registry: Registry): TelemetryHooks {
  const registers = [registry]
  const counter = <T extends string>(name: string, help: string, labelNames: readonly T[] = []) =>
    new Counter({ name: `bandstand_${name}_total`, help, labelNames, registers })
  const histogram = <T extends string>(name: string, help: string, labelNames: readonly T[], buckets: number[]) =>
    new Histogram({ name: `bandstand_${name}_seconds`, help, labelNames, buckets, registers })

  const requests = counter('http_requests', 'Completed requests.', ['route', 'method', 'status'])
  const requestSeconds = histogram(
    'http_request_duration',
    'Time from the headers of a request to the end of its response.',
    ['route', 'method', 'status_class'],
    REQUEST_BUCKETS,
  )
  const outcome = ['upstream', 'outcome'] as const
  const calls = histogram('upstream_call_duration', 'Calls to outside services.', outcome, REQUEST_BUCKETS)
  const retries = counter('upstream_retries', 'Retried calls to outside services.', ['upstream'])
  const lookups = counter('upstream_cache_lookups', 'Cache lookups for responses of outside services.', outcome)
  const tracks = histogram(
    'track_start_duration',
    'Time from opening a track to its first frame.',
    ['source', 'outcome'],
    REQUEST_BUCKETS,
  )
  const jobLabels = ['type', 'outcome'] as const
  const jobWaits = histogram('job_wait', 'Time that jobs waited in the queue.', jobLabels, JOB_BUCKETS)
  const jobs = histogram('job_duration', 'Time from the start of a job to its end.', jobLabels, JOB_BUCKETS)
  const attempts = histogram('webhook_attempt_duration', 'Delivery attempts of webhooks.', ['outcome'], REQUEST_BUCKETS)
  const deliveries = counter('webhook_deliveries', 'Webhook events by outcome.', ['outcome'])
  const autoplay = counter('autoplay_tracks', 'Tracks of autoplay, by recommender and outcome.', [
    'provider',
    'outcome',
  ])
  const disabled = counter('webhooks_disabled', 'Webhooks disabled after failing deliveries.')

  return {
    ...noopHooks,
    answered({ route, method: given, status, durationMs }) {
      const id = route?.id ?? 'none'
      // Any word may be sent as a method, and each would stay in memory.
      const method = METHODS.has(given) ? given : 'other'
      requests.inc({ route: id, method, status })
      requestSeconds.observe({ route: id, method, status_class: statusClass(status) }, durationMs / 1000)
    },
    called: (upstream, how, durationMs) => calls.observe({ upstream, outcome: how }, durationMs / 1000),
    retried: (upstream) => retries.inc({ upstream }),
    looked: (upstream, how) => lookups.inc({ upstream, outcome: how }),
    opened: ({ source, outcome: how, durationMs }) => tracks.observe({ source, outcome: how }, durationMs / 1000),
    queued() {},
    ended({ type, status, createdAtMs, startedAtMs, finishedAtMs }) {
      const labels = { type, outcome: status === 'failed' ? 'failed' : 'completed' }
      jobWaits.observe(labels, secondsBetween(createdAtMs, startedAtMs ?? createdAtMs))
      jobs.observe(labels, secondsBetween(startedAtMs ?? finishedAtMs, finishedAtMs))
    },
    webhookAttempted: (how, durationMs) => attempts.observe({ outcome: how }, durationMs / 1000),
    webhookDelivery: (how) => deliveries.inc({ outcome: how }),
    webhookDisabled: () => disabled.inc(),
    autoplayed: (provider, how) => autoplay.inc({ provider, outcome: how }),
  }
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

function statusClass(status: number): string {
  return `${Math.floor(status / 100)}xx`
}

/** The clocks of two machines may differ by more than a job takes. */
function secondsBetween(startMs: number, endMs: number): number {
  return Math.max(0, endMs - startMs) / 1000
}
