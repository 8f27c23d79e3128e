import type { Country, Holiday } from '../../../upstream/holidays/schemas.ts'
import { command } from '../core/command.ts'
import type { Language } from '../../../lib/texts/languages.ts'
import { optional, text, whole, type Suggest, labelOf } from '../core/options.ts'
import { say } from '../core/reply.ts'
import { lookUp } from '../core/lookup.ts'
import {
  capitalised,
  description,
  flag,
  matching,
  matchingByName,
  nameCountry,
  plain,
  title,
} from '../core/embed-format.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const holidaysText = textOf('holidays', 'holidays')

const MOST_NEXT = 8
const COLOUR = 0xc8553d
/** Those on which work rests. */
const FREE = new Set<Holiday['type']>(['public', 'bank'])

const suggestCountries: Suggest = async (typed, { language }, { utilities }) => {
  const all = await utilities.holidays.countries()
  return matchingByName(
    all.map(({ code }) => ({ name: nameCountry(code, language), value: code })),
    { typed, language },
  )
}

const suggestStates: Suggest = async (typed, { language }, { utilities }, filledIn) => {
  const all = await utilities.holidays.countries()
  const country = codeOf(filledIn('country') ?? '', all, language)
  const states = all.find(({ code }) => code === country)?.states ?? []
  return matching(
    states.map(({ code, name }) => ({ name, value: code })),
    typed,
  )
}

export const holidays = command({
  name: 'holidays',
  labels: labelOf(holidaysText),
  rule: 'anyone',
  options: {
    country: text({ max: 60, suggest: suggestCountries }),
    state: optional(text({ max: 60, suggest: suggestStates })),
    year: optional(whole({ min: 1900, max: 2100 })),
  },
  async run(invocation, context) {
    const { language, options } = invocation
    const words = holidaysText[language].words
    const all = await context.utilities.holidays.countries()
    const country = codeOf(options.country, all, language)
    const state = options.state ?? undefined
    const place = nameOf(all, country, state, language)
    const looking = { missing: state === undefined ? words.unknownCountry : words.unknownState, invalid: words.none }
    const ask = { country, state, language: language.split('-')[0] }
    const find = (year?: number) => lookUp(context.utilities.holidays.find({ ...ask, year }), looking)
    const nowMs = context.clock.dateMs()
    const days = options.year === null ? await nextOf(find, nowMs) : await find(options.year)
    const heading = options.year === null ? words.next({ place }) : words.ofYear({ place, year: String(options.year) })
    const states = new Map(all.find(({ code }) => code === country)?.states.map(({ code, name }) => [code, name]))
    const lines = days.filter(({ type }) => FREE.has(type)).map((one) => lineOf(one, { nowMs, states, language }))
    return say({
      embeds: [
        {
          title: `${flag(country)} ${title(heading)}`.trim(),
          description: description(fitting(lines) || words.none),
          color: COLOUR,
          footer: { text: 'date-holidays · CC BY-SA 3.0' },
        },
      ],
    })
  },
})

/** From today on, into the next year where this one has few left. */
async function nextOf(find: (year?: number) => Promise<readonly Holiday[]>, nowMs: number) {
  const isAhead = ({ end, type }: Holiday) => FREE.has(type) && Date.parse(end) > nowMs
  const current = await find()
  const here = current.filter(isAhead)
  if (here.length >= MOST_NEXT) return here.slice(0, MOST_NEXT)
  const year = Number(current[0]?.date.slice(0, 4) ?? new Date(nowMs).getUTCFullYear())
  return [...here, ...(await find(year + 1)).filter(isAhead)].slice(0, MOST_NEXT)
}

function lineOf(
  { date, name, localName, start, end, states: keeping }: Holiday,
  { nowMs, states, language }: { nowMs: number; states: ReadonlyMap<string, string>; language: Language },
): string {
  const { today, onlyIn } = holidaysText[language].words
  const format = { weekday: 'short', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const
  const written = capitalised(new Intl.DateTimeFormat(language, format).format(Date.parse(date)), language)
  const from = Date.parse(start)
  const isNow = from <= nowMs && nowMs < Date.parse(end)
  const when = isNow ? ` · **${today}**` : from > nowMs ? ` · <t:${Math.floor(from / 1000)}:R>` : ''
  const own = localName === name ? '' : ` · *${plain(localName, 100)}*`
  const names = new Intl.ListFormat(language).format((keeping ?? []).map((code) => states.get(code) ?? code))
  const where = keeping ? ` · ${onlyIn({ states: plain(names, 500) })}` : ''
  return `**${plain(name, 100)}**${own}\n${written}${when}${where}`
}

/** As many whole lines as an embed takes. */
function fitting(lines: readonly string[]): string {
  let shown = ''
  for (const line of lines) {
    if (shown.length + line.length > 4000) return `${shown}\n…`
    shown += shown === '' ? line : `\n${line}`
  }
  return shown
}

/** Of a country that was chosen, or written in the member's language or in English. */
function codeOf(written: string, all: readonly Country[], language: Language): string {
  const wanted = written.trim().toLowerCase()
  const found = all.find(({ code, name }) =>
    [code, name, nameCountry(code, language), nameCountry(code, 'en')].some((one) => one.toLowerCase() === wanted),
  )
  return found?.code ?? written.trim()
}

function nameOf(all: readonly Country[], country: string, state: string | undefined, language: Language): string {
  const name = nameCountry(country, language)
  const known = all.find(({ code }) => code === country)
  const inside = known?.states.find(({ code }) => code.toLowerCase() === state?.toLowerCase())
  return inside ? `${inside.name}, ${name}` : name
}
