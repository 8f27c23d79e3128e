import { performance } from 'node:perf_hooks'
import { counter, gauge, type Metric, type MetricSource, type Sample } from '../api/site/metrics.ts'
import type { AudioNode, NodeStats } from '../bot/audio/node/protocol.ts'
import type { BotManager } from '../bot/discord/bot-manager.ts'
import type { JobSnapshot, JobCounts, Tally } from '../jobs/queue/job-metrics.ts'
import type { WorkerHealth } from '../lib/workers/worker-health.ts'
import type { PeerCounts } from '../cluster/cluster.ts'
import type { Renderer } from '../jobs/worker/renderer-process.ts'
import type { Repositories } from '../db/repositories.ts'
import type { UpstreamCounters } from '../upstream/http/metrics.ts'
import type { OpenWebhooks } from '../webhooks/webhook-service.ts'

export interface Watched {
  readonly storage: Repositories['storage']
  readonly bots: Pick<BotManager, 'counts'>
  readonly nodes: readonly Pick<AudioNode, 'id' | 'isAlive' | 'stats'>[]
  readonly workers: () => readonly WorkerHealth[]
  readonly upstreams: Pick<UpstreamCounters, 'snapshot'>
  /** Requests that went through unmetered because Redis was away or slow. */
  readonly letThrough: () => number
  readonly sharing: { counts(): PeerCounts }
  readonly renders: { readonly counts: JobCounts; readonly renderer: Pick<Renderer, 'isRunning' | 'restarts'> | null }
  readonly webhooks: Pick<OpenWebhooks, 'counts'>
}

type NumberOf = Exclude<keyof NodeStats, 'rejoins'>

/** An audio thread that does not answer must not hold up the rest. */
const STATS_PATIENCE_MS = 1000

/** What `/metrics` tells beyond the API's own counts. */
export function metricSources({
  storage,
  bots,
  nodes,
  workers,
  upstreams,
  letThrough,
  renders,
  webhooks,
  sharing,
}: Watched): readonly MetricSource[] {
  return [
    () => [
      counter('limiter_let_through_total', 'Requests that were not metered because Redis was away or slow.', [
        { value: letThrough() },
      ]),
    ],
    () => storageMetrics(storage),
    () => botMetrics(bots.counts()),
    () => audioMetrics(nodes),
    () => workerMetrics(workers()),
    () => upstreamMetrics(upstreams.snapshot()),
    () => peerMetrics(sharing.counts()),
    () => rendererMetrics(renders.renderer),
    async () => jobMetrics(await renders.counts.snapshot()),
    () => webhookMetrics(webhooks.counts()),
    processMetrics,
  ]
}

function storageMetrics({ problem, freeBytes }: Repositories['storage']): readonly Metric[] {
  return [
    gauge('storage_writable', 'Whether changes can be saved: 0 on a full disk.', problem() ? 0 : 1),
    ...(freeBytes === null ? [] : [gauge('storage_free_bytes', 'Room on the disk of DATA_DIR.', freeBytes)]),
  ]
}

function botMetrics({ bots, connectedBots, players }: ReturnType<BotManager['counts']>): readonly Metric[] {
  return [
    gauge('bots', 'Bots that this service runs.', bots),
    gauge('bots_connected', 'Of these, connected to Discord.', connectedBots),
    gauge('players', 'Players that are open.', players),
  ]
}

