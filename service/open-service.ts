import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { bindPort } from '../api/http/connections/bound-port.ts'
import { listen } from '../api/http/server.ts'
import type { BotManager } from '../bot/discord/bot-manager.ts'
import type { SandboxChild } from 'bandstand-sandbox'
import { createEventBus } from '../bot/event-bus.ts'
import { createReader } from '../bot/sources/library/reader.ts'
import type { SourceStatus } from '../bot/sources/source-state.ts'
import type { Config } from '../config.ts'
import { DEMO_TRACKS, ensureDemoTracks } from './demo/demo-tracks.ts'
import { endDemo, ensureDemo, publishDemo, type DemoIdentity } from './demo/demo.ts'
import { createImages } from '../jobs/images/images.ts'
import { readMachine, sizesFor } from '../lib/process/machine.ts'
import { collectGarbage } from '../lib/process/collect-garbage.ts'
import { VERSION as version } from '../lib/identity.ts'
import { collectService } from './metrics.ts'
import { openTelemetry } from './telemetry/open-observer.ts'
import { createRegistry } from './telemetry/registry.ts'
import { watchWorkers } from './telemetry/workers.ts'
import { registerToken } from './bootstrap-bot.ts'
import { firstEntry, inviteFirst } from './pages/dashboard.ts'
import { openRenders } from './jobs.ts'
import { createDeparture } from './cluster/departure.ts'
import { healthOf } from './health.ts'
import { openLavalink } from './lavalink/open-lavalink.ts'
import { connectPeers } from './cluster/peers.ts'
import { openLimits, openRedis } from './limits.ts'
import { openAudio, openBots, openCoverAddresses } from './music.ts'
import { openHttpClients } from './http-clients.ts'
import { openDirectory } from './cluster.ts'
import { loadMiddleware } from './middleware.ts'
import { createPages } from './pages/web-player.ts'
import { openWebhooks } from './webhooks.ts'
import type { StepOptions } from '../lib/workers/startup.ts'
import { openRequestLog } from '../db/requests/request-log.ts'
import type { Logger } from '../lib/log.ts'
import type { Repositories } from '../db/repositories.ts'

/** Maximum wait for the demo's bot, so that the printed lines work at once. */
const BOT_PATIENCE_MS = 5000
/** Maximum wait for the demo tracks; a slow machine continues to make them while the service runs. */
const DEMO_PATIENCE_MS = 20_000

export type OpenService = Awaited<ReturnType<typeof openService>>

/** Parts that are open before most modules are loaded. */
interface EarlyParts extends StepOptions {
  readonly config: Config
  readonly stores: Repositories
  /** Null if a real bot is registered. */
  readonly sandbox: SandboxChild | null
}

/** Opens all the rest; `opening` closes it. */
export async function openService({ config, log, signal, stores, sandbox }: EarlyParts, opening: AsyncDisposableStack) {
  const middleware = await loadMiddleware(config.api.middlewarePath)
  const bound = opening.adopt(await bindPort({ ...config.api, middleware }), (it) => it.close())
  const { keys, usage, idempotency, scripture, storage } = stores
  const requests = opening.adopt(openRequestLog(config, { records: stores.requests, log }), (it) => it.close())
  const registry = createRegistry(version)
  const recording = { name: 'bandstand', log, version, registry }
  const { observer, exportMetrics } = await openTelemetry(config, recording, opening)
  const registration = opening.adopt(await registerToken({ config, stores, log }), (it) => it.close())
  const demo = await openDemo(sandbox, { config, stores })
  const tracks = demo ? composeBeside(config, log, opening) : Promise.resolve()

  const events = createEventBus({ log })
  const redis = await openRedis(config, log, opening)
  const limits = await openLimits(config, redis, log, opening)
  const calls = openHttpClients({ config, log, scripture, observer }, opening)
  const { egress, outside, utilities } = calls
  const images = opening.adopt(createImages({ log, egress }), (it) => it.close())
  const webhooks = openWebhooks({ stores, events, egress, observer, log }, opening)
  const renders = await openRenders({ config, log, address: redis.address, egress, stores, events, observer }, opening)
  const reader = opening.adopt(createReader({ log, ...config.egress }), (it) => it.close())
  const { threads, nodes, files } = await openAudio({ config, log, signal, sandbox, reader, bound }, opening)
  const divided = await openDirectory({ config, log, redis, events, nodes, bound, stores }, opening)
  const own = { config, log, stores, sandbox, events, observer, ...divided }
  const covers = openCoverAddresses(config, { stores, bound, images, log })
  const parts = { ...own, nodes, reader, outside, images, jobs: renders.jobs, utilities, coverUrlOf: covers.urlOf }
  const { bots, sources } = await openBots({ ...parts, baseUrl: config.api.baseUrl ?? bound.url }, opening)
  registration.onRegistered(() => void bots.sync())
  divided.countPlayers(() => bots.ceiling.countHere())
  const lavalink = openLavalink({ ...parts, nodes: threads, sources, ceiling: bots.ceiling, registry })
  const workers = watchWorkers({ nodes, others: [reader, stores.reader, images, calls, sources] })
  const departure = createDeparture({ ...divided, ...config.api })
  const check = healthOf({ stores, limits, bots, nodes, workers, ...renders, ...divided, registration, departure })
  const used = { log, images, jobs: renders.jobs, music: bots.music, trackMetadata: bots.trackMetadata, events }
  const app = { ...utilities, ...used, keys, meter: limits.meter, usage, version, now: Date.now }
  collectService(registry, { ...own, storage, bots, nodes, workers, ...limits, renders, webhooks, sources, requests })
  const metrics = { token: config.metrics.token, registry }
  const whole = connectPeers({ ...divided, bots }, opening)
  const pages = createPages({ ...own, bots, whole, sources, egress, jobs: renders.jobs, webhooks, requests, lavalink })
  const complete = { ...app, requests, idempotency, environment: config.environment, checkAnswers: false }
  signal.throwIfAborted()
  await divided.peers?.events.join()
  const mounts = [lavalink, files.mount]
  const site = { metrics, middleware, pages, check, observer, covers: covers.of(sources), mounts, peers: divided.peers }
  // Before requests come, which would wait for it.
  collectGarbage()
  const listening = { ...config.api, bound, ...site, beforeSockets: () => bots.close() }
  const api = opening.adopt(await listen(complete, listening), (it) => it.close())
  opening.defer(() => departure.leave())
  exportMetrics(opening)
  const [states, { baseUrl }] = [sources.states(), api]
  logStart({ log, config, states }, { baseUrl, sandboxUrl: sandbox?.url, version })
  await Promise.race([tracks, sleep(DEMO_PATIENCE_MS, undefined, { ref: false })])

  return {
    baseUrl,
    /** Text for the person at the terminal; empty outside the sandbox. */
    greeting: await greet({ config, stores, log, sandbox, demo, bots, states }, baseUrl),
  }
}

