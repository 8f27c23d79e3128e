import { escapeMarkdown } from 'discord.js'
import type { Call } from '../core/invocation.ts'
import { command } from '../core/command.ts'
import { optional, person, text, type Choice, type Person } from '../core/options.ts'
import { say, type Answer } from '../core/reply.ts'
import type { CommandContext } from '../core/command-context.ts'
import type { Acts } from './acts/acts.ts'
import { ACTS } from './acts/index.ts'
import { areaLabels } from './labels/index.ts'
import { lookUp } from './looking-up.ts'
import { capitalised, matching } from './showing.ts'
import { AREA_WORDS } from './words/index.ts'

const COLOUR = 0xe58fb1

/** What is done so often that it has a command of its own. */
const OWN = ['hug', 'pat', 'kiss', 'cuddle', 'slap', 'poke', 'tickle', 'highfive', 'wave'] as const

export const ownActs = OWN.map((name) =>
  command({
    name,
    labels: areaLabels(name),
    rule: 'anyone',
    options: { member: optional(person()) },
    run: (call, tools) => show(name, call.options.member, call, tools),
  }),
)

export const act = command({
  name: 'act',
  labels: areaLabels('act'),
  rule: 'anyone',
  options: { action: text({ max: 40, suggest: suggestActs }), member: optional(person()) },
  run: (call, tools) => show(call.options.action, call.options.member, call, tools),
})

async function show(wanted: string, whom: Person | null, call: Call, { utilities }: CommandContext): Promise<Answer> {
  const { language, member } = call
  const { unknown, noPicture } = AREA_WORDS[language].act
  const found = lookUp(utilities.roleplay.find(wanted), { missing: noPicture, invalid: unknown })
  const { action, url, source } = await found
  const [, toSomebody, alone] = ACTS[language][action as keyof Acts]
  // Nobody is called by it: in an embed a mention is only a name.
  const isAlone = whom === null || whom.id === member.id
  const sentence = (isAlone ? alone : toSomebody).replaceAll(/\{([ab])\}/gu, (_, who: string) =>
    who === 'a' ? `<@${member.id}>` : `<@${whom?.id ?? member.id}>`,
  )
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

/** Only what is in our own list is ever asked for. */
async function suggestActs(
  typed: string,
  { language }: Call,
  { utilities }: CommandContext,
): Promise<readonly Choice[]> {
  const acts = ACTS[language]
  const choices = utilities.roleplay.actions.flatMap((action) => {
    const known = acts[action as keyof Acts] as Acts[keyof Acts] | undefined
    return known ? [{ name: capitalised(known[0], language), value: action }] : []
  })
  return matching(
    choices.toSorted((a, b) => a.name.localeCompare(b.name, language)),
    typed,
  )
}
