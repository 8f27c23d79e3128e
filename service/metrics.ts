import { performance } from 'node:perf_hooks'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { AudioNode, NodeStats } from '../bot/audio/node/protocol.ts'
import type { BotManager } from '../bot/discord/bot-manager.ts'
import type { OutcomeCount, SourceStatus } from '../bot/sources/source-state.ts'
import type { Sources } from '../bot/sources/source.ts'
import type { PeerCounts } from '../cluster/cluster.ts'
import type { OpenRequestLog } from '../db/requests/request-log.ts'
import type { Repositories } from '../db/repositories.ts'
import type { JobSnapshot, OpenJobs } from '../jobs/queue/job-service.ts'
import type { Renderer } from '../jobs/worker/renderer-process.ts'
import { settleWithin } from '../lib/deadline.ts'
import type { WorkerHealth } from '../lib/workers/worker-health.ts'
import { collectMetrics, type Reading, type Sample } from '../telemetry/scrape-metrics.ts'
import type { OpenWebhooks } from '../webhooks/webhook-service.ts'

export interface Watched {
  readonly storage: Repositories['storage']
  readonly bots: Pick<BotManager, 'counts'>
  readonly nodes: readonly Pick<AudioNode, 'id' | 'isAlive' | 'stats'>[]
  readonly workers: () => readonly WorkerHealth[]
  /** Requests that went through unmetered because Redis was away or slow. */
  readonly letThrough: () => number
  readonly sharing: { counts(): PeerCounts }
  readonly renders: Pick<OpenJobs, 'counts'> & { readonly renderer: Pick<Renderer, 'isRunning' | 'restarts'> | null }
  readonly webhooks: Pick<OpenWebhooks, 'counts'>
  readonly sources: Pick<Sources, 'states' | 'outcomes'>
  readonly requests: Pick<OpenRequestLog, 'waiting' | 'dropped'>
}

/** An audio thread that does not answer must not hold up the others. */
const STATS_MS = 800

