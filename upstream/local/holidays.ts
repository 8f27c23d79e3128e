import Holidays from 'date-holidays'
import type { Country, Holiday } from '../holidays/schemas.ts'
import { correctRules, spanOf } from './holiday-corrections.ts'
import type { HolidayPlace } from './protocol.ts'

type Region = Omit<Country, 'states'>

/** Every country there is data for, by name. */
export function listCountries(): Country[] {
  const all = new Holidays()
  const regionsOf = (country: string, state: string) => named(all.getRegions(country, state, 'en'))
  const statesOf = (country: string) =>
    named(all.getStates(country, 'en')).map(({ code, name }) => ({ code, name, regions: regionsOf(country, code) }))
  return named(all.getCountries('en'))
    .map(({ code, name }) => ({ code, name, states: statesOf(code) }))
    .toSorted(byName)
}

/**
 * The holidays of a year, in order. The place must exist: the library takes an unknown one for the whole country.
 * `language` names them, English where a name is missing. A whole country has the days off as well that it leaves to
 * its states and that most of them keep.
 */
export function listHolidays(place: HolidayPlace, year: number, language: string): Holiday[] {
  const primary = language.split('-')[0] ?? language
  // Two calendars, since asking for a language changes the language that a calendar speaks from then on.
  const translated = calendarOf(place, [language, primary, 'en']).getHolidays(year)
  const native = calendarOf(place).getHolidays(year)
  const own = translated.map((day) => toHoliday(day, native, null))
  const shared = place.state === null ? listSharedDays(place, year, [language, primary, 'en'], own) : []
  return [...own, ...shared].toSorted((a, b) => a.date.localeCompare(b.date) || a.start.localeCompare(b.start))
}

type LibraryDay = ReturnType<Holidays['getHolidays']>[number]

function toHoliday(day: LibraryDay, native: readonly LibraryDay[], states: string[] | null): Holiday {
  const { start, end } = spanOf(day)
  return {
    date: dateOf(day),
    name: day.name,
    localName: native.find((each) => keyOf(each) === keyOf(day))?.name ?? day.name,
    type: day.type,
    start: start.toISOString(),
    end: end.toISOString(),
    states,
  }
}

/** The share of states from which on a day is kept nationwide: Canada leaves Thanksgiving and others to its provinces. */
const NATIONWIDE = 2 / 3

/** Days off of most states that are none of the country's own, by the name that most of these states give them. */
function listSharedDays(place: HolidayPlace, year: number, languages: string[], own: readonly Holiday[]): Holiday[] {
  const states = Object.keys(calendarOf(place).getStates(place.country) ?? {})
  const taken = new Set(own.filter(isDayOff).map(({ date }) => date))
  const days = states.flatMap((state) =>
    calendarOf({ ...place, state }, languages)
      .getHolidays(year)
      .filter((day) => isDayOff(day) && !taken.has(dateOf(day)))
      .map((day) => ({ state, day })),
  )
  const byRule = Map.groupBy(days, ({ day }) => `${dateOf(day)}|${day.rule}`)
  return [...byRule.values()].flatMap((kept) => {
    const keeping = [...new Set(kept.map(({ state }) => state))]
    if (keeping.length < states.length * NATIONWIDE) return []
    const byName = [...Map.groupBy(kept, ({ day }) => day.name).values()]
    const [usual] = byName.toSorted((a, b) => b.length - a.length)[0] ?? []
    if (!usual) return []
    const native = calendarOf({ ...place, state: usual.state }).getHolidays(year)
    return [toHoliday(usual.day, native, keeping)]
  })
}

/** Not from `start`: an instant, which east of Greenwich lies on the day before. */
const dateOf = (day: { readonly date: string }): string => day.date.slice(0, 10)

const isDayOff = ({ type }: { readonly type: string }): boolean => type === 'public' || type === 'bank'

/** An IANA name; the one of the capital or of the largest part where there are several. */
export function timeZoneOf(place: HolidayPlace): string {
  return calendarOf(place).getTimezones()[0] ?? 'UTC'
}

function calendarOf(place: HolidayPlace, languages?: string[]): Holidays {
  return correctRules(libraryCalendarOf(place, languages), place.country)
}

function libraryCalendarOf({ country, state, region }: HolidayPlace, languages?: string[]): Holidays {
  const options = languages ? { languages } : {}
  if (state === null) return new Holidays(country, options)
  return region === null ? new Holidays(country, state, options) : new Holidays(country, state, region, options)
}

/** The library gives objects by code, or undefined for none. */
function named(byCode: Record<string, string> | undefined): Region[] {
  return Object.entries(byCode ?? {}).map(([code, name]) => ({ code, name }))
}

const byName = (a: Region, b: Region): number => a.name.localeCompare(b.name, 'en')

const keyOf = (day: { date: string; rule: string; type: string; substitute?: boolean }): string =>
  [day.date, day.rule, day.type, day.substitute ?? false].join('|')
