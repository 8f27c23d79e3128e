import type { MetricSource } from '../api/site/metrics.ts'
import type { Config } from '../config.ts'
import type { Logger } from '../lib/log.ts'
import { noopHooks, type TelemetryHooks } from '../lib/telemetry-hooks.ts'

export interface Watching {
  readonly observer: TelemetryHooks
  /** Tells these to whoever collects, for as long as `opening` stays open. */
  export(sources: readonly MetricSource[], opening: AsyncDisposableStack): void
}

/** Tells a collector of OpenTelemetry where one is configured; elsewhere nothing of it is even loaded. */
export async function openTelemetry(
  { telemetry, environment }: Config,
  { log, version }: { readonly log: Logger; readonly version: string },
  opening: AsyncDisposableStack,
): Promise<Watching> {
  if (!telemetry.isOn) return { observer: noopHooks, export: () => undefined }
  const it = await import('../telemetry/open-telemetry.ts')
  const open = opening.adopt(
    it.openTelemetry({ version, environment, log, metricsEveryMs: telemetry.metricsEveryMs }),
    (all) => all.close(),
  )
  return {
    observer: open.observer,
    export(sources, holder) {
      holder.adopt(open.export(sources), (reader) => reader.close())
    },
  }
}
