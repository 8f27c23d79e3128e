import { z } from 'zod'
import { admitRead, tracksOf } from '../../limits/long-answers.ts'
import { route } from '../../http/route.ts'
import { Page, pageOfAll, readCursor, writeCursor } from '../../schemas/pages.ts'
import { GuildPlayer, playerExample } from '../../schemas/music.ts'
import { groupOf, guildExample, music } from './common.ts'

/** The player that a page ends with. */
const Place = z.tuple([z.string(), z.string()])
type Place = z.output<typeof Place>

function placeOf({ botId, guildId }: { readonly botId: string; readonly guildId: string }): Place {
  return [botId, guildId]
}

function compare([botId, guildId]: Place, [otherBotId, otherGuildId]: Place): number {
  return compareIds(botId, otherBotId) || compareIds(guildId, otherGuildId)
}

/** Ids of Discord are numbers of up to 20 digits. */
function compareIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : Number(a > b))
}

export const listPlayers = route('listPlayers', 'GET /v1/music/players', {
  ...music,
  summary: 'List the players',
  description: "Players of all the key's bots, sorted by bot and guild.",
  query: z.object(pageOfAll(100)),
  isPaged: true,
  data: z.array(GuildPlayer),
  etag: true,
  example: { data: [{ ...guildExample, ...playerExample }] },
  async handle({ caller, query: { limit, cursor } }, { music }) {
    const after = cursor === undefined ? null : readCursor('listPlayers', cursor, Place)
    const all = (await music.players(groupOf(caller))).toSorted((a, b) => compare(placeOf(a), placeOf(b)))
    const left = after ? all.filter((player) => compare(placeOf(player), after) > 0) : all
    const shown = left.slice(0, limit)
    await admitRead(caller.projectId, tracksOf(shown))
    const last = shown.length < left.length ? shown.at(-1) : undefined
    return new Page(shown, last ? writeCursor('listPlayers', placeOf(last)) : null)
  },
})
