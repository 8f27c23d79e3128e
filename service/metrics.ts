import type { Registry } from 'prom-client'
import type { BotManager } from '../bot/discord/bot-manager.ts'
import type { OpenRequestLog } from '../db/requests/request-log.ts'
import type { Repositories } from '../db/repositories.ts'
import type { JobSnapshot, OpenJobs } from '../jobs/queue/job-service.ts'
import type { Renderer } from '../jobs/worker/renderer-process.ts'
import { collectMusic, type WatchedMusic } from './telemetry/music-metrics.ts'
import { collectMetrics, type Reading } from './telemetry/scrape-metrics.ts'
import type { OpenPeerLink } from './cluster/forwarding/peer-link.ts'
import { countPeers, type PeerCounts } from './cluster/peers.ts'
import type { OpenWebhooks } from '../api/webhooks/webhook-service.ts'

interface Watched extends WatchedMusic {
  readonly storage: Repositories['storage']
  readonly bots: Pick<BotManager, 'counts'>
  /** Requests that went through unmetered because Redis was away or slow. */
  readonly failOpenCount: () => number
  readonly peers: OpenPeerLink | null
  readonly renders: Pick<OpenJobs, 'counts'> & { readonly renderer: Pick<Renderer, 'state' | 'restarts'> | null }
  readonly webhooks: Pick<OpenWebhooks, 'counts'>
  readonly requests: Pick<OpenRequestLog, 'waiting' | 'dropped'>
}

/** Registers what is read from the parts of the service at each collection. */
export function collectService(registry: Registry, watched: Watched): void {
  const { storage, bots, failOpenCount, peers, renders, webhooks, requests } = watched
  collectMusic(registry, watched)
  collectMetrics(registry, failOpenCount, LIMITER)
  collectMetrics(registry, () => storage, STORAGE)
  collectMetrics(registry, () => bots.counts(), BOTS)
  collectMetrics(registry, () => countPeers(peers), PEERS)
  collectMetrics(registry, () => renders.renderer, RENDERER)
  collectMetrics(registry, () => renders.counts(), JOBS)
  collectMetrics(registry, () => webhooks.counts(), WEBHOOKS)
  collectMetrics(registry, () => requests, REQUEST_LOG)
}

const LIMITER: readonly Reading<number>[] = [
  {
    name: 'limiter_let_through_total',
    help: 'Requests without rate limits because Redis was down or slow.',
    of: (count) => count,
  },
]

const REQUEST_LOG: readonly Reading<Watched['requests']>[] = [
  {
    name: 'request_log_waiting',
    help: 'Requests not yet written to the request log.',
    of: ({ waiting }) => waiting,
  },
  {
    name: 'request_log_dropped_total',
    help: 'Requests missing in the request log: too many at once, or a failed write.',
    of: ({ dropped }) => dropped,
  },
]

const STORAGE: readonly Reading<Repositories['storage']>[] = [
  {
    name: 'storage_writable',
    help: '1 while the database accepts writes, 0 on a full disk.',
    of: ({ problem }) => (problem() ? 0 : 1),
  },
  { name: 'storage_free_bytes', help: 'Free space on the disk of DATA_DIR.', of: ({ freeBytes }) => freeBytes },
]

const BOTS: readonly Reading<ReturnType<BotManager['counts']>>[] = [
  { name: 'bots', help: 'Bots of this service.', of: ({ bots }) => bots },
  {
    name: 'bots_connected',
    help: 'Bots of this service that are connected to Discord.',
    of: ({ connectedBots }) => connectedBots,
  },
  { name: 'players', help: 'Open players.', of: ({ players }) => players },
  {
    name: 'players_restoring',
    help: 'Saved players that are joining after a restart, or waiting for their turn.',
    of: ({ restoringPlayers }) => restoringPlayers,
  },
  {
    name: 'players_restored_total',
    help: 'Saved players restored since the start.',
    of: ({ restoredPlayers }) => restoredPlayers,
  },
]

const PEERS: readonly Reading<PeerCounts>[] = [
  { name: 'peers', help: 'Other active services of the installation.', of: ({ services }) => services },
  {
    name: 'peer_events_total',
    help: "Events sent to and received from other services, and events dropped because one didn't respond.",
    labels: ['way'],
    of: ({ sent, received, dropped }) =>
      Object.entries({ sent, received, dropped }).map(([way, value]) => ({ labels: { way }, value })),
  },
  {
    name: 'peer_messages_refused_total',
    help: 'Rejected events of services: unsigned, or from a newer version.',
    of: ({ refused }) => refused,
  },
]

const RENDERER: readonly Reading<Pick<Renderer, 'state' | 'restarts'>>[] = [
  {
    name: 'renderer_up',
    help: '1 while the renderer of this service runs, or sleeps until the next job.',
    of: ({ state }) => (state() === 'restarting' ? 0 : 1),
  },
  {
    name: 'renderer_asleep',
    help: '1 while the renderer of this service sleeps until the next job.',
    of: ({ state }) => (state() === 'asleep' ? 1 : 0),
  },
  { name: 'renderer_restarts_total', help: 'Restarts of the renderer.', of: ({ restarts }) => restarts() },
]

const JOBS: readonly Reading<JobSnapshot>[] = [
  {
    name: 'jobs',
    help: 'Waiting and running jobs.',
    labels: ['type', 'state'],
    of: ({ queues }) =>
      queues.flatMap(({ type, pending, processing }) => [
        { labels: { type, state: 'pending' }, value: pending },
        { labels: { type, state: 'processing' }, value: processing },
      ]),
  },
  {
    name: 'job_workers',
    help: 'Renderers on all machines, including sleeping ones.',
    of: ({ workers }) => workers.length,
  },
  {
    name: 'job_workers_with_browser',
    help: 'Renderers with a browser, including sleeping ones.',
    of: ({ workers }) => workers.filter((it) => it.hasBrowser).length,
  },
  {
    name: 'job_results_bytes',
    help: 'Size of the stored results at the last sweep.',
    of: ({ results }) => results?.keptBytes ?? 0,
  },
]

const WEBHOOKS: readonly Reading<Awaited<ReturnType<OpenWebhooks['counts']>>>[] = [
  { name: 'webhooks', help: 'Webhooks.', of: ({ webhooks }) => webhooks },
  {
    name: 'webhook_deliveries_waiting',
    help: 'Events waiting for delivery, including retries.',
    of: ({ waiting }) => waiting,
  },
]
