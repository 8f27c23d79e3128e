import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { eventually, startService, type RunningService } from '../support/service.ts'
import { serve, type Listening } from '../support/web.ts'
import { upstreamUrls } from '../../tools/stage/upstream-addresses.ts'

interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string; readonly doubleValue?: number }
}

interface Span {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly status: { readonly code: number }
  readonly attributes: readonly Attribute[]
}

const SERVER = 2
const CLIENT = 3

function valuesOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}

/** Data that an OpenTelemetry collector receives: OTLP over HTTP, as it arrives. */
describe('the export to OpenTelemetry', () => {
  let collector: Listening
  let upstream: Listening
  let service: RunningService
  let isDeaf = false
  const spans: Span[] = []
  const metrics = new Map<string, any>()
  const heads: Record<string, unknown>[] = []
  const resources: Record<string, unknown>[] = []

  function note({ resourceSpans = [], resourceMetrics = [] }: any): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      resources.push(valuesOf(resource.attributes))
      spans.push(...scopeSpans.flatMap((scope: any) => scope.spans))
    }
    for (const { scopeMetrics } of resourceMetrics) {
      for (const metric of scopeMetrics.flatMap((scope: any) => scope.metrics)) metrics.set(metric.name, metric)
    }
  }

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    heads.push(request.headers)
    note(JSON.parse(await text(request)))
    if (!isDeaf) response.setHeader('content-type', 'application/json').end('{}')
  }

  before(async () => {
    collector = await serve((request, response) => void receive(request, response))
    upstream = await serve((_, response) => response.writeHead(503).end())
    service = await startService({
      hasRenderer: true,
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=stage-left',
        OTEL_RESOURCE_ATTRIBUTES: 'host.name=music-1',
        OTEL_METRIC_EXPORT_INTERVAL: '500',
        OTEL_BSP_SCHEDULE_DELAY: '100',
        ...upstreamUrls({ 'open-meteo-geocoding': upstream.url }),
        EGRESS_ALLOW_HOSTS: '127.0.0.1',
      },
    })
  })
  after(async () => {
    await service.stop()
    await collector.close()
    await upstream.close()
  })

  const find = (isIt: (span: Span) => boolean) =>
    eventually(
      () => spans.find(isIt),
      (span) => span !== undefined,
    ) as Promise<Span>
  const ask = (path: string, init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {}) =>
    fetch(service.demo.baseUrl + path, {
      ...init,
      headers: { authorization: `Bearer ${service.demo.keys.linked}`, ...init.headers },
    })

  it('tells of a request its route, status and request id, as a part of the trace that the caller names', async () => {
    const [traceId, parentId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')]
    const requestId = `trace-me-${Date.now()}`
    const traceparent = `00-${traceId}-${parentId}-01`
    await ask('/v1/tools/binary/encode?text=private', { headers: { traceparent, 'x-request-id': requestId } })
    const span = await find((it) => it.traceId === traceId)
    expect(span).to.include({ name: 'GET /v1/tools/binary/encode', kind: SERVER, parentSpanId: parentId })
    const values = valuesOf(span.attributes)
    expect(values).to.include({
      'http.request.method': 'GET',
      'http.route': '/v1/tools/binary/encode',
      'http.response.status_code': 200,
      'url.path': '/v1/tools/binary/encode',
      'bandstand.operation': 'encodeBinary',
      'bandstand.request_id': requestId,
      'bandstand.project_id': service.demo.projectId,
    })
    expect(JSON.stringify(span)).not.to.include('private')
    const logged: any = await (await ask(`/v1/requests/${requestId}`)).json()
    expect(logged.data).to.include({ requestId, traceId, operation: 'encodeBinary' })
    const tookMs = Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6
    expect(tookMs).to.be.within(0, 10_000)
    expect(Number(BigInt(span.endTimeUnixNano) / 1_000_000n)).to.be.closeTo(Date.now(), 60_000)
  })

  it('leaves out what the caller decided not to trace', async () => {
    const traceId = randomBytes(16).toString('hex')
    await ask('/v1/status', { headers: { traceparent: `00-${traceId}-${'1f'.repeat(8)}-00` } })
    const later = `later-${Date.now()}`
    await ask('/v1/status', { headers: { 'x-request-id': later } })
    await find((it) => valuesOf(it.attributes)['bandstand.request_id'] === later)
    expect(spans.filter((it) => it.traceId === traceId)).to.deep.equal([])
  })

  it('tells of calls to outside services, tracks and jobs as parts of the requests that wanted them', async () => {
    const { guildId, voiceChannelId, queries } = service.demo
    const post = { method: 'POST', headers: { 'content-type': 'application/json' } }
    const body = JSON.stringify({ query: queries[0], channelId: voiceChannelId })
    await ask(`/v1/music/guilds/${guildId}/play`, { ...post, body })
    await ask('/v1/tools/weather?city=Paris')
    await ask(`/v1/tools/screenshot?url=${encodeURIComponent(upstream.url)}`)
    const parentOf = async (span: Span) => (await find((it) => it.spanId === span.parentSpanId)).name

    const call = await find(({ name }) => name.startsWith('call '))
    expect([call.kind, call.status.code, await parentOf(call)]).to.deep.equal([CLIENT, 2, 'GET /v1/tools/weather'])
    const track = await find(({ name }) => name === 'start track')
    expect(valuesOf(track.attributes)).to.include({
      'bandstand.guild_id': guildId,
      'bandstand.source': 'local',
      'bandstand.outcome': 'playing',
    })
    expect(await parentOf(track)).to.equal('POST /v1/music/guilds/{guildId}/play')
    const job = await find(({ name }) => name === 'do tools.screenshot')
    expect(valuesOf(job.attributes)).to.include({ 'bandstand.outcome': 'failed', 'error.type': 'upstream_failed' })
    expect(await parentOf(job)).to.equal('GET /v1/tools/screenshot')
  })

  it('tells every metric of /metrics under its name', async () => {
    await eventually(
      () => metrics.get('bandstand_http_requests_total'),
      (metric) => metric !== undefined,
    )
    const { isMonotonic, aggregationTemporality, dataPoints } = metrics.get('bandstand_http_requests_total').sum
    expect([isMonotonic, aggregationTemporality]).to.deep.equal([true, 2])
    expect(dataPoints.map((point: any) => valuesOf(point.attributes)['route'])).to.include('encodeBinary')
    const { aggregationTemporality: temporality, dataPoints: points } = metrics.get(
      'bandstand_http_request_duration_seconds',
    ).histogram
    expect(temporality).to.equal(2)
    for (const { count, sum, bucketCounts, explicitBounds } of points) {
      expect(bucketCounts).to.have.lengthOf(explicitBounds.length + 1)
      expect(bucketCounts.map(Number).reduce((all: number, one: number) => all + one, 0)).to.equal(Number(count))
      expect(sum).to.be.above(0)
    }
    const shown = await (await fetch(`${service.demo.baseUrl}/metrics`)).text()
    const names = [...shown.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
    await eventually(
      () => names.filter((name) => !metrics.has(String(name))),
      (missing) => missing.length === 0,
    )
  })

  it('says who it is, with what the operator adds', () => {
    expect(resources[0]).to.include({ 'service.name': 'bandstand', 'host.name': 'music-1' })
    expect(resources[0]?.['service.version']).to.match(/^\d/)
    expect(heads.every((head) => head['x-tenant'] === 'stage-left')).to.equal(true)
  })

  it('neither slows the service down nor holds up its stop when the collector hangs', async () => {
    isDeaf = true
    for (let i = 0; i < 50; i++) expect((await ask('/v1/status')).status).to.equal(200)
    await service.kill('SIGTERM')
    // Exit code 1 would mean a delayed shutdown.
    expect(service.process.exitCode, service.output()).to.equal(0)
  })
})
