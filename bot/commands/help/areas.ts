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