async function audioMetrics(nodes: Watched['nodes']): Promise<readonly Metric[]> {
  const stats = await Promise.all(nodes.map(async (node) => ({ id: node.id, stats: await statsOf(node) })))
  const samplesOf = (field: NumberOf) =>
    stats.flatMap(({ id, stats: of }) => (of ? [{ labels: { node: id }, value: of[field] }] : []))
  const count = (name: string, help: string, field: NumberOf) => counter(`audio_${name}_total`, help, samplesOf(field))
  const level = (name: string, help: string, field: NumberOf): Metric => {
    return { name: `audio_${name}`, help, type: 'gauge', samples: samplesOf(field) }
  }
  const up = nodes.map(({ id, isAlive }) => ({ labels: { node: id }, value: isAlive ? 1 : 0 }))
  return [
    { name: 'audio_node_up', help: 'Whether the audio thread lives.', type: 'gauge', samples: up },
    count('frames_sent', 'Frames of 20 ms that were sent.', 'sent'),
    count('frames_nulled', 'Silence sent because the source had nothing ready.', 'nulled'),
    count('frames_late', 'Frames sent more than 20 ms after their time.', 'late'),
    count('tracks_stuck', 'Times that a source gave nothing for ten seconds.', 'stuck'),
    count('source_errors', 'Tracks that could not be opened, or ended because of their source.', 'sourceErrors'),
    count('joins', 'Players that got into a voice channel.', 'joins'),
    counter('audio_rejoins_total', 'Voice connections that had to be restored.', rejoinsOf(stats)),
    level('players', 'Players of the audio thread.', 'players'),
    level('thread_lag_milliseconds', 'How late its timers are, one time in a hundred left out.', 'lagMs'),
    count('cache_hits', 'Tracks that were encoded before when they were opened.', 'cacheHits'),
    count('cache_misses', 'Tracks that had to be encoded to be played.', 'cacheMisses'),
    count('tracks_kept', 'Tracks that were encoded to be kept.', 'pressed'),
    count('tracks_measured', 'Tracks whose loudness was measured.', 'measured'),
    count('transcodes', 'Times that ffmpeg was started to play something.', 'transcodes'),
    level('cache_bytes', 'What the kept tracks take on the disk, as of the last look.', 'cacheBytes'),
    level('cache_entries', 'Files that hold kept tracks and how loud they are.', 'cacheEntries'),
  ]
}

function rejoinsOf(stats: readonly { readonly id: string; readonly stats: NodeStats | null }[]): readonly Sample[] {
  return stats.flatMap(({ id, stats: of }) =>
    Object.entries(of?.rejoins ?? {}).map(([closeCode, value]) => ({ labels: { node: id, closeCode }, value })),
  )
}

async function statsOf(node: Watched['nodes'][number]): Promise<NodeStats | null> {
  if (!node.isAlive) return null
  const patience = Promise.withResolvers<null>()
  const timer = setTimeout(() => patience.resolve(null), STATS_PATIENCE_MS)
  const stats = await Promise.race([node.stats().catch(() => null), patience.promise])
  clearTimeout(timer)
  return stats
}

function workerMetrics(workers: readonly WorkerHealth[]): readonly Metric[] {
  const each = (pick: (worker: WorkerHealth) => number | null) =>
    workers.flatMap((worker) => {
      const value = pick(worker)
      return value === null ? [] : [{ labels: { worker: worker.name }, value }]
    })
  const up = each(({ state }) => (state === 'hung' ? 0 : 1))
  const busy = each((worker) => worker.busy)
  const quarantined = each((worker) => worker.quarantined)
  const restarts = each((worker) => worker.restarts)
  return [
    { name: 'worker_up', help: 'Whether a thread or child process responds.', type: 'gauge', samples: up },
    { name: 'worker_busy_tasks', help: 'Tasks under way in it.', type: 'gauge', samples: busy },
    { name: 'worker_quarantined', help: 'Inputs that hung or crashed it.', type: 'gauge', samples: quarantined },
    counter('worker_restarts_total', 'How often it was replaced because it hung or crashed.', restarts),
  ]
}

function upstreamMetrics(counts: ReturnType<UpstreamCounters['snapshot']>): readonly Metric[] {
  const each = Object.entries(counts)
  const by = (field: 'calls' | 'cache') =>
    each.flatMap(([upstream, of]) =>
      Object.entries(of[field]).map(([outcome, value]) => ({ labels: { upstream, outcome }, value })),
    )
  const retries = each.map(([upstream, of]) => ({ labels: { upstream }, value: of.retries }))
  const busy = each.map(([upstream, of]) => ({ labels: { upstream }, value: of.busyMs / 1000 }))
  return [
    counter('upstream_calls_total', 'Calls to outside services, retries included.', by('calls')),
    counter('upstream_cache_total', 'Looks into the caches of their answers.', by('cache')),
    counter('upstream_retries_total', 'Calls that were made once more.', retries),
    counter('upstream_call_seconds_total', 'Time spent in calls.', busy),
  ]
}