interface Greeted extends DemoOptions {
  readonly sandbox: SandboxChild | null
  readonly demo: DemoIdentity | null
  readonly bots: Pick<BotManager, 'isConnected'>
  readonly states: readonly SourceStatus[]
}

/** Returns the text for the person at the terminal. */
async function greet(options: Omit<Greeted, 'signal'>, baseUrl: string): Promise<string> {
  const { config, stores, log, sandbox, demo, bots, states } = options
  const dashboardUrl = await firstEntry({ stores, log }, demo && demo.projectId, baseUrl)
  const publishing = { dataDir: config.dataDir, log, isTerminal: process.stdout.isTTY }
  if (!sandbox || !demo) return inviteFirst(publishing, dashboardUrl, states)
  const { demoDir, sources } = config.music
  const last = DEMO_TRACKS.at(-1)?.file ?? ''
  const isExpected = sources.includes('library') && existsSync(join(demoDir, last))
  const isIndexed = async () => !isExpected || (await stores.library.findByPath(last)) !== null
  await waitFor(async () => bots.isConnected(demo.botId) && (await isIndexed()))
  const facts = { ...demo, baseUrl, sandboxUrl: sandbox.url, dashboardUrl: dashboardUrl ?? '' }
  return publishDemo(publishing, facts, sandbox)
}

function logStart({ log, config, states }: Pick<Greeted, 'log' | 'config' | 'states'>, facts: object): void {
  const machine = readMachine()
  log.info({ ...machine, ...sizesFor(machine), audioThreads: config.audio.threads }, 'sized for this machine')
  log.info({ sources: Object.fromEntries(states.map(({ name, state }) => [name, state])) }, 'music sources loaded')
  log.info(facts, 'service started')
}

interface DemoOptions extends StepOptions {
  readonly config: Config
  readonly stores: Repositories
}

/** A bot and keys to try in the stand-in Discord. Without one, the keys of an earlier demo end. */
async function openDemo(
  sandbox: SandboxChild | null,
  { config, stores }: Pick<DemoOptions, 'config' | 'stores'>,
): Promise<DemoIdentity | null> {
  if (sandbox) return ensureDemo(config.dataDir, sandbox, stores)
  return endDemo(config.dataDir, stores).then(() => null)
}

/** Makes the demo tracks in a process of its own, which ends with the service. */
function composeBeside({ music }: Config, log: Logger, opening: AsyncDisposableStack): Promise<void> {
  const stopping = new AbortController()
  opening.defer(() => stopping.abort())
  return ensureDemoTracks(music.demoDir, log, stopping.signal)
}

async function waitFor(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + BOT_PATIENCE_MS
  while (!(await isSo()) && performance.now() < deadline) await sleep(20)
}
