import { Fault } from '../../lib/errors.ts'
import { createCache } from '../http/cache.ts'
import type { UpstreamContext } from '../http/call.ts'
import type { HolidayPlace } from '../local/protocol.ts'
import type { LocalWorker } from '../local/worker-handle.ts'
import type { Country, Holiday, HolidayType } from './schemas.ts'

interface HolidayQuestion {
  /** ISO 3166-1 alpha-2 in any case; `UK` is understood. */
  readonly country: string
  /** As in the list of countries, in any case, with or without the country before it: `LA`, `us-la`, `LA-NO`. */
  readonly state?: string | undefined
  /** Defaults to the current year in the country. */
  readonly year?: number | undefined
  /** The language of the names. Defaults to English, also where a name is missing in it. */
  readonly language?: string | undefined
  readonly type?: HolidayType | undefined
}

export type Holidays = ReturnType<typeof createHolidays>

const DAY_MS = 24 * 60 * 60_000
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['UK', 'GB'],
  ['EL', 'GR'],
])

export function createHolidays(context: UpstreamContext, worker: LocalWorker) {
  const { metrics, now, date } = context
  const lists = createCache<readonly Holiday[]>({ name: 'holidays', max: 500, ttlMs: DAY_MS, metrics, now })
  const countries = createCache<readonly Country[]>({ name: 'holidays', max: 1, ttlMs: DAY_MS, metrics, now })
  const zones = createCache<string>({ name: 'holidays', max: 500, ttlMs: DAY_MS, metrics, now })
  const all = () => countries.get('all', () => worker.ask({ task: 'countries' }))

  return {
    countries: all,
    /**
     * In order of their days.
     * @throws {Fault} `not_found` for an unknown country or state.
     */
    async find({ country, state, year, language = 'en', type }: HolidayQuestion): Promise<readonly Holiday[]> {
      const place = locate(await all(), country, state)
      const key = [place.country, place.state, place.region].join('-')
      const zone = () => zones.get(key, () => worker.ask({ task: 'timeZone', place }))
      const wanted = year ?? yearIn(await zone(), date())
      const days = await lists.get(`${key}|${wanted}|${language.toLowerCase()}`, () =>
        worker.ask({ task: 'holidays', place, year: wanted, language }),
      )
      return type ? days.filter((day) => day.type === type) : days
    },
  }
}

function locate(all: readonly Country[], country: string, state: string | undefined): HolidayPlace {
  const wanted = country.toUpperCase()
  const code = ALIASES.get(wanted) ?? wanted
  const found = all.find((each) => each.code === code)
  if (!found) {
    throw new Fault('not_found', `Unknown country ${country}. GET /v1/holidays/countries lists all.`)
  }
  if (state === undefined) return { country: code, state: null, region: null }
  const [stateCode, regionCode] = state.toUpperCase().replace(`${code}-`, '').split('-')
  const inState = found.states.find((each) => each.code.toUpperCase() === stateCode)
  const region = inState?.regions.find((each) => each.code.toUpperCase() === regionCode)
  if (!inState || (regionCode !== undefined && !region)) {
    throw new Fault('not_found', `${found.name} has no state ${state}. GET /v1/holidays/countries lists all.`)
  }
  return { country: code, state: inState.code, region: region?.code ?? null }
}

/** The year it is there now: on New Year's Eve not everywhere the same. */
function yearIn(timeZone: string, nowMs: number): number {
  return Number(new Intl.DateTimeFormat('en-u-ca-gregory', { timeZone, year: 'numeric' }).format(nowMs))
}
