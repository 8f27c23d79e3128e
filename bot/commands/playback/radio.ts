import { decodeToken } from '../../tracks/track-token.ts'
import { toTrack } from '../../tracks/track.ts'
import type { Invocation, CommandContext } from '../core/invocation.ts'
import { command } from '../core/command.ts'
import { text, labelOf } from '../core/options.ts'
import { Refusal } from '../core/reply.ts'
import { choiceName } from '../core/autocomplete.ts'
import { runPlay } from './play.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const radioText = textOf('playback', 'radio')

const SOURCE = 'radio'
const MOST_SUGGESTED = 15
const MOST_KEPT = 10

/** Internet radios by name. Stations among a member's favourites are offered first. */
export const radio = command({
  name: 'radio',
  labels: labelOf(radioText),
  rule: 'joiner',
  // A chosen suggestion comes back as its value, which is not longer.
  options: { station: text({ max: 100, suggest: suggestStations }) },
  async run(invocation, context) {
    const chosen = context.suggestions.take(invocation.options.station)
    const encoded = 'encoded' in chosen ? chosen.encoded : await findStation(invocation, context, chosen.query.trim())
    return runPlay(invocation, context, { encoded })
  },
})

/** @throws {Refusal} for an unknown station, or without a directory of stations. */
async function findStation({ words }: Invocation, { music }: CommandContext, q: string): Promise<string> {
  if (!music.sourceNames.includes(SOURCE)) throw new Refusal(words.refused.noRadio)
  const [first] = q === '' ? [] : await music.search({ q, limit: 1, source: SOURCE })
  if (!first) throw new Refusal(words.refused.noStation({ name: q }))
  return first.encoded
}

async function suggestStations(typed: string, invocation: Invocation, context: CommandContext) {
  const { music, suggestions } = context
  const q = typed.trim()
  const kept = await keptStations(invocation, context, q)
  if (q === '' || !music.sourceNames.includes(SOURCE)) return kept
  // The same words mean something else where all sources are searched.
  const found = await suggestions.offer(`${SOURCE}\n${q}`, () =>
    music.search({ q, limit: MOST_SUGGESTED, source: SOURCE }),
  )
  const values = new Set(kept.map(({ value }) => value))
  return [...kept, ...found.filter(({ value }) => !values.has(value))]
}

async function keptStations({ scope: { botId }, member }: Invocation, context: CommandContext, q: string) {
  const wanted = q.toLocaleLowerCase()
  const favourites = await context.collections.favourites({ botId, userId: member.id })
  return favourites
    .map((encoded) => ({ encoded, info: decodeToken(encoded) }))
    .filter(({ info }) => info.sourceName === SOURCE && choiceName(info).toLocaleLowerCase().includes(wanted))
    .slice(0, MOST_KEPT)
    .map(({ encoded, info }) => {
      const { name, value } = context.suggestions.toChoice({ ...toTrack(info), encoded })
      return { name: `⭐ ${name}`, value }
    })
}
