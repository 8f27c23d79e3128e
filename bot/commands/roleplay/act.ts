import { escapeMarkdown } from 'discord.js'
import { ActionPath } from '../../../upstream/roleplay/schemas.ts'
import type { Invocation, CommandContext } from '../core/invocation.ts'
import { command } from '../core/command.ts'
import { input, optional, person, type Person, type Suggest, labelOf } from '../core/options.ts'
import { say } from '../core/reply.ts'
import { lookUp } from '../core/lookup.ts'
import { capitalised, matchingByName } from '../core/embed-format.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const actText = textOf('roleplay', 'act')
const actionsText = textOf('roleplay', 'actions')

type Actions = (typeof actionsText)['en']
type Action = keyof Actions

const COLOUR = 0xe58fb1

/** Only actions of our own list are ever requested. */
const suggestActs: Suggest = async (typed, { language }, { utilities }) => {
  const acts = actionsText[language]
  const choices = utilities.roleplay.actions.flatMap((action) => {
    const known = acts[action as Action] as Actions[Action] | undefined
    return known ? [{ name: capitalised(known.name, language), value: action }] : []
  })
  return matchingByName(choices, { typed, language })
}

export const act = command({
  name: 'act',
  labels: labelOf(actText),
  rule: 'anyone',
  options: { action: input(ActionPath.shape.action, { max: 40, suggest: suggestActs }), member: optional(person()) },
  run: (invocation, context) => show(invocation.options.action, invocation.options.member, invocation, context),
})

async function show(wanted: string, whom: Person | null, invocation: Invocation, { utilities }: CommandContext) {
  const { language, member } = invocation
  const { unknown, noPicture } = actText[language].words
  const found = lookUp(utilities.roleplay.find(wanted), { missing: noPicture, invalid: unknown })
  const { action, url, source } = await found
  const { toMember, alone } = actionsText[language][action as Action]
  // Notifies no member: in an embed a mention is only a name.
  const a = `<@${member.id}>`
  const sentence = whom === null || whom.id === member.id ? alone({ a }) : toMember({ a, b: `<@${whom.id}>` })
  const embed = { description: `### ${sentence}`, image: { url }, color: COLOUR, footer: { text: creditOf(source) } }
  return say({ embeds: [embed] })
}

const CREDITS: Readonly<Record<string, string>> = {
  otakugifs: 'OtakuGIFs',
  purrbot: 'PurrBot',
  nekosbest: 'nekos.best',
}

function creditOf(source: string): string {
  return CREDITS[source] ?? escapeMarkdown(source)
}
