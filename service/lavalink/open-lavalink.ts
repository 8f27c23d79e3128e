import type { Registry } from 'prom-client'
import { systemClock } from '../../bot/player/timers.ts'
import type { AudioNode } from '../../bot/audio/node/protocol.ts'
import type { PlayerCeiling } from '../../bot/player-ceiling.ts'
import type { Outside } from '../../bot/sources/remote-sources.ts'
import type { Sources } from '../../bot/sources/source.ts'
import type { Config } from '../../config.ts'
import type { Repositories } from '../../db/repositories.ts'
import { createLavalink, type Lavalink } from '../../api/lavalink/http/lavalink.ts'
import { createProjectKeys } from '../../api/lavalink/http/project-keys.ts'
import { createSessionDirectory, type SessionDirectory } from '../../api/lavalink/sessions/session-directory.ts'
import { openNodeTracks } from '../../api/lavalink/tracks/open-tracks.ts'
import type { Logger } from '../../lib/log.ts'
import { PLANS } from '../../lib/plans.ts'
import { collectLavalink, countLoads } from '../telemetry/lavalink-metrics.ts'

interface LavalinkParts {
  readonly config: Config
  readonly stores: Repositories
  readonly nodes: readonly AudioNode[]
  readonly sources: Sources
  readonly outside: Outside
  /** Counts the players of our own bots, too. */
  readonly ceiling: PlayerCeiling
  /** The registry for the numbers of sessions and players. */
  readonly registry: Registry
  readonly log: Logger
}

export interface OpenLavalink extends Lavalink {
  readonly directory: SessionDirectory
}

/** The Lavalink node of the service, over its audio threads and sources. Its passwords are the API keys. Null: it is off. */
export function openLavalink(parts: LavalinkParts): OpenLavalink | null {
  const { config, stores, nodes, sources, outside, ceiling, registry, log } = parts
  if (!config.lavalink.isOn) return null
  const { tracks, ...knowledge } = openNodeTracks({ sources, outside, log })
  const lavalink = createLavalink({
    nodes,
    tracks: countLoads(registry, tracks),
    ...knowledge,
    keys: createProjectKeys(stores.keys, Date.now),
    ceiling: { acquire: ({ projectId, plan }) => ceiling.reserve(projectId, PLANS[plan].players) },
    clock: systemClock,
    log,
    trustedProxies: config.api.trustedProxies,
  })
  const directory = createSessionDirectory(lavalink.sessions)
  collectLavalink(registry, directory)
  return { ...lavalink, directory }
}
