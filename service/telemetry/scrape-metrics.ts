import { Counter, Gauge, type Registry } from 'prom-client'
import { settleWithin } from '../../lib/deadline.ts'

export interface Sample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** A metric that is read when it is asked for. A name that ends in `_total` is a counter, any other a gauge. */
export interface Reading<T> {
  /** Without the prefix that all have. */
  readonly name: string
  readonly help: string
  /** Names of the labels of its samples. */
  readonly labels?: readonly string[]
  /** Null: it is left out for now. */
  readonly of: (value: T) => number | readonly Sample[] | null
}

/** Time limit of a reading: a slow one must not hold up the rest. */
const READ_MS = 1000

/**
 * Registers metrics whose values are elsewhere, as in the audio thread or in Redis: `read` is called once for each
 * collection. What fails or takes more than a second is left out, alone.
 */
export function collectMetrics<T>(
  registry: Registry,
  read: () => T | null | Promise<T | null>,
  readings: readonly Reading<T>[],
): void {
  let pending: Promise<T | null> | null = null
  const readOnce = () => (pending ??= readInTime(read).finally(() => (pending = null)))
  for (const { name, help, labels: labelNames = [], of } of readings) {
    const Metric = name.endsWith('_total') ? Counter : Gauge
    const metric: Counter | Gauge = new Metric({
      name: `bandstand_${name}`,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const value = await readOnce()
        write(metric, value === null ? null : of(value))
      },
    })
  }
}

async function readInTime<T>(read: () => T | null | Promise<T | null>): Promise<T | null> {
  let value: T | null = null
  await settleWithin(
    READ_MS,
    Promise.try(read).then((it) => void (value = it)),
  )
  return value
}

function write(metric: Counter | Gauge, found: number | readonly Sample[] | null): void {
  metric.reset()
  // A metric without labels has a zero after its reset.
  metric.remove({})
  for (const { labels, value } of typeof found === 'number' ? [{ labels: {}, value: found }] : (found ?? [])) {
    if (metric instanceof Counter) metric.inc(labels, value)
    else metric.set(labels, value)
  }
}
