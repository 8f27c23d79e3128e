import { de } from './words-de.js'
import { en } from './words-en.js'
import { language } from './preferences.js'

const ALL = { en, de }

/** Texts of the page in the chosen language. */
export const words = () => ALL[language()]

/** Like `4 days ago`, or a date, as `<t:…:F>` in a message asks for it. */
export function formatTime(ms, style) {
  const format = (options) => new Intl.DateTimeFormat(language(), options).format(ms)
  if (style === 'R') return relative(ms)
  if (style === 't') return format({ timeStyle: 'short' })
  if (style === 'T') return format({ timeStyle: 'medium' })
  if (style === 'd') return format({ dateStyle: 'short' })
  if (style === 'D') return format({ dateStyle: 'long' })
  return format({ dateStyle: 'long', timeStyle: 'short' })
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
]

function relative(ms) {
  const difference = ms - Date.now()
  const [unit, size] = UNITS.find((one) => Math.abs(difference) >= one[1]) ?? UNITS.at(-1)
  return new Intl.RelativeTimeFormat(language(), { numeric: 'auto' }).format(Math.round(difference / size), unit)
}
