import type Holidays from 'date-holidays'
import type { HolidaysTypes } from 'date-holidays'

type Options = HolidaysTypes.HolidayOptions

/** Holidays of several days that the library begins or ends on another day than the law of the country: rules that take the place of its own. */
const RULES: ReadonlyMap<string, readonly (readonly [rule: string, options: Options | false])[]> = new Map([
  [
    // The day before, the day and the day after; the library's substitute days count so already.
    'KR',
    [
      ['korean 01-0-01 P3D', false],
      ['1 day before korean 01-0-01 P3D', { name: { en: 'Korean New Year', ko: '설날' }, type: 'public' }],
    ],
  ],
  [
    // Three days from the first of the year since 2014, and its eve again since 2025.
    'CN',
    [
      ['chinese 01-0-00', springFestival({ to: '2014-01-01' }, { from: '2025-01-01' })],
      ['chinese 01-0-03', springFestival({ from: '2014-01-01' })],
    ],
  ],
  // The Day of Arafah comes before the three days of the feast.
  ['AE', [['9 Dhu al-Hijjah', { name: { en: 'Day of Arafah', ar: 'يوم عرفة' }, type: 'public' }]]],
])

function springFestival(...active: HolidaysTypes.ActiveRange[]): Options {
  return { name: { en: 'Spring Festival', zh: '春节' }, type: 'public', active }
}

export function correctRules(calendar: Holidays, country: string): Holidays {
  // The library keeps what it is given, and changes it.
  for (const [rule, options] of RULES.get(country) ?? []) calendar.setHoliday(rule, structuredClone(options) as Options)
  return calendar
}

const HOUR_MS = 3_600_000

/** Turkish law begins both feasts at one in the afternoon of the eve; the library does at six, and ends them at noon. */
const FEASTS: ReadonlyMap<string, number> = new Map([
  ['1 Shawwal PT90H', 11 + 3 * 24],
  ['10 Dhu al-Hijjah PT114H', 11 + 4 * 24],
])

/** When a holiday begins and ends, where that is not what the library says. */
export function spanOf({ rule, start, end }: { readonly rule: string; readonly start: Date; readonly end: Date }) {
  const hours = FEASTS.get(rule)
  if (hours === undefined) return { start, end }
  const begins = start.getTime() - 5 * HOUR_MS
  return { start: new Date(begins), end: new Date(begins + hours * HOUR_MS) }
}
