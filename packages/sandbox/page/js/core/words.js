import { createInstance } from '../../i18next.js'
import resources from '../../texts.js'
import { language } from './preferences.js'

const PLURAL = /_(?:zero|one|two|few|many|other)$/
const i18n = createInstance()
// The page writes texts, and no markup.
void i18n.init({
  resources,
  fallbackLng: 'en',
  load: 'currentOnly',
  defaultNS: 'sandbox',
  nsSeparator: false,
  initAsync: false,
  interpolation: { escapeValue: false },
})
const made = {}

/** Texts of the page in the chosen language, or in English where that has none. A text with gaps is a function of them. */
export const words = () => (made[language()] ??= shape(resources.en.sandbox, '', i18n.getFixedT(language())))

function shape(english, path, t) {
  if (typeof english === 'string') return english.includes('{{') ? (gaps) => t(path, gaps) : t(path)
  const at = (key) => (path === '' ? key : `${path}.${key}`)
  if (Array.isArray(english)) return english.map((one, index) => shape(one, at(index), t))
  const entries = Object.entries(english).map(([key, inner]) => {
    const name = key.replace(PLURAL, '')
    return [name, name === key ? shape(inner, at(key), t) : (gaps) => t(at(name), gaps)]
  })
  return Object.fromEntries(entries)
}

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
