import { holidays } from '../holidays/holidays.ts'
import { minecraft } from '../blockgame/minecraft.ts'
import { roblox } from '../gameplatform/roblox.ts'
import { act } from '../roleplay/act.ts'
import { translate, translateMessage } from '../translation/translate.ts'
import { verse } from '../scripture/verse.ts'
import { web } from '../web/web.ts'
import { weather } from '../weather/weather.ts'
import type { Command } from './command.ts'
import type { Component } from './component.ts'
import type { MenuCommand } from './menu-command.ts'
import { image } from '../images/image.ts'
import { addButton, addForm } from '../queue/add-form.ts'
import { cardButtons } from '../card/card-buttons.ts'
import { moreButtons } from '../card/more-panel.ts'
import {
  forward,
  join,
  leave,
  mute,
  pause,
  replay,
  resume,
  rewind,
  seek,
  stop,
  unmute,
  volume,
  loop,
  previous,
  skip,
  nowplaying,
  autoplay,
} from '../playback/controls.ts'
import { filter } from '../sound/filter.ts'
import { AREA_NAMES, type Area } from '../help/areas.ts'
import { createHelp } from '../help/help.ts'
import { QUEUE_COMMANDS, skipTo } from '../queue/edit-queue.ts'
import { favouriteMenu, favourites } from '../library/favourites.ts'
import { enoughButton, followButton, lyrics, lyricsPage } from '../lyrics/lyrics.ts'
import { play, playFile } from '../playback/play.ts'
import { library, podcast } from '../library/library.ts'
import { playlist } from '../library/playlist.ts'
import { copyShared, playShared } from '../library/shared-playlist.ts'
import { chapterMenu, chapters, chaptersPage } from '../chapters/chapters.ts'
import { voteButton } from '../permissions/vote-message.ts'
import { queue, queuePage } from '../queue/queue.ts'
import { radio } from '../playback/radio.ts'
import { history, historyMenu, historyPage, playAgain } from '../search/history.ts'
import { foundMenu, search } from '../search/search.ts'
import { setup } from '../requests/setup.ts'
import { createSettingsPanel } from '../settings/panel.ts'
import { settings } from '../settings/settings.ts'
import { screenshot } from '../renders/screenshot.ts'
import { sleep } from '../sound/sleep.ts'

const { help, helpMenu } = createHelp(() => COMMANDS_BY_AREA)

const WITHIN_TRACK = [seek, forward, rewind, replay, chapters]
const IN_CHANNEL = [join, leave, stop, sleep]

/** Every command there is. What is not in this list does not exist. */
const COMMANDS_BY_AREA: Readonly<Record<Area, readonly Command[]>> = {
  play: [play, playFile, search, radio, library, podcast, history, favourites, playlist],
  control: [nowplaying, pause, resume, skip, skipTo, previous, ...WITHIN_TRACK, loop, autoplay, ...IN_CHANNEL, lyrics],
  queue: [queue, ...QUEUE_COMMANDS],
  sound: [volume, mute, unmute, filter],
  server: [help, web, settings, setup],
  lookups: [weather, translate, verse, holidays, minecraft, roblox],
  pictures: [image, screenshot],
  gestures: [act],
}

export const COMMANDS: readonly Command[] = Object.values(COMMANDS_BY_AREA).flat()

/** Commands in the menu of a message, by area. */
const MENUS_BY_AREA: Readonly<Partial<Record<Area, readonly MenuCommand[]>>> = { lookups: [translateMessage] }

const MENU_COMMANDS: readonly MenuCommand[] = Object.values(MENUS_BY_AREA).flat()

const AREA_OF = new Map(
  AREA_NAMES.flatMap((area) =>
    [...COMMANDS_BY_AREA[area], ...(MENUS_BY_AREA[area] ?? [])].map(({ name }) => [name, area] as const),
  ),
)

/** Every kind of button, menu and form. */
const COMPONENTS: readonly Component[] = [
  queuePage,
  chaptersPage,
  chapterMenu,
  cardButtons,
  moreButtons,
  playAgain,
  addButton,
  addForm,
  favouriteMenu,
  playShared,
  copyShared,
  foundMenu,
  helpMenu,
  historyPage,
  historyMenu,
  lyricsPage,
  followButton,
  enoughButton,
  voteButton,
  ...createSettingsPanel(settings),
]

/** All that a bot listens to, for its front. */
export const TABLE = {
  commands: COMMANDS,
  menuCommands: MENU_COMMANDS,
  components: COMPONENTS,
  areaOf: (command: string): Area | null => AREA_OF.get(command) ?? null,
}
