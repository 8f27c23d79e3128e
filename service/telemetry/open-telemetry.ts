import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { diag, DiagLogLevel } from '@opentelemetry/api'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { Registry } from 'prom-client'
import type { Logger } from '../../lib/log.ts'
import { settleWithin } from '../../lib/deadline.ts'
import { toMetricData } from './otlp-metrics.ts'
import { createSpans } from './spans.ts'

interface TelemetryOptions {
  readonly name: string
  readonly version: string
  readonly environment: string
  readonly log: Logger
  readonly metricsEveryMs: number
}

/** A collector that hangs holds up neither the queue nor a stop for longer. */
const EXPORT_MS = 5000
const GOODBYE_MS = 1000
/** Spans beyond this are dropped, so that a collector that is away costs no memory. */
const MOST_SPANS = 4096
/** Few enough to be written as JSON without anybody noticing. */
const BATCH_SPANS = 256
const COMPLAIN_EVERY_MS = 60_000

/**
 * Exports of the service to an OpenTelemetry collector.
 * The endpoint and sampling come from the variables of OpenTelemetry's own specification, which its packages read
 * themselves: `OTEL_EXPORTER_OTLP_…`, `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_TRACES_SAMPLER`.
 */
export function openTelemetry({ name, version, environment, log, metricsEveryMs }: TelemetryOptions) {
  hearComplaints(log)
  const connections = createConnections()
  const exporting = { timeoutMillis: EXPORT_MS, httpAgentOptions: (protocol: string) => connections.agentFor(protocol) }
  const resource = defaultResource()
    .merge(
      resourceFromAttributes({
        'service.name': name,
        'service.version': version,
        'service.instance.id': crypto.randomUUID(),
        'deployment.environment.name': environment,
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }))
  const traces = new BatchSpanProcessor(new OTLPTraceExporter(exporting), {
    maxQueueSize: MOST_SPANS,
    maxExportBatchSize: BATCH_SPANS,
    exportTimeoutMillis: EXPORT_MS,
  })
  const provider = new BasicTracerProvider({ resource, spanProcessors: [traces] })
  return {
    spans: createSpans(provider.getTracer('bandstand', version)),
    /** Exports these again and again, until it is closed. */
    export(registry: Registry): { close(): Promise<void> } {
      const reader = new PeriodicExportingMetricReader({
        exporter: new OTLPMetricExporter(exporting),
        exportIntervalMillis: metricsEveryMs,
        exportTimeoutMillis: Math.min(metricsEveryMs, EXPORT_MS),
        metricProducers: [toMetricData(registry, { name: 'bandstand', version }, resource)],
      })
      const meters = new MeterProvider({ resource, readers: [reader] })
      return { close: () => settleWithin(GOODBYE_MS, meters.shutdown()) }
    },
    async close() {
      await settleWithin(GOODBYE_MS, provider.shutdown())
      connections.close()
    },
  }
}

/** Requests to a collector that hangs must not keep the process alive. */
function createConnections() {
  const agents: HttpAgent[] = []
  return {
    agentFor(protocol: string): HttpAgent {
      const agent = protocol === 'https:' ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true })
      agents.push(agent)
      return agent
    },
    close: () => agents.forEach((agent) => agent.destroy()),
  }
}

function quiet(): void {}

/** The packages mostly complain, over and over, that the collector is away. */
function hearComplaints(log: Logger): void {
  let quietUntilMs = 0
  const complain = (why: string): void => {
    if (performance.now() < quietUntilMs) return
    quietUntilMs = performance.now() + COMPLAIN_EVERY_MS
    log.warn({ why: why.slice(0, 500) }, 'telemetry export failed')
  }
  const logger = { error: complain, warn: complain, info: quiet, debug: quiet, verbose: quiet }
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
}
