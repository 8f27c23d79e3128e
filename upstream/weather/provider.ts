import type { CityName } from './place.ts'
import type { Observation } from './report.ts'

/** A place as a geocoder names it, to choose from. */
export interface NamedPlace {
  readonly name: string
  /** English name of the region; null if the place is in none. */
  readonly region: string | null
  /** ISO 3166-1 alpha-2. */
  readonly country: string
}

interface Credit {
  readonly name: string
  readonly url: string
}

export interface WeatherProvider {
  readonly host: string
  readonly credit: Credit
  /** Null for an unknown city. */
  find(city: CityName): Promise<Observation | null>
  suggest(typed: string): Promise<readonly NamedPlace[]>
}
