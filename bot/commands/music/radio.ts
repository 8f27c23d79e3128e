import { decodeToken } from '../../tracks/track-token.ts'
import { toTrack } from '../../tracks/track.ts'
import type { Call } from '../core/invocation.ts'
import { command } from '../core/command.ts'
import { labelsOf } from '../labels/index.ts'
import { text, type Choice } from '../core/options.ts'
import { Refusal } from '../core/error-message.ts'
import { nameOf } from '../core/autocomplete.ts'
import type { CommandContext } from '../core/command-context.ts'
import { playWish } from './play.ts'

const SOURCE = 'radio'
const MOST_SUGGESTED = 15
const MOST_KEPT = 10

/** Internet radios by name. Stations among a member's favourites are offered first. */
export const radio = command({
  name: 'radio',
  labels: labelsOf('radio'),
  rule: 'joiner',
  // What was suggested comes back as a choice, which is no longer.
  options: { station: text({ max: 100, suggest: suggestStations }) },
  async run(call, tools) {
    const chosen = tools.suggestions.take(call.options.station)
    const encoded = 'encoded' in chosen ? chosen.encoded : await findStation(call, tools, chosen.query.trim())
    return playWish(call, tools, { encoded })
  },
})

/** @throws {Refusal} where there is no such station, or no directory of them. */
async function findStation({ words }: Call, { music }: CommandContext, q: string): Promise<string> {
  if (!music.sourceNames.includes(SOURCE)) throw new Refusal(words.refused.noRadio)
  const [first] = q === '' ? [] : await music.search({ q, limit: 1, source: SOURCE })
  if (!first) throw new Refusal(words.refused.noStation(q))
  return first.encoded
}

async function suggestStations(typed: string, call: Call, tools: CommandContext): Promise<readonly Choice[]> {
  const { music, suggestions } = tools
  const q = typed.trim()
  const kept = keptStations(call, tools, q)
  if (q === '' || !music.sourceNames.includes(SOURCE)) return kept
  // The same words mean something else where all sources are searched.
  const found = await suggestions.offer(`${SOURCE}\n${q}`, () =>
    music.search({ q, limit: MOST_SUGGESTED, source: SOURCE }),
  )
  const values = new Set(kept.map(({ value }) => value))
  return [...kept, ...found.filter(({ value }) => !values.has(value))]
}

function keptStations({ who: { botId }, member }: Call, tools: CommandContext, q: string): readonly Choice[] {
  const wanted = q.toLocaleLowerCase()
  return tools.collections
    .favourites({ botId, userId: member.id })
    .map((encoded) => ({ encoded, info: decodeToken(encoded) }))
    .filter(({ info }) => info.sourceName === SOURCE && nameOf(info).toLocaleLowerCase().includes(wanted))
    .slice(0, MOST_KEPT)
    .map(({ encoded, info }) => {
      const { name, value } = tools.suggestions.toChoice({ ...toTrack(info), encoded })
      return { name: `⭐ ${name}`, value }
    })
}
