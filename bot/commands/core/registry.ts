import { holidays } from '../areas/holidays.ts'
import { minecraft } from '../areas/minecraft.ts'
import { roblox } from '../areas/roblox.ts'
import { act, ownActs } from '../areas/roleplay.ts'
import { translate, translateMessage } from '../areas/translate.ts'
import { verse } from '../areas/verse.ts'
import { weather } from '../areas/weather.ts'
import type { Command } from './command.ts'
import type { Component } from './component.ts'
import type { MenuCommand } from './menu-command.ts'
import { image } from '../images/image.ts'
import { addButton, addForm } from '../music/adding.ts'
import { cardButtons } from '../music/card-buttons.ts'
import { filter, loop, mute, pause, resume, seek, stop, unmute, volume } from '../music/control.ts'
import { clear, move, remove, shuffle } from '../music/editing.ts'
import { favouriteMenu, favourites } from '../music/favourites.ts'
import { enoughButton, followButton, lyrics, lyricsPage } from '../music/lyrics.ts'
import { nowplaying } from '../music/now-playing.ts'
import { play } from '../music/play.ts'
import { playlist } from '../music/playlist.ts'
import { queue, queuePage } from '../music/queue.ts'
import { radio } from '../music/radio.ts'
import { settings } from '../music/settings.ts'
import { screenshot } from '../renders/screenshot.ts'
import { skin } from '../renders/skin.ts'
import { previous, skip } from '../music/skip.ts'

/** Every command there is. What is not in this list does not exist. */
export const COMMANDS: readonly Command[] = [
  play,
  radio,
  skip,
  previous,
  pause,
  resume,
  stop,
  queue,
  nowplaying,
  lyrics,
  volume,
  loop,
  filter,
  mute,
  unmute,
  seek,
  shuffle,
  remove,
  move,
  clear,
  favourites,
  playlist,
  settings,
  image,
  skin,
  screenshot,
  weather,
  translate,
  verse,
  holidays,
  minecraft,
  roblox,
  act,
  ...ownActs,
]

/** Every command in the menu of a message. */
const MENU_COMMANDS: readonly MenuCommand[] = [translateMessage]

/** Every kind of button, menu and form. */
const COMPONENTS: readonly Component[] = [
  queuePage,
  cardButtons,
  addButton,
  addForm,
  favouriteMenu,
  lyricsPage,
  followButton,
  enoughButton,
]

/** All that a bot listens to, for its front. */
export const TABLE = { commands: COMMANDS, menuCommands: MENU_COMMANDS, components: COMPONENTS }
