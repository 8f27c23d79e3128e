import { createBlockPlayers, type BlockPlayers } from './blockgame/players.ts'
import { createBlockServers, type BlockServerOptions, type BlockServers } from './blockgame/servers/servers.ts'
import type { UpstreamContext } from './http/client.ts'
import { createDetection, type Detection } from './translation/detection.ts'
import { createGamePlatform, type GamePlatform } from './gameplatform/platform.ts'
import { createHolidays, type Holidays } from './holidays/holidays.ts'
import { createLocalWorker } from './local/worker-handle.ts'
import { createRoleplay, type Roleplay } from './roleplay/roleplay.ts'
import type { ScriptureStore } from './scripture/local.ts'
import { createScripture, type Scripture } from './scripture/scripture.ts'
import type { LookupSettings } from './http/settings.ts'
import { createTranslation, type Translation } from './translation/translation.ts'
import { createWeather, type Weather } from './weather/weather.ts'

/** What the service looks up for people, for API routes and slash commands alike. */
export interface Lookups {
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

interface LookupsOptions {
  readonly context: UpstreamContext
  readonly settings: LookupSettings
  /** For game servers, whose addresses callers name. */
  readonly egress: BlockServerOptions['egress']
  /** The translations that were imported. */
  readonly scripture: ScriptureStore
}

/** The utilities and what they hold open. */
export function createLookups({ context, settings, egress, scripture }: LookupsOptions) {
  const { timeoutMs, cacheMaxEntries: cacheMax } = settings
  const worker = createLocalWorker({ log: context.log })
  const detection = createDetection(worker, settings.detection.model)
  return {
    utilities: {
      weather: createWeather(context, settings),
      translation: createTranslation(context, settings, detection),
      detection,
      holidays: createHolidays(context, worker),
      scripture: createScripture(context, settings, { store: scripture, worker }),
      blockPlayers: createBlockPlayers(context, settings),
      blockServers: createBlockServers(context, { egress, timeoutMs, cacheMax }),
      gamePlatform: createGamePlatform(context, settings),
      roleplay: createRoleplay(context, settings),
    },
    /** Of the thread for data of our own. */
    health: () => worker.health(),
    /** Ends the thread for data of our own. Calls to the outside end with their context. */
    close: () => worker.close(),
  }
}
