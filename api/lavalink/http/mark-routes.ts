import { z } from 'zod'
import { Fault } from '../../../lib/errors.ts'
import type { TrackMarks } from '../plugins/track-marks.ts'
import { parseInput } from './refusals.ts'
import {
  del,
  get,
  post,
  put,
  guildIdOf,
  sessionOf,
  type LavalinkRequest,
  type LavalinkRoute,
  type RouteParts,
} from './route.ts'

const PLAYER = '/v4/sessions/:sessionId/players/:guildId'
const CATEGORIES = `${PLAYER}/sponsorblock/categories`
const SUBSCRIPTION = `${PLAYER}/lyrics/subscribe`

/** Unknown categories are kept and ignored: a later SponsorBlock may have more. */
const categoriesSchema = z.array(z.string().max(40)).max(32)

/** Routes by which clients choose the plug-in events for the tracks of a guild, before it has a player or later. */
export const markRoutes: readonly LavalinkRoute[] = [
  get('lavalink.sponsorBlock.get', CATEGORIES, (request, parts) => {
    const categories = sessionOf(request, parts).marks.find(guildIdOf(request))?.categories
    if (categories) return categories
    throw new Fault('not_found', 'No categories are set for this guild.')
  }),
  put('lavalink.sponsorBlock.set', CATEGORIES, (request, parts) => {
    const categories = [...new Set(parseInput(categoriesSchema, request.body))]
    marksOf(request, parts).setCategories(categories)
  }),
  del('lavalink.sponsorBlock.delete', CATEGORIES, (request, parts) =>
    sessionOf(request, parts).marks.find(guildIdOf(request))?.setCategories(null),
  ),
  post('lavalink.lyrics.subscribe', SUBSCRIPTION, (request, parts) => marksOf(request, parts).setLyrics(true)),
  del('lavalink.lyrics.unsubscribe', SUBSCRIPTION, (request, parts) =>
    sessionOf(request, parts).marks.find(guildIdOf(request))?.setLyrics(false),
  ),
]

function marksOf(request: LavalinkRequest, parts: RouteParts): TrackMarks {
  const session = sessionOf(request, parts)
  const guildId = guildIdOf(request)
  const marks = session.marks.ensure(guildId)
  const player = session.players.find(guildId)
  if (player) marks.onTrack(player)
  return marks
}
