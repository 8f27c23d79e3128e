import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { bindPort } from '../../api/http/connections/bound-port.ts'
import { audioPart, part, workerParts } from '../../api/site/health.ts'
import { systemClock } from '../../bot/player/timers.ts'
import type { Config } from '../../config.ts'
import { lockDataDir } from '../../db/engine/lock.ts'
import { settleWithin } from '../../lib/deadline.ts'
import { VERSION as version } from '../../lib/identity.ts'
import type { StepOptions } from '../../lib/workers/startup.ts'
import { collectLavalink, countLoads } from '../telemetry/lavalink-metrics.ts'
import { collectMusic } from '../telemetry/music-metrics.ts'
import { openTelemetry } from '../telemetry/open-observer.ts'
import { createRegistry } from '../telemetry/registry.ts'
import { watchWorkers } from '../telemetry/workers.ts'
import { createLavalink, type Lavalink } from '../../api/lavalink/http/lavalink.ts'
import { createSessionDirectory } from '../../api/lavalink/sessions/session-directory.ts'
import { openNodeTracks } from '../../api/lavalink/tracks/open-tracks.ts'
import { createNodeCeiling } from './ceiling.ts'
import { openKeys } from './open-keys.ts'
import { openMusic } from './open-music.ts'
import { serve } from './server.ts'

/** The password in Lavalink's example settings. It works where it is set, and people who scan the internet try it first. */
const LAVALINKS_OWN = 'youshallnotpass'

/** Time for a failed start to close what it has opened. */
const CLEANUP_MS = 5000

/**
 * The audio node alone: no bot, no Redis, and of a service at most its keys.
 * @throws {Fault} that says why it cannot start; the reason of `signal` when that aborts.
 */
export async function openNode(config: Config, options: StepOptions) {
  const opened = new AsyncDisposableStack()
  /** Says goodbye to its clients, leaves all channels and closes everything. */
  const close = (): Promise<void> => opened.disposeAsync()
  try {
    return { url: await openParts(config, options, opened), close }
  } catch (error) {
    await settleWithin(CLEANUP_MS, close())
    throw error
  }
}

async function openParts(config: Config, { log, signal }: StepOptions, opening: AsyncDisposableStack): Promise<string> {
  const { host, trustedProxies } = config.api
  const bound = opening.adopt(await bindPort({ host, port: config.lavalink.port, setting: 'LAVALINK_PORT' }), (it) =>
    it.close(),
  )
  const keys = await openKeys(config, log, opening)
  const folder = ensureFolder(config.dataDir, opening)
  const registry = createRegistry(version)
  const recording = { name: 'bandstand-node', log, version, registry }
  const { observer, exportMetrics } = await openTelemetry(config, recording, opening)
  let lavalink: Lavalink | null = null
  const isNeeded = () => (lavalink?.sessions.stats().players ?? 0) > 0
  const music = await openMusic({ config, folder, log, signal, observer, isNeeded }, opening)
  const { nodes, reader, sources } = music
  const { keys: named } = config.lavalink
  const { tracks: loader, ...knowledge } = openNodeTracks({
    ...music,
    log,
    hasAudioLinks: named.some(({ isService }) => isService === true),
  })
  const tracks = countLoads(registry, loader)
  const ceiling = createNodeCeiling(config.lavalink)
  lavalink = createLavalink({ ...knowledge, tracks, nodes, keys, ceiling, clock: systemClock, log, trustedProxies })
  const workers = watchWorkers({ nodes, others: [reader, sources] })
  collectMusic(registry, { nodes, workers, sources })
  collectLavalink(registry, createSessionDirectory(lavalink.sessions))
  const isDeaf = () => nodes.every(({ isAlive }) => !isAlive)
  const check = () => [
    audioPart(nodes),
    part('players', isDeaf() ? 'down' : 'ok', 'No audio thread is there to play.'),
    ...workerParts(workers()),
  ]
  signal.throwIfAborted()
  const metrics = { token: config.metrics.token, registry }
  opening.adopt(serve({ bound, settings: config.api, lavalink, metrics, check, observer, log }), (it) => it.close())
  exportMetrics(opening)
  if (named.some(({ secret }) => secret === LAVALINKS_OWN)) log.warn({}, 'password known from examples of Lavalink')
  const clients = named.map(({ name }) => name)
  log.info(
    { url: bound.url, keys: clients, takesServiceKeys: config.lavalink.takesServiceKeys, version },
    'node started',
  )
  return bound.url
}

/** Two nodes would delete each other's tracks. */
function ensureFolder(dataDir: string, opening: AsyncDisposableStack): string {
  const folder = join(dataDir, 'node')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  opening.adopt(lockDataDir(folder), (it) => it.release())
  return folder
}
