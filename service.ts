import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRedisMeter } from './api/meter-redis.ts'
import { createMemoryMeter, type Meter } from './api/meter.ts'
import { listen } from './api/server.ts'
import { createAudioNode } from './bot/audio/node.ts'
import type { AudioNode } from './bot/audio/protocol.ts'
import { createBots, type Bots } from './bot/bots.ts'
import { systemClock } from './bot/clock.ts'
import { createEventBus } from './bot/event-bus.ts'
import type { EventBus } from './bot/events.ts'
import type { Knowledge } from './bot/knowledge.ts'
import { openKnowledge } from './bot/open-knowledge.ts'
import { createSources } from './bot/sources/index.ts'
import type { Outside } from './bot/sources/outside.ts'
import type { Config } from './config.ts'
import type { BotRecord } from './db/bots.ts'
import { ensureDemoTracks } from './scripts/demo-tracks.ts'
import { ensureDemo, greet, writeDemo } from './demo/demo.ts'
import { createImages, type Images } from './jobs/images/images.ts'
import { createPictures } from './jobs/images/pictures.ts'
import { connectRedis, untilReady } from './jobs/redis-client.ts'
import { startRedis } from './jobs/redis.ts'
import type { Logger } from './log.ts'
import { PLANS } from './plans.ts'
import { registerToken } from './register.ts'
import { forkSandbox, type SandboxChild } from './sandbox/child.ts'
import { metricSources } from './metrics.ts'
import { openStores, type Stores } from './stores.ts'
import { openUpstreamContext } from './upstream/context.ts'
import { createEgress } from './upstream/egress.ts'
import { createUpstreamCounters } from './upstream/metrics.ts'
import { createUtilities } from './upstream/utilities.ts'

export interface Service {
  readonly baseUrl: string
  /** What a person should read now; empty outside the sandbox. */
  readonly greeting: string
  /** Finishes requests, leaves all channels, saves the players and closes everything. */
  close(): Promise<void>
}

/** How long the start waits for the demo's bot, so that the printed lines work at once. */
const BOT_PATIENCE_MS = 5000
/** How long it waits for Redis; without it requests go through unmetered. */
const REDIS_PATIENCE_MS = 2000

const { version } = createRequire(import.meta.url)('./package.json') as { version: string }

/**
 * Builds the whole service. What is opened last is closed first: the API lets go before the bots, they before the audio
 * threads, everything before the database.
 */
export async function startService(config: Config, log: Logger): Promise<Service> {
  await using opening = new AsyncDisposableStack()
  const stores = opening.adopt(openStores(config, log), (it) => it.close())
  await registerToken(config, stores, log)
  const sandbox = await openSandbox(config, stores, log)
  if (sandbox) opening.adopt(sandbox, (it) => it.close())
  const demo = sandbox && ensureDemo(config.dataDir, sandbox, stores)
  if (demo) await ensureDemoTracks(config.music.libraryDir, log)

  const events = createEventBus({ log })
  const nodes = opening.adopt(await openNodes(config, sandbox, log), closeAll)
  const settings = config.utilities
  const upstreams = createUpstreamCounters()
  const egress = opening.adopt(createEgress({ allowHosts: config.egress.allowHosts }), (it) => it.close())
  const calls = openUpstreamContext({ settings, log, metrics: upstreams, version, now: Date.now })
  const { context } = opening.adopt(calls, (it) => it.close())
  const { timeoutMs, cacheMaxEntries: cacheMax } = settings
  const outside = { context, egress, places: config.music.places, timeoutMs, cacheMax }
  const images = opening.adopt(createImages({ log, egress }), (it) => it.close())
  const parts = { config, log, stores, sandbox, events, nodes, outside, images }
  const { bots, knowledge } = await openBots(parts, opening)
  const { meter, letThrough } = await openMeter(config, log, opening)
  const { scripture } = stores
  const open = opening.adopt(createUtilities({ context, settings, egress, scripture }), (it) => it.close())
  const { keys, usage } = stores
  const app = {
    ...open.utilities,
    images,
    log,
    keys,
    meter,
    usage,
    music: bots.music,
    knowledge,
    events,
    version,
    now: Date.now,
  }
  const { environment } = config
  const metrics = { token: config.metrics.token, sources: metricSources({ bots, nodes, upstreams, letThrough }) }
  const listening = listen({ ...app, environment, checkAnswers: false }, { ...config.api, metrics })
  const api = opening.adopt(await listening, (it) => it.close())
  log.info({ baseUrl: api.baseUrl, sandboxUrl: sandbox?.url, version }, 'service started')

  let greeting = ''
  if (sandbox && demo) {
    await waitFor(() => bots.isConnected(demo.botId))
    const facts = { ...demo, baseUrl: api.baseUrl, sandboxUrl: sandbox.url }
    greeting = greet(writeDemo(config.dataDir, facts, sandbox), config.dataDir)
  }
  const opened = opening.move()
  return { baseUrl: api.baseUrl, greeting, close: () => opened.disposeAsync() }
}

