import { ValueType } from '@opentelemetry/api'
import { hrTime, type InstrumentationScope } from '@opentelemetry/core'
import type { Resource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  DataPointType,
  type DataPoint,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics'
import type { MetricObjectWithValues, MetricValueWithName, Registry } from 'prom-client'

type Metric = MetricObjectWithValues<MetricValueWithName<string>>
type Span = Pick<DataPoint<number>, 'startTime' | 'endTime'>

/** All metrics of `registry`, under the same names, in OpenTelemetry's own form. */
export function toMetricData(registry: Registry, scope: InstrumentationScope, resource: Resource): MetricProducer {
  const startTime = hrTime()
  return {
    async collect() {
      const metrics = await registry.getMetricsAsJSON()
      const span = { startTime, endTime: hrTime() }
      const converted = metrics.map((metric) => convert(metric as unknown as Metric, span))
      return { resourceMetrics: { resource, scopeMetrics: [{ scope, metrics: converted }] }, errors: [] }
    },
  }
}

function convert(metric: Metric, span: Span): MetricData {
  const { name, help: description } = metric
  // The type is a word in the JSON of prom-client, and an enum of numbers in its types.
  const type = String(metric.type)
  const common = {
    descriptor: { name, description, unit: unitOf(name), valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  if (type === 'histogram') {
    return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: histogramPoints(metric, span) }
  }
  const dataPoints = metric.values.map(({ labels, value }) => ({ ...span, attributes: { ...labels }, value }))
  return type === 'counter'
    ? { ...common, dataPointType: DataPointType.SUM, dataPoints, isMonotonic: true }
    : { ...common, dataPointType: DataPointType.GAUGE, dataPoints }
}

/** Prometheus' buckets are cumulative and one sample each; here they are one point, each bucket counted alone. */
function histogramPoints({ name, values }: Metric, span: Span): DataPoint<Histogram>[] {
  const points = new Map<string, DataPoint<MutableHistogram>>()
  for (const { labels, value, metricName } of values) {
    const { le, ...attributes } = labels
    const key = JSON.stringify(attributes)
    const point = points.get(key) ?? { ...span, attributes, value: emptyHistogram() }
    points.set(key, point)
    if (metricName === `${name}_sum`) point.value.sum = value
    else if (metricName === `${name}_count`) point.value.count = value
    else addBucket(point.value.buckets, le === '+Inf' ? Infinity : Number(le), value)
  }
  return [...points.values()]
}

interface MutableHistogram {
  buckets: { boundaries: number[]; counts: number[] }
  sum: number
  count: number
}

function emptyHistogram(): MutableHistogram {
  return { buckets: { boundaries: [], counts: [] }, sum: 0, count: 0 }
}

function addBucket({ boundaries, counts }: MutableHistogram['buckets'], limit: number, cumulative: number): void {
  counts.push(cumulative - counts.reduce((sum, count) => sum + count, 0))
  if (Number.isFinite(limit)) boundaries.push(limit)
}

function unitOf(name: string): string {
  if (/_seconds(?:_total)?$/.test(name)) return 's'
  return name.endsWith('_bytes') ? 'By' : ''
}
