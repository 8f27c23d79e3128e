import type { CommandContext, Invocation } from '../core/invocation.ts'
import { Refusal } from '../core/reply.ts'
import { textOf } from '../../../lib/texts/texts.ts'
import type { Area } from './areas.ts'

const helpText = textOf('help', 'help')

/** @throws {Refusal} where managers have switched the commands of an area off. */
export async function assertSwitchedOn(
  area: Area | null,
  { scope, guildId, language }: Invocation,
  { settings }: CommandContext,
): Promise<void> {
  if (area === null) return
  const { areasOff } = await settings.get(scope.botId, guildId)
  const { words } = helpText[language]
  if (areasOff.includes(area)) throw new Refusal(words.areaOff({ area: words.areas[area] }))
}