function peerMetrics({ services, sent, received, dropped, refused }: PeerCounts): readonly Metric[] {
  const events = Object.entries({ sent, received, dropped }).map(([way, value]) => ({ labels: { way }, value }))
  return [
    gauge('peers', 'Other services of the installation that are there.', services),
    counter('peer_events_total', 'Events for and of other services; dropped: Redis was away or slow.', events),
    counter('peer_messages_refused_total', 'Messages in Redis that no service of ours, or a newer one, wrote.', [
      { value: refused },
    ]),
  ]
}

function rendererMetrics(renderer: Watched['renders']['renderer']): readonly Metric[] {
  if (!renderer) return []
  return [
    gauge('renderer_up', "Whether the service's own renderer runs.", renderer.isRunning ? 1 : 0),
    counter('renderer_restarts_total', 'How often it was started again.', [{ value: renderer.restarts }]),
  ]
}

function jobMetrics(jobs: JobSnapshot | null): readonly Metric[] {
  if (!jobs) return []
  const { queues, tallies, workers, results } = jobs
  const waiting = queues.flatMap(({ type, pending, processing }) => [
    { labels: { type, state: 'pending' }, value: pending },
    { labels: { type, state: 'processing' }, value: processing },
  ])
  const each = (pick: (tally: Tally) => number) =>
    tallies.map((tally) => ({ labels: { type: tally.type, outcome: tally.outcome }, value: pick(tally) }))
  return [
    { name: 'jobs', help: 'Jobs that wait or are being done.', type: 'gauge', samples: waiting },
    counter(
      'jobs_ended_total',
      'Jobs that ended.',
      each((tally) => tally.jobs),
    ),
    counter(
      'job_seconds_total',
      'Time they took once they were begun.',
      each((tally) => tally.runMs / 1000),
    ),
    counter(
      'job_wait_seconds_total',
      'Time they waited before.',
      each((tally) => tally.waitMs / 1000),
    ),
    gauge('job_workers', 'Renderers that are there, on all machines.', workers.length),
    gauge('job_workers_with_browser', 'Of these, with a browser.', workers.filter((it) => it.hasBrowser).length),
    gauge('job_results_bytes', 'What their pictures take, as of the last sweep.', results?.keptBytes ?? 0),
  ]
}

function webhookMetrics(counts: ReturnType<OpenWebhooks['counts']>): readonly Metric[] {
  return [
    gauge('webhooks', 'Webhooks that are there.', counts.webhooks),
    gauge(
      'webhook_deliveries_waiting',
      'Events that wait to be delivered, those to be tried again included.',
      counts.waiting,
    ),
    counter(
      'webhook_deliveries_total',
      'Events that were queued for webhooks, and what became of them.',
      byOutcome(counts.deliveries),
    ),
    counter('webhook_attempts_total', 'Attempts to deliver one.', byOutcome(counts.attempts)),
    counter('webhook_attempt_seconds_total', 'Time spent on them.', [{ value: counts.attemptMs / 1000 }]),
    counter('webhooks_disabled_total', 'Webhooks that were disabled since nothing arrived.', [
      { value: counts.disabled },
    ]),
  ]
}

function byOutcome(numbers: ReadonlyMap<string, number>): readonly Sample[] {
  return [...numbers].map(([outcome, value]) => ({ labels: { outcome }, value }))
}

function processMetrics(): readonly Metric[] {
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return [
    gauge('process_resident_memory_bytes', 'Memory of the process, its threads included.', rss),
    gauge('process_heap_used_bytes', 'Of this, objects of the main thread.', heapUsed),
    counter('process_cpu_seconds_total', 'Processor time of the process.', [{ value: (user + system) / 1e6 }]),
    gauge('main_thread_utilization', 'Share of its life that the main thread was busy.', busyShare()),
  ]
}

function busyShare(): number {
  return Math.round(performance.eventLoopUtilization().utilization * 10_000) / 10_000
}
