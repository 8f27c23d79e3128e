import Holidays from 'date-holidays'
import type { Country, Holiday, HolidayPlace, Region } from './protocol.ts'

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
 * `language` names them, English where there is no such name.
 */
export function listHolidays(place: HolidayPlace, year: number, language: string): Holiday[] {
  const primary = language.split('-')[0] ?? language
  // Two calendars, since asking for a language changes the language that a calendar speaks from then on.
  const translated = calendarOf(place, [language, primary, 'en']).getHolidays(year)
  const native = calendarOf(place).getHolidays(year)
  const localNames = new Map(native.map((day) => [keyOf(day), day.name]))
  return translated
    .map((day) => ({
      // Not from `start`: an instant, which east of Greenwich lies on the day before.
      date: day.date.slice(0, 10),
      name: day.name,
      localName: localNames.get(keyOf(day)) ?? day.name,
      type: day.type,
      start: day.start.toISOString(),
      end: day.end.toISOString(),
    }))
    .toSorted((a, b) => a.date.localeCompare(b.date) || a.start.localeCompare(b.start))
}

/** An IANA name; the one of the capital or of the largest part where there are several. */
export function timeZoneOf(place: HolidayPlace): string {
  return calendarOf(place).getTimezones()[0] ?? 'UTC'
}

function calendarOf({ country, state, region }: HolidayPlace, languages?: string[]): Holidays {
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
