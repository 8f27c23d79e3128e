import { z } from 'zod'
import { Fault } from '../../../lib/errors.ts'
import type { TrackMarks } from '../plugins/track-marks.ts'
import { parseInput } from './refusals.ts'
import { guildIdOf, sessionOf, type LavalinkRequest, type LavalinkRoute, type RouteParts } from './route.ts'

const PLAYER = '/v4/sessions/:sessionId/players/:guildId'
const CATEGORIES = `${PLAYER}/sponsorblock/categories`
const SUBSCRIPTION = `${PLAYER}/lyrics/subscribe`

/** Unknown categories are kept and ignored: a later SponsorBlock may have more. */
const categoriesSchema = z.array(z.string().max(40)).max(32)

/** Routes by which clients choose the plug-in events for the tracks of a guild, before it has a player or later. */
export const markRoutes: readonly LavalinkRoute[] = [
  {
    id: 'lavalink.sponsorBlock.get',
    method: 'GET',
    path: CATEGORIES,
    run(request, parts) {
      const categories = sessionOf(request, parts).marks.find(guildIdOf(request))?.categories
      if (categories) return categories
      throw new Fault('not_found', 'No categories are set for this guild.')
    },
  },
  {
    id: 'lavalink.sponsorBlock.set',
    method: 'PUT',
    path: CATEGORIES,
    run(request, parts) {
      const categories = [...new Set(parseInput(categoriesSchema, request.body))]
      marksOf(request, parts).setCategories(categories)
    },
  },
  {
    id: 'lavalink.sponsorBlock.delete',
    method: 'DELETE',
    path: CATEGORIES,
    run: (request, parts) => sessionOf(request, parts).marks.find(guildIdOf(request))?.setCategories(null),
  },
  {
    id: 'lavalink.lyrics.subscribe',
    method: 'POST',
    path: SUBSCRIPTION,
    run: (request, parts) => marksOf(request, parts).setLyrics(true),
  },
  {
    id: 'lavalink.lyrics.unsubscribe',
    method: 'DELETE',
    path: SUBSCRIPTION,
    run: (request, parts) => sessionOf(request, parts).marks.find(guildIdOf(request))?.setLyrics(false),
  },
]

function marksOf(request: LavalinkRequest, parts: RouteParts): TrackMarks {
  const session = sessionOf(request, parts)
  const guildId = guildIdOf(request)
  const marks = session.marks.ensure(guildId)
  const player = session.players.find(guildId)
  if (player) marks.onTrack(player)
  return marks
}
