import { ValueType, type HrTime } from '@opentelemetry/api'
import { hrTime, type InstrumentationScope } from '@opentelemetry/core'
import type { Resource } from '@opentelemetry/resources'
import { AggregationTemporality, DataPointType, type MetricData, type MetricProducer } from '@opentelemetry/sdk-metrics'
import { collect, PREFIX, type Metric, type MetricSource } from '../api/site/metrics.ts'

/** What `/metrics` tells, under the same names, in OpenTelemetry's own form. */
export function toMetricData(
  sources: readonly MetricSource[],
  scope: InstrumentationScope,
  resource: Resource,
): MetricProducer {
  const startTime = hrTime()
  return {
    async collect() {
      const told = await collect(sources)
      const endTime = hrTime()
      const metrics = told.map((metric) => convert(metric, startTime, endTime))
      return { resourceMetrics: { resource, scopeMetrics: [{ scope, metrics }] }, errors: [] }
    },
  }
}

function convert({ name, help, type, samples }: Metric, startTime: HrTime, endTime: HrTime): MetricData {
  const dataPoints = samples.map(({ labels = {}, value }) => ({ startTime, endTime, attributes: { ...labels }, value }))
  const common = {
    descriptor: { name: PREFIX + name, description: help, unit: '', valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    dataPoints,
  }
  return type === 'counter'
    ? { ...common, dataPointType: DataPointType.SUM, isMonotonic: true }
    : { ...common, dataPointType: DataPointType.GAUGE }
}
