import { z } from 'zod'
import { Fault } from '../../../lib/errors.ts'
import * as envelopes from '../../http/envelopes.ts'
import { route } from '../../http/route.ts'
import { BlockPlayer } from '../../../upstream/blockgame/schemas.ts'
import { text } from '../../schemas/common.ts'

const blockGame = { tag: 'Block game', method: 'GET', class: 'cheap', envelope: envelopes.success } as const
const player = z.object({
  player: text(1, 64).meta({
    description: 'Account name, UUID, Xbox account number, or gamertag with a dot before it.',
  }),
})
const hash = '31c0ffee'.repeat(8)
const example = {
  id: '0f1e2d3c-4b5a-4697-8899-aabbccddeeff',
  name: 'Some_Player',
  skin: { url: `https://textures.minecraft.net/texture/${hash}`, hash, model: 'slim' as const },
  cape: null,
  defaultSkin: 'alex' as const,
}

export const getBlockPlayer = route({
  ...blockGame,
  id: 'getBlockPlayer',
  url: '/v1/blockgame/players/{player}',
  summary: 'Look a player up',
  faults: ['not_found', 'service_unavailable'],
  path: player,
  data: BlockPlayer,
  example: { path: { player: 'Some_Player' }, data: { ...example, platform: 'java', xuid: null } },
  handle: ({ path }, { blockPlayers }) => blockPlayers.find(path.player),
})

export const getBlockTextures = route({
  ...blockGame,
  id: 'getBlockTextures',
  url: '/v1/blockgame/textures/{player}',
  summary: "Tell where a player's skin and cape are",
  description: 'Of a Bedrock player only who once joined a server through Geyser has a stored skin; 404 for others.',
  faults: ['not_found', 'service_unavailable'],
  path: player,
  data: BlockPlayer.omit({ platform: true, xuid: true }).meta({ id: 'BlockTextures' }),
  example: { path: { player: 'Some_Player' }, data: example },
  async handle({ path }, { blockPlayers }) {
    const { id, name, skin, cape, defaultSkin, platform } = await blockPlayers.find(path.player)
    if (platform === 'bedrock' && !skin) throw new Fault('not_found', `No skin is stored for ${name}.`)
    return { id, name, skin, cape, defaultSkin }
  },
})

export const getBlockServer = route({
  ...blockGame,
  id: 'getBlockServer',
  url: '/v1/blockgame/servers/{address}',
  summary: 'Ask a game server how it is',
  description:
    'A server that does not answer is offline, which is no error: `online` is false and what only it could tell is ' +
    'null. Only public addresses are asked. Answers are up to a minute old.',
  faults: ['service_unavailable'],
  path: z.object({ address: text(1, 300).meta({ description: 'Host, or host and port: `play.example.org:25566`.' }) }),
  query: z.object({ edition: z.enum(['java', 'bedrock']).default('java') }),
  data: z
    .object({
      online: z.boolean(),
      edition: z.enum(['java', 'bedrock']),
      host: z.string(),
      port: z.number().int(),
      version: z.string().nullable(),
      protocol: z.number().nullable(),
      players: z
        .object({
          online: z.number(),
          max: z.number(),
          sample: z.array(z.object({ name: z.string(), id: z.string() })).meta({ description: 'Some of them.' }),
        })
        .nullable(),
      motd: z.object({ raw: z.string().meta({ description: 'With its `§` codes.' }), clean: z.string() }).nullable(),
      favicon: z.string().nullable().meta({ description: 'A PNG as a `data:` URL.' }),
      latencyMs: z.number().nullable(),
    })
    .meta({ id: 'BlockServer' }),
  example: {
    path: { address: 'play.example.org' },
    data: {
      online: true,
      edition: 'java',
      host: 'play.example.org',
      port: 25_565,
      version: '1.21.4',
      protocol: 769,
      players: { online: 3, max: 20, sample: [] },
      motd: { raw: '§aWelcome', clean: 'Welcome' },
      favicon: null,
      latencyMs: 31,
    },
  },
  handle: ({ path, query }, { blockServers }) => blockServers.status(path.address, query.edition),
})
