import type { CommandContext, Invocation } from '../core/invocation.ts'
import { Refusal } from '../core/reply.ts'
import { textOf } from '../../../lib/texts/texts.ts'
import type { Permission } from '../../permissions/permission-table.ts'

/** Areas of commands, in the order in which help shows them. */
export const AREA_NAMES = ['play', 'control', 'queue', 'sound', 'server', 'lookups', 'pictures', 'gestures'] as const
export type Area = (typeof AREA_NAMES)[number]

/** Areas beside music, which a server can switch off. */
export const SWITCHABLE_AREAS = ['lookups', 'pictures', 'gestures'] as const satisfies readonly Area[]

/** Requirement of a command: a permission of the player, or to manage the server. */
export type CommandNeed = Permission | 'manager'

/** Names of the commands with each requirement; the others need nothing. */
const COMMANDS_NEEDING: Readonly<Partial<Record<CommandNeed, readonly string[]>>> = {
  play: ['play', 'play-file', 'search', 'radio', 'library', 'podcast', 'join'],
  pause: ['pause'],
  resume: ['resume', 'unmute'],
  skip: ['skip', 'skipto', 'previous'],
  seek: ['seek', 'forward', 'rewind', 'replay'],
  loop: ['loop'],
  autoplay: ['autoplay'],
  stop: ['stop', 'leave', 'sleep'],
  shuffle: ['shuffle'],
  move: ['move'],
  remove: ['remove', 'dedupe'],
  clear: ['clear'],
  volume: ['volume', 'mute'],
  filters: ['filter'],
  manager: ['settings'],
}

/** Requirements by name of the command; commands that are not here need nothing. */
export const COMMAND_NEEDS: ReadonlyMap<string, CommandNeed> = new Map(
  Object.entries(COMMANDS_NEEDING).flatMap(([need, names]) => names.map((name) => [name, need as CommandNeed])),
)

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
