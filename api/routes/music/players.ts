import { z } from 'zod'
import { route } from '../../http/route.ts'
import { GuildPlayer, playerExample } from '../../schemas/music.ts'
import { groupOf, guildExample, music } from './common.ts'

export const listPlayers = route({
  ...music,
  id: 'listPlayers',
  method: 'GET',
  url: '/v1/music/players',
  summary: "List all players of the key's bots",
  data: z.array(GuildPlayer),
  etag: true,
  example: { data: [{ ...guildExample, ...playerExample }] },
  handle: ({ caller }, { music }) => music.players(groupOf(caller)),
})
