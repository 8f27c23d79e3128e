import type { Logger } from '../log.ts'
import { createBlockPlayers, type BlockPlayers } from './blockgame/players.ts'
import { createBlockServers, type BlockServerOptions, type BlockServers } from './blockgame/servers/servers.ts'
import { openUpstreamContext } from './context.ts'
import { createDetection, type Detection } from './detection.ts'
import { createGamePlatform, type GamePlatform } from './gameplatform/platform.ts'
import { createHolidays, type Holidays } from './holidays.ts'
import { createLocalWorker } from './local/worker.ts'
import type { UpstreamMetrics } from './metrics.ts'
import { createRoleplay, type Roleplay } from './roleplay/roleplay.ts'
import type { ScriptureStore } from './scripture/local.ts'
import { createScripture, type Scripture } from './scripture/scripture.ts'
import type { UtilitySettings } from './settings.ts'
import { createTranslation, type Translation } from './translation/translation.ts'
import { createWeather, type Weather } from './weather/weather.ts'

/** What the service looks up for people, for API routes and slash commands alike. */
export interface Utilities {
  readonly weather: Weather
  readonly translation: Translation
  readonly detection: Detection
  readonly holidays: Holidays
  readonly scripture: Scripture
  readonly blockPlayers: BlockPlayers
  readonly blockServers: BlockServers
  readonly gamePlatform: GamePlatform
  readonly roleplay: Roleplay
}

export interface UtilitiesOptions {
  readonly settings: UtilitySettings
  readonly log: Logger
  readonly metrics: UpstreamMetrics
  /** For game servers, whose addresses callers name. */
  readonly egress: BlockServerOptions['egress']
  /** The translations that were imported. */
  readonly scripture: ScriptureStore
  /** Of the product: every outside service is told who asks. */
  readonly version: string
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** The utilities and what they hold open. */
export interface OpenUtilities {
  readonly utilities: Utilities
  /** Ends every call under way. */
  close(): Promise<void>
}

export function createUtilities(options: UtilitiesOptions): OpenUtilities {
  const { settings, log, metrics, version, now, egress } = options
  const { timeoutMs, cacheMaxEntries: cacheMax } = settings
  const shared = openUpstreamContext({ settings, log, metrics, version, now })
  const { context } = shared
  const worker = createLocalWorker({ log })
  return {
    utilities: {
      weather: createWeather(context, settings),
      translation: createTranslation(context, settings),
      detection: createDetection(worker, settings.detection.model),
      holidays: createHolidays(context, worker),
      scripture: createScripture(context, settings, { store: options.scripture, worker }),
      blockPlayers: createBlockPlayers(context, settings),
      blockServers: createBlockServers(context, { egress, timeoutMs, cacheMax }),
      gamePlatform: createGamePlatform(context, settings),
      roleplay: createRoleplay(context, settings),
    },
    async close() {
      await Promise.all([shared.close(), worker.close()])
    },
  }
}
