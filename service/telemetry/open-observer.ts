import type { Registry } from 'prom-client'
import type { Logger } from '../../lib/log.ts'
import { loadOptional } from '../../lib/process/optional-package.ts'
import type { TelemetryHooks } from '../../lib/telemetry-hooks.ts'
import { createMetrics } from './metrics.ts'
import type { Spans } from './spans.ts'

interface OpenTelemetry {
  readonly observer: TelemetryHooks
  /** Exports the registry's metrics for as long as `opening` stays open. */
  readonly exportMetrics: (opening: AsyncDisposableStack) => void
}

interface TelemetrySettings {
  readonly telemetry: { readonly isOn: boolean; readonly metricsEveryMs: number }
  readonly environment: string
}

interface TelemetryParts {
  /** Unless OTEL_SERVICE_NAME is set. */
  readonly name: string
  readonly log: Logger
  readonly version: string
  readonly registry: Registry
}

/** Records into the registry, and exports to an OpenTelemetry collector if configured; otherwise loads nothing. */
export async function openTelemetry(
  { telemetry, environment }: TelemetrySettings,
  { name, log, version, registry }: TelemetryParts,
  opening: AsyncDisposableStack,
): Promise<OpenTelemetry> {
  const metrics = createMetrics(registry)
  if (!telemetry.isOn) return { observer: metrics, exportMetrics: () => undefined }
  const it = await loadOptional('OTEL_EXPORTER_OTLP_ENDPOINT', () => import('./open-telemetry.ts'))
  const open = opening.adopt(
    it.openTelemetry({ name, version, environment, log, metricsEveryMs: telemetry.metricsEveryMs }),
    (all) => all.close(),
  )
  return {
    observer: withSpans(metrics, open.spans),
    exportMetrics: (holder) => void holder.adopt(open.export(registry), (reader) => reader.close()),
  }
}

function withSpans(metrics: TelemetryHooks, spans: Spans): TelemetryHooks {
  return {
    ...metrics,
    answered(request) {
      metrics.answered(request)
      spans.answered(request)
    },
    called(upstream, outcome, durationMs) {
      metrics.called(upstream, outcome, durationMs)
      spans.called(upstream, outcome, durationMs)
    },
    opened(track) {
      metrics.opened(track)
      spans.opened(track)
    },
    forwarded: (request) => spans.answered(request),
    traceparent: (origin) => spans.traceparent(origin),
    queued: (jobId) => spans.queued(jobId),
    ended(job) {
      metrics.ended(job)
      spans.ended(job)
    },
  }
}
