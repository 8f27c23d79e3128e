/** One measurement for whoever watches the service, as Prometheus names things. */
export interface Metric {
  /** With its unit, without the prefix that all have. */
  readonly name: string
  readonly help: string
  readonly type: 'counter' | 'gauge'
  readonly samples: readonly Sample[]
}

export interface Sample {
  readonly labels?: Readonly<Record<string, string | number>>
  readonly value: number
}

/** Tells what one part of the service counts. Asked each time that somebody looks. */
export type MetricSource = () => readonly Metric[] | Promise<readonly Metric[]>

export interface RequestCounts {
  count(route: string, status: number, durationMs: number): void
  readonly source: MetricSource
}

interface Tally {
  requests: number
  totalMs: number
}

/** Counts in memory. There are as many entries as routes have statuses, never one per caller. */
export function createRequestCounts(): RequestCounts {
  const routes = new Map<string, Map<number, Tally>>()

  function tallyOf(route: string, status: number): Tally {
    let statuses = routes.get(route)
    if (!statuses) routes.set(route, (statuses = new Map()))
    let tally = statuses.get(status)
    if (!tally) statuses.set(status, (tally = { requests: 0, totalMs: 0 }))
    return tally
  }

  return {
    count(route, status, durationMs) {
      const tally = tallyOf(route, status)
      tally.requests++
      tally.totalMs += durationMs
    },
    source() {
      const all = [...routes].flatMap(([route, statuses]) =>
        [...statuses].map(([status, tally]) => ({ labels: { route, status }, tally })),
      )
      const requests = all.map(({ labels, tally }) => ({ labels, value: tally.requests }))
      const seconds = all.map(({ labels, tally }) => ({ labels, value: tally.totalMs / 1000 }))
      return [
        counter('http_requests_total', 'Requests answered, by route and status.', requests),
        counter('http_request_seconds_total', 'Time spent on them.', seconds),
      ]
    },
  }
}

export function counter(name: string, help: string, samples: readonly Sample[]): Metric {
  return { name, help, type: 'counter', samples }
}

export function gauge(name: string, help: string, value: number): Metric {
  return { name, help, type: 'gauge', samples: [{ value }] }
}

/** Of all names. */
export const PREFIX = 'bandstand_'

/** What all tell now. A source that fails leaves out its own metrics and nobody else's. */
export async function collect(sources: readonly MetricSource[]): Promise<readonly Metric[]> {
  const told = await Promise.allSettled(sources.map(async (source) => source()))
  return told.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
}

/** Prometheus' text format, version 0.0.4. */
export async function renderMetrics(sources: readonly MetricSource[]): Promise<string> {
  return (await collect(sources)).map(render).join('')
}

function render({ name, help, type, samples }: Metric): string {
  const full = PREFIX + name
  const lines = samples.map(({ labels = {}, value }) => `${full}${renderLabels(labels)} ${value}\n`)
  return `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${lines.join('')}`
}

function renderLabels(labels: Readonly<Record<string, string | number>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(String(value))}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
