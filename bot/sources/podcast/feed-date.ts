/** Minutes from UTC of the names that feeds use. Of those that mean several the more usual. */
const NAMES: readonly (readonly [number, string])[] = [
  [-660, 'SST'],
  [-600, 'HST HAST'],
  [-540, 'AKST HADT'],
  [-480, 'PST AKDT'],
  [-420, 'MST PDT'],
  [-360, 'CST MDT'],
  [-300, 'EST COT PET CDT'],
  [-240, 'AST CLT BOT VET EDT'],
  [-210, 'NST'],
  [-180, 'ADT BRT ART UYT CLST'],
  [-150, 'NDT'],
  [-120, 'BRST'],
  [-60, 'AZOT CVT'],
  [0, 'GMT UTC UT Z WET'],
  [60, 'BST WEST CET MEZ MET WAT HNEC'],
  [120, 'HEEC CEST MESZ MEST CEDT EET OEZ SAST CAT'],
  [180, 'EEST OESZ MSK TRT EAT IDT'],
  [210, 'IRST'],
  [240, 'MSD GST SAMT'],
  [270, 'AFT'],
  [300, 'PKT YEKT'],
  [330, 'IST'],
  [345, 'NPT'],
  [360, 'OMST'],
  [390, 'MMT'],
  [420, 'ICT WIB KRAT NOVT'],
  [480, 'HKT SGT MYT PHT WITA AWST IRKT'],
  [540, 'JST KST WIT YAKT'],
  [570, 'ACST'],
  [600, 'AEST VLAT'],
  [630, 'ACDT'],
  [660, 'AEDT MAGT'],
  [720, 'NZST'],
  [765, 'CHAST'],
  [780, 'NZDT'],
]
const OFFSETS = new Map(NAMES.flatMap(([minutes, names]) => names.split(' ').map((name) => [name, minutes] as const)))

/** Names of months are taken from these, and where two say the same word, from the first of them. */
const LANGUAGES =
  'en de fr es it pt nl sv da nb fi pl cs sk ru uk be bg sr hr sl hu ro tr el et lv lt ca eu gl is ga cy id ms vi'

/** A date as feeds have it, in milliseconds since 1970; null for none. Without a time zone that is known, it is UTC. */
export function feedDate(text: string): number | null {
  const plain = text.slice(0, 200).trim()
  if (/^\d{4}-\d\d-\d\dT/.test(plain)) {
    const iso = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(plain) ? plain : `${plain}Z`)
    if (Number.isFinite(iso)) return iso
  }
  return mailDate(plain) ?? finite(Date.parse(plain))
}

/** `Mon, 01 Jul 2024 06:00:00 BST`: a day in any language, and what lies behind the time. */
function mailDate(text: string): number | null {
  const words = text.split(/[\s,]/).filter((word) => word !== '' && word.toLowerCase() !== 'de')
  const parts = words.flatMap((word) => (/^\d{1,2}-[^\d-]{2,20}-\d{2,4}$/.test(word) ? word.split('-') : [word]))
  const from = parts.findIndex((part) => /^\d{1,2}(?:st|nd|rd|th|er|\.)?$/.test(part))
  const [day = '', name = '', year = '', time = '', ...behind] = parts.slice(from)
  const [, hours, minutes, seconds = '0'] = /^(\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:\.\d{1,9})?)?/.exec(time) ?? []
  const month = monthOf(name)
  if (from < 0 || month === undefined || hours === undefined || !/^(?:\d{2}|\d{4})$/.test(year)) return null
  const fullYear = Number(year) + (year.length === 4 ? 0 : Number(year) < 50 ? 2000 : 1900)
  const [, half] = /^([ap])\.?m\b/i.exec(behind[0] ?? '') ?? []
  const hour = half ? (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0) : Number(hours)
  const atMs = Date.UTC(fullYear, month, Number.parseInt(day, 10), hour, Number(minutes), Number(seconds))
  return finite(atMs - offsetMinutes(behind.slice(half ? 1 : 0).join(' '), atMs) * 60_000)
}

function offsetMinutes(zone: string, atMs: number): number {
  const [, sign, hours, minutes = '0'] = /^(?:GMT|UTC|UT)?\s*([+-])(\d{1,2}):?(\d{2})?(?:\D|$)/i.exec(zone) ?? []
  if (hours !== undefined) return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  const [name = ''] = /^[\w/+-]+/.exec(zone.replace(/^\(/, '')) ?? []
  return OFFSETS.get(name.toUpperCase()) ?? (name.includes('/') ? minutesIn(name, atMs) : 0)
}

/** Offset in minutes of a time zone such as `Europe/Berlin`; 0 for an unknown one. */
function minutesIn(timeZone: string, atMs: number): number {
  try {
    const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(atMs)
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
    return name === 'GMT' ? 0 : offsetMinutes(name, atMs)
  } catch {
    return 0
  }
}

const ENGLISH = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

let months: Map<string, number> | null = null

/** The names of other languages take a tenth of a second to gather. */
function monthOf(name: string): number | undefined {
  const plain = plainName(name)
  const english = ENGLISH.indexOf(plain.slice(0, 3))
  if (english >= 0) return english
  months ??= monthNames()
  return months.get(plain) ?? months.get(plain.slice(0, 3))
}

function monthNames(): Map<string, number> {
  const found = new Map<string, number>()
  const formats = LANGUAGES.split(' ').flatMap((language) =>
    (['short', 'long'] as const).map(
      (month) => new Intl.DateTimeFormat(language, { month, day: 'numeric', timeZone: 'UTC' }),
    ),
  )
  for (const format of formats) {
    for (let month = 0; month < 12; month++) {
      const parts = format.formatToParts(Date.UTC(2024, month, 1))
      const name = plainName(parts.find(({ type }) => type === 'month')?.value ?? '')
      if (/\p{L}/u.test(name) && !found.has(name)) found.set(name, month)
    }
  }
  return found
}

/** A name in lower case, without accents and dots. */
function plainName(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\p{M}.]/gu, '')
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null
}
