import type { Route } from '../http/route.ts'
import { eventsRoute } from './events.ts'
import { getVerses, listTranslations, searchScripture } from './scripture/scripture.ts'
import { getBlockPlayer, getBlockServer, getBlockTextures } from './blockgame/info.ts'
import { renderBlockPlayer } from './blockgame/render.ts'
import { roleplay, roleplayActions } from './roleplay/roleplay.ts'
import { getPlatformAvatar, getPlatformGame, getPlatformGroup, getPlatformUser } from './gameplatform/lookups.ts'
import { listHolidayCountries, listHolidays } from './holidays/holidays.ts'
import { effectRoutes } from './image/effects.ts'
import { listFilters, listOverlays } from './image/lists.ts'
import { unknownEffectRoutes } from './image/unknown.ts'
import { getJob, getJobResult, listJobs, waitForJob } from './jobs.ts'
import { lyrics, meaning, recommendations } from './music/track-metadata.ts'
import { mute, unmute } from './music/mute.ts'
import { addLayer, changeLayer, listLayers, removeLayer } from './music/mix.ts'
import { clearNextTrack, getNextTrack, setNextTrack } from './music/next-track.ts'
import { play } from './music/play.ts'
import { closePlayer, getPlayer, updatePlayer } from './music/player.ts'
import { listPlayers } from './music/players.ts'
import { previous } from './music/previous.ts'
import { queueRoutes } from './music/queue.ts'
import { lists } from './music/lists.ts'
import { search } from './music/search.ts'
import { seekToChapter } from './music/chapters.ts'
import { skip } from './music/skip.ts'
import { skipTo } from './music/skip-to.ts'
import { sleep } from './music/sleep.ts'
import { downloadTrace, getTrace } from './music/trace.ts'
import { getRequest, listRequests } from './requests.ts'
import { status } from './status.ts'
import { decodeBinary, encodeBinary } from './tools/binary.ts'
import { screenshot, screenshotSignedIn } from './tools/screenshot.ts'
import { weather } from './tools/weather.ts'
import { detectLanguage } from './translation/detect.ts'
import { listLanguages, translate } from './translation/translate.ts'

/** Every route there is. What is not in this list does not exist, or is refused by one of `unlistedRoutes`. */
export const routes: readonly Route[] = [
  status,
  eventsRoute,
  search,
  lists,
  lyrics,
  meaning,
  recommendations,
  listPlayers,
  getPlayer,
  updatePlayer,
  closePlayer,
  getTrace,
  downloadTrace,
  play,
  skip,
  skipTo,
  seekToChapter,
  sleep,
  mute,
  unmute,
  previous,
  addLayer,
  listLayers,
  changeLayer,
  removeLayer,
  getNextTrack,
  setNextTrack,
  clearNextTrack,
  ...queueRoutes,
  listJobs,
  getJob,
  waitForJob,
  getJobResult,
  listRequests,
  getRequest,
  encodeBinary,
  decodeBinary,
  weather,
  screenshot,
  screenshotSignedIn,
  translate,
  listLanguages,
  detectLanguage,
  listHolidayCountries,
  listHolidays,
  listTranslations,
  searchScripture,
  getVerses,
  getBlockPlayer,
  getBlockTextures,
  getBlockServer,
  renderBlockPlayer,
  getPlatformUser,
  getPlatformAvatar,
  getPlatformGroup,
  getPlatformGame,
  roleplayActions,
  roleplay,
  listFilters,
  listOverlays,
  ...effectRoutes,
]

/** Routes of names that do not exist, which no list or reference shows. */
export const unlistedRoutes: readonly Route[] = unknownEffectRoutes