/** The registry of a service, with what is known of its process. */
export function createRegistry(version: string): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // Gauges, and without the ending they are there too, by type.
  for (const what of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${what}_total`)
  const build = new Gauge({
    name: 'bandstand_build_info',
    help: 'Always 1; its labels say what runs.',
    labelNames: ['version', 'node_version'],
    registers: [registry],
  })
  build.set({ version, node_version: process.version }, 1)
  collectMetrics(registry, () => performance.eventLoopUtilization(), EVENT_LOOP)
  return registry
}

/** Registers what is read from the parts of the service at each collection. */
export function collectService(registry: Registry, watched: Watched): void {
  const { storage, bots, nodes, workers, letThrough, sharing, renders, webhooks, sources, requests } = watched
  collectMetrics(registry, letThrough, LIMITER)
  collectMetrics(registry, () => storage, STORAGE)
  collectMetrics(registry, () => bots.counts(), BOTS)
  collectMetrics(registry, () => nodes, NODES)
  collectMetrics(registry, () => Promise.all(nodes.map(statsOf)), AUDIO)
  collectMetrics(registry, workers, WORKERS)
  collectMetrics(registry, () => sharing.counts(), PEERS)
  collectMetrics(registry, () => renders.renderer, RENDERER)
  collectMetrics(registry, () => renders.counts(), JOBS)
  collectMetrics(registry, () => webhooks.counts(), WEBHOOKS)
  collectMetrics(registry, () => sources.states(), SOURCES)
  collectMetrics(registry, () => sources.outcomes(), SOURCE_OUTCOMES)
  collectMetrics(registry, () => requests, REQUEST_LOG)
}

const EVENT_LOOP: readonly Reading<{ readonly active: number }>[] = [
  {
    name: 'event_loop_active_seconds_total',
    help: 'Time that the main thread was busy.',
    of: ({ active }) => active / 1000,
  },
]

const LIMITER: readonly Reading<number>[] = [
  {
    name: 'limiter_let_through_total',
    help: 'Requests that were not metered because Redis was away or slow.',
    of: (count) => count,
  },
]

const REQUEST_LOG: readonly Reading<Watched['requests']>[] = [
  {
    name: 'request_log_waiting',
    help: 'Requests that are not yet written into the log.',
    of: ({ waiting }) => waiting,
  },
  {
    name: 'request_log_dropped_total',
    help: 'Requests that are not in the log, since too many came or it could not be written.',
    of: ({ dropped }) => dropped,
  },
]

const STORAGE: readonly Reading<Repositories['storage']>[] = [
  {
    name: 'storage_writable',
    help: 'Whether changes can be saved: 0 on a full disk.',
    of: ({ problem }) => (problem() ? 0 : 1),
  },
  { name: 'storage_free_bytes', help: 'Room on the disk of DATA_DIR.', of: ({ freeBytes }) => freeBytes },
]

const BOTS: readonly Reading<ReturnType<BotManager['counts']>>[] = [
  { name: 'bots', help: 'Bots that this service runs.', of: ({ bots }) => bots },
  { name: 'bots_connected', help: 'Of these, connected to Discord.', of: ({ connectedBots }) => connectedBots },
  { name: 'players', help: 'Players that are open.', of: ({ players }) => players },
]

const NODES: readonly Reading<Watched['nodes']>[] = [
  {
    name: 'audio_node_up',
    help: 'Whether the audio thread lives.',
    labels: ['node'],
    of: (nodes) => nodes.map(({ id, isAlive }) => ({ labels: { node: id }, value: isAlive ? 1 : 0 })),
  },
]

interface NodeReading {
  readonly node: string
  /** Null: it did not answer. */
  readonly stats: NodeStats | null
}

async function statsOf(node: Watched['nodes'][number]): Promise<NodeReading> {
  let stats: NodeStats | null = null
  if (node.isAlive)
    await settleWithin(
      STATS_MS,
      node.stats().then((it) => void (stats = it)),
    )
  return { node: node.id, stats }
}

function ofNodes(name: string, help: string, value: (stats: NodeStats) => number): Reading<readonly NodeReading[]> {
  const of = (nodes: readonly NodeReading[]) =>
    nodes.flatMap(({ node, stats }) => (stats ? [{ labels: { node }, value: value(stats) }] : []))
  return { name: `audio_${name}`, help, labels: ['node'], of }
}

const AUDIO: readonly Reading<readonly NodeReading[]>[] = [
  ofNodes('frames_sent_total', 'Frames of 20 ms that were sent.', ({ sent }) => sent),
  ofNodes('frames_nulled_total', 'Silence sent because the source had nothing ready.', ({ nulled }) => nulled),
  ofNodes('frames_late_total', 'Frames sent more than 20 ms after their time.', ({ late }) => late),
  ofNodes('tracks_stuck_total', 'Times that a source gave nothing for ten seconds.', ({ stuck }) => stuck),
  ofNodes(
    'source_errors_total',
    'Tracks that could not be opened, or ended because of their source.',
    ({ sourceErrors }) => sourceErrors,
  ),
  ofNodes('joins_total', 'Players that got into a voice channel.', ({ joins }) => joins),
  {
    name: 'audio_rejoins_total',
    help: 'Voice connections that had to be restored.',
    labels: ['node', 'close_code'],
    of: (nodes) => nodes.flatMap(rejoinsOf),
  },
  ofNodes('players', 'Players of the audio thread.', ({ players }) => players),
  ofNodes(
    'thread_lag_seconds',
    'How late its timers are, one time in a hundred left out.',
    ({ lagMs }) => lagMs / 1000,
  ),
  ofNodes('cache_hits_total', 'Tracks that were encoded before when they were opened.', ({ cacheHits }) => cacheHits),
  ofNodes('cache_misses_total', 'Tracks that had to be encoded to be played.', ({ cacheMisses }) => cacheMisses),
  ofNodes('tracks_kept_total', 'Tracks that were encoded to be kept.', ({ pressed }) => pressed),
  ofNodes('tracks_measured_total', 'Tracks whose loudness was measured.', ({ measured }) => measured),
  ofNodes('transcodes_total', 'Times that ffmpeg was started to play something.', ({ transcodes }) => transcodes),
  ofNodes('cache_bytes', 'What the kept tracks take on the disk, as of the last look.', ({ cacheBytes }) => cacheBytes),
  ofNodes('cache_entries', 'Files that hold kept tracks and how loud they are.', ({ cacheEntries }) => cacheEntries),
]

function rejoinsOf({ node, stats }: NodeReading): readonly Sample[] {
  return Object.entries(stats?.rejoins ?? {}).map(([code, value]) => ({ labels: { node, close_code: code }, value }))
}

function ofWorkers(
  name: string,
  help: string,
  value: (worker: WorkerHealth) => number | null,
): Reading<readonly WorkerHealth[]> {
  const of = (workers: readonly WorkerHealth[]) =>
    workers.flatMap((worker) => {
      const now = value(worker)
      return now === null ? [] : [{ labels: { worker: worker.name }, value: now }]
    })
  return { name: `worker_${name}`, help, labels: ['worker'], of }
}

const WORKERS: readonly Reading<readonly WorkerHealth[]>[] = [
  ofWorkers('up', 'Whether a thread or child process responds.', ({ state }) => (state === 'hung' ? 0 : 1)),
  ofWorkers('busy_tasks', 'Tasks under way in it.', ({ busy }) => busy),
  ofWorkers('quarantined', 'Inputs that hung or crashed it.', ({ quarantined }) => quarantined),
  ofWorkers('restarts_total', 'How often it was replaced because it hung or crashed.', ({ restarts }) => restarts),
]

const PEERS: readonly Reading<PeerCounts>[] = [
  { name: 'peers', help: 'Other services of the installation that are there.', of: ({ services }) => services },
  {
    name: 'peer_events_total',
    help: 'Events for and of other services; dropped: Redis was away or slow.',
    labels: ['way'],
    of: ({ sent, received, dropped }) =>
      Object.entries({ sent, received, dropped }).map(([way, value]) => ({ labels: { way }, value })),
  },
  {
    name: 'peer_messages_refused_total',
    help: 'Messages in Redis that no service of ours, or a newer one, wrote.',
    of: ({ refused }) => refused,
  },
]

const RENDERER: readonly Reading<Pick<Renderer, 'isRunning' | 'restarts'>>[] = [
  { name: 'renderer_up', help: "Whether the service's own renderer runs.", of: ({ isRunning }) => (isRunning ? 1 : 0) },
  { name: 'renderer_restarts_total', help: 'How often it was started again.', of: ({ restarts }) => restarts },
]

const JOBS: readonly Reading<JobSnapshot>[] = [
  {
    name: 'jobs',
    help: 'Jobs that wait or are being done.',
    labels: ['type', 'state'],
    of: ({ queues }) =>
      queues.flatMap(({ type, pending, processing }) => [
        { labels: { type, state: 'pending' }, value: pending },
        { labels: { type, state: 'processing' }, value: processing },
      ]),
  },
  { name: 'job_workers', help: 'Renderers that are there, on all machines.', of: ({ workers }) => workers.length },
  {
    name: 'job_workers_with_browser',
    help: 'Of these, with a browser.',
    of: ({ workers }) => workers.filter((it) => it.hasBrowser).length,
  },
  {
    name: 'job_results_bytes',
    help: 'What their pictures take, as of the last sweep.',
    of: ({ results }) => results?.keptBytes ?? 0,
  },
]

const WEBHOOKS: readonly Reading<ReturnType<OpenWebhooks['counts']>>[] = [
  { name: 'webhooks', help: 'Webhooks that are there.', of: ({ webhooks }) => webhooks },
  {
    name: 'webhook_deliveries_waiting',
    help: 'Events that wait to be delivered, those to be tried again included.',
    of: ({ waiting }) => waiting,
  },
]

const SOURCES: readonly Reading<readonly SourceStatus[]>[] = [
  {
    name: 'source_up',
    help: 'Whether a music source that is on answers; searches pass over those that do not.',
    labels: ['source', 'state'],
    of: (states) =>
      states
        .filter(({ state }) => state !== 'off')
        .map(({ name, state, isFailing }) => ({ labels: { source: name, state }, value: isFailing ? 0 : 1 })),
  },
]

const SOURCE_OUTCOMES: readonly Reading<readonly OutcomeCount[]>[] = [
  {
    name: 'source_outcomes_total',
    help: 'Searches, links and openings that music sources were asked for, and what came of them.',
    labels: ['source', 'outcome'],
    of: (counts) => counts.map(({ name, outcome, count }) => ({ labels: { source: name, outcome }, value: count })),
  },
]
