import type { Registry } from 'prom-client'
import type { AudioNode, NodeStats } from '../../bot/audio/node/protocol.ts'
import type { OutcomeCount, SourceStatus } from '../../bot/sources/source-state.ts'
import type { Sources } from '../../bot/sources/source.ts'
import { settleWithin } from '../../lib/deadline.ts'
import type { WorkerHealth } from '../../lib/workers/worker-health.ts'
import { collectMetrics, type Reading, type Sample } from './scrape-metrics.ts'

/** The audio nodes, workers and sources that are measured. */
export interface WatchedMusic {
  readonly nodes: readonly Pick<AudioNode, 'id' | 'isAlive' | 'stats'>[]
  readonly workers: () => readonly WorkerHealth[]
  readonly sources: Pick<Sources, 'states' | 'outcomes'>
}

/** An audio thread that does not answer must not hold up the others. */
const STATS_MS = 800

/** Registers what is read from audio threads, workers and sources at each collection. */
export function collectMusic(registry: Registry, { nodes, workers, sources }: WatchedMusic): void {
  collectMetrics(registry, () => nodes, NODES)
  collectMetrics(registry, () => Promise.all(nodes.map(statsOf)), AUDIO)
  collectMetrics(registry, workers, WORKERS)
  collectMetrics(registry, () => sources.states(), [...SOURCES, ...SOURCE_WAYS])
  collectMetrics(registry, () => sources.outcomes(), SOURCE_OUTCOMES)
}

const NODES: readonly Reading<WatchedMusic['nodes']>[] = [
  {
    name: 'audio_node_up',
    help: '1 while the audio thread runs.',
    labels: ['node'],
    of: (nodes) => nodes.map(({ id, isAlive }) => ({ labels: { node: id }, value: isAlive ? 1 : 0 })),
  },
]

interface NodeReading {
  readonly node: string
  /** Null: it did not answer. */
  readonly stats: NodeStats | null
}

async function statsOf(node: WatchedMusic['nodes'][number]): Promise<NodeReading> {
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
  ofNodes('frames_sent_total', 'Audio frames sent, 20 ms each.', ({ sent }) => sent),
  ofNodes('frames_nulled_total', 'Silent frames sent because the source had no audio ready.', ({ nulled }) => nulled),
  ofNodes('frames_late_total', 'Frames sent more than 20 ms late.', ({ late }) => late),
  ofNodes('tracks_stuck_total', 'Tracks without audio from their source for ten seconds.', ({ stuck }) => stuck),
  ofNodes(
    'source_errors_total',
    'Tracks that failed to open, or ended early, because of their source.',
    ({ sourceErrors }) => sourceErrors,
  ),
  ofNodes('joins_total', 'Joined voice channels.', ({ joins }) => joins),
  {
    name: 'audio_rejoins_total',
    help: 'Restored voice connections.',
    labels: ['node', 'close_code'],
    of: (nodes) => nodes.flatMap(rejoinsOf),
  },
  ofNodes('players', 'Players on the audio thread.', ({ players }) => players),
  ofNodes('thread_lag_seconds', 'Timer lag of the audio thread, p99.', ({ lagMs }) => lagMs / 1000),
  ofNodes(
    'thread_utilization',
    'Share of the time that the audio thread was busy, 0 to 1.',
    ({ utilization }) => utilization,
  ),
  ofNodes('cache_hits_total', 'Opened tracks found in the track cache.', ({ cacheHits }) => cacheHits),
  ofNodes('cache_misses_total', 'Opened tracks not found in the track cache.', ({ cacheMisses }) => cacheMisses),
  ofNodes('tracks_kept_total', 'Tracks encoded for the track cache.', ({ pressed }) => pressed),
  ofNodes('tracks_measured_total', 'Tracks with a loudness measurement.', ({ measured }) => measured),
  ofNodes('transcodes_total', 'ffmpeg processes started for playback.', ({ transcodes }) => transcodes),
  ofNodes('cache_bytes', 'Size of the track cache at its last scan.', ({ cacheBytes }) => cacheBytes),
  ofNodes('cache_entries', 'Files in the track cache.', ({ cacheEntries }) => cacheEntries),
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
  ofWorkers('up', '1 while a worker thread or child process responds.', ({ state }) => (state === 'hung' ? 0 : 1)),
  ofWorkers('busy_tasks', 'Running tasks of the worker.', ({ busy }) => busy),
  ofWorkers(
    'quarantined',
    'Inputs in quarantine because they hung or crashed the worker.',
    ({ quarantined }) => quarantined,
  ),
  ofWorkers('restarts_total', 'Restarts of the worker after hangs and crashes.', ({ restarts }) => restarts),
]

const SOURCES: readonly Reading<readonly SourceStatus[]>[] = [
  {
    name: 'source_up',
    help: '1 while a music source responds; searches skip failing ones.',
    labels: ['source', 'state'],
    of: (states) =>
      states
        .filter(({ state }) => state !== 'off')
        .map(({ name, state, isFailing }) => ({ labels: { source: name, state }, value: isFailing ? 0 : 1 })),
  },
]

const SOURCE_WAYS: readonly Reading<readonly SourceStatus[]>[] = [
  {
    name: 'source_way',
    help: '1 for the way by which the last track of a source came; 0 for its other ways.',
    labels: ['source', 'way', 'state'],
    of: (states) =>
      states.flatMap(({ name, ways = [] }) =>
        ways.map(({ name: way, state }) => ({
          labels: { source: name, way, state },
          value: state === 'playing' ? 1 : 0,
        })),
      ),
  },
]

const SOURCE_OUTCOMES: readonly Reading<readonly OutcomeCount[]>[] = [
  {
    name: 'source_outcomes_total',
    help: 'Calls to music sources (search, link, open) by outcome.',
    labels: ['source', 'outcome'],
    of: (counts) => counts.map(({ name, outcome, count }) => ({ labels: { source: name, outcome }, value: count })),
  },
]
