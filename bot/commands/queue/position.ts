import { LONGEST_QUEUE } from '../../player/inputs.ts'
import { choiceName, MOST_CHOICES, type AutocompleteChoice } from '../core/autocomplete.ts'
import { whole, type Suggest } from '../core/options.ts'

/** A position in the queue, which members type or choose by title. */
export const queuePosition = () => whole({ min: 1, max: LONGEST_QUEUE, suggest: suggestPositions })

/** The track at a typed position, then those that have the text in title or author. */
const suggestPositions: Suggest = async (typed, { scope, guildId }, { music }) => {
  const { tracks } = await music.queueItems(scope, guildId)
  const wanted = typed.trim().toLowerCase()
  const at = Number(wanted) - 1
  const choices: AutocompleteChoice<number>[] = []
  const add = (index: number) => {
    const info = tracks[index]?.info
    if (info) choices.push({ name: `${index + 1}. ${choiceName(info)}`, value: index + 1 })
  }
  add(at)
  for (const [index, { info }] of tracks.entries()) {
    if (choices.length === MOST_CHOICES) break
    if (index !== at && choiceName(info).toLowerCase().includes(wanted)) add(index)
  }
  return choices
}