interface BotParts {
  readonly config: Config
  readonly log: Logger
  readonly stores: Stores
  readonly sandbox: SandboxChild | null
  readonly events: EventBus
  readonly nodes: readonly AudioNode[]
  readonly outside: Outside
  readonly images: Images
}

/** The bots, the sources of what they play, and what is known of it. */
async function openBots(
  { config, log, stores, sandbox, events, nodes, outside, images }: BotParts,
  opening: AsyncDisposableStack,
): Promise<{ readonly bots: Bots; readonly knowledge: Knowledge }> {
  const { sources: names, libraryDir } = config.music
  const library = { folder: libraryDir, records: stores.library }
  const { allowHosts } = config.egress
  const sources = opening.adopt(await createSources({ names, library, allowHosts, outside, log }), (it) => it.close())
  const bots = createBots({
    openKnowledge: (music) => openKnowledge({ music, sources, outside, log }),
    records: stores.bots,
    changes: stores.changes,
    states: stores.players,
    ...stores.members,
    pictures: createPictures(images),
    playerCeilingOf: (projectId) => PLANS[stores.projects.get(projectId).plan].players,
    sources,
    nodes,
    events,
    rules: config.player,
    clock: systemClock,
    log,
    apiUrlOf: (bot) => apiUrlOf(config, sandbox, bot),
  })
  opening.adopt(bots, (it) => it.close())
  return { bots, knowledge: bots.knowledge }
}

/** The stand-in Discord, where it is wanted: `auto` wants it as long as no real bot is registered. */
async function openSandbox(config: Config, stores: Stores, log: Logger): Promise<SandboxChild | null> {
  const { mode, port } = config.sandbox
  const hasRealBot = config.discord.token !== null || stores.bots.listAll().some((bot) => !bot.sandbox)
  if (mode === 'off' || (mode === 'auto' && hasRealBot)) return null
  return forkSandbox({
    port,
    stateFile: join(config.dataDir, 'sandbox.json'),
    logLevel: config.log.level,
    onExit: (code) => log.error({ code }, 'sandbox ended by itself; start the service again'),
  })
}

/** `AUDIO_THREADS=0` still makes one node: on the main thread. */
async function openNodes(config: Config, sandbox: SandboxChild | null, log: Logger): Promise<readonly AudioNode[]> {
  const { threads } = config.audio
  const shared = {
    log,
    inThread: threads > 0,
    certificates: sandbox ? [sandbox.certificate] : [],
    egress: config.egress,
  }
  const ids = Array.from({ length: Math.max(1, threads) }, (_, i) => `audio-${i + 1}`)
  return Promise.all(ids.map((id) => createAudioNode({ id, ...shared })))
}

/** Shared by all services on one Redis; where there is none, this process counts by itself. */
async function openMeter(
  { dataDir, redis }: Config,
  log: Logger,
  opening: AsyncDisposableStack,
): Promise<{ meter: Meter; letThrough: () => number }> {
  const server = opening.adopt(await startRedis({ dataDir, url: redis.url, log }), (it) => it.close())
  if (!server.address) return { meter: createMemoryMeter(Date.now), letThrough: () => 0 }
  const client = opening.adopt(connectRedis(server.address, log), (it) => it.disconnect())
  // So that the first requests are metered too.
  await untilReady(client, REDIS_PATIENCE_MS)
  const meter = createRedisMeter({ redis: client, log })
  return { meter, letThrough: () => meter.letThrough() }
}

async function closeAll(nodes: readonly AudioNode[]): Promise<void> {
  await Promise.all(nodes.map((node) => node.close()))
}

/** A bot lives in the Discord where it was registered; null: not here and now. */
function apiUrlOf({ discord }: Config, sandbox: SandboxChild | null, bot: BotRecord): string | null {
  if (discord.onlyBots && !discord.onlyBots.includes(bot.id)) return null
  if (bot.sandbox) return sandbox && `${sandbox.url}/api`
  return discord.apiUrl
}

async function waitFor(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + BOT_PATIENCE_MS
  while (!isSo() && performance.now() < deadline) await sleep(20)
}
