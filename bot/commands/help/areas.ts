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

/** Requirements by name of the command; commands that are not here need nothing. */
export const COMMAND_NEEDS: Readonly<Partial<Record<string, CommandNeed>>> = {
  play: 'play',
  'play-file': 'play',
  search: 'play',
  radio: 'play',
  library: 'play',
  podcast: 'play',
  join: 'play',
  pause: 'pause',
  resume: 'resume',
  skip: 'skip',
  skipto: 'skip',
  previous: 'skip',
  seek: 'seek',
  forward: 'seek',
  rewind: 'seek',
  replay: 'seek',
  loop: 'loop',
  autoplay: 'autoplay',
  stop: 'stop',
  leave: 'stop',
  sleep: 'stop',
  shuffle: 'shuffle',
  move: 'move',
  remove: 'remove',
  clear: 'clear',
  dedupe: 'remove',
  volume: 'volume',
  mute: 'volume',
  unmute: 'resume',
  filter: 'filters',
  settings: 'manager',
}

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
