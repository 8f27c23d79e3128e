import { Fault } from '../../../lib/errors.ts'
import * as envelopes from '../../http/envelopes.ts'
import { route } from '../../http/route.ts'
import { BlockPlayer, BlockServer, PlayerPath, ServerPath, ServerQuery } from '../../../upstream/blockgame/schemas.ts'

const blockGame = { tag: 'Block game', class: 'cheap', envelope: envelopes.success } as const
const hash = '31c0ffee'.repeat(8)
const example = {
  id: '0f1e2d3c-4b5a-4697-8899-aabbccddeeff',
  name: 'Some_Player',
  skin: { url: `https://textures.minecraft.net/texture/${hash}`, hash, model: 'slim' as const },
  cape: null,
  defaultSkin: 'alex' as const,
}

export const getBlockPlayer = route('getBlockPlayer', 'GET /v1/blockgame/players/{player}', {
  ...blockGame,
  summary: 'Get a player',
  faults: ['not_found', 'service_unavailable'],
  path: PlayerPath,
  data: BlockPlayer,
  example: { path: { player: 'Some_Player' }, data: { ...example, platform: 'java', xuid: null } },
  handle: ({ path }, { blockPlayers }) => blockPlayers.find(path.player),
})

export const getBlockTextures = route('getBlockTextures', 'GET /v1/blockgame/textures/{player}', {
  ...blockGame,
  summary: "Get a player's skin and cape",
  description: 'Bedrock players have a stored skin only after joining a server through Geyser; 404 for others.',
  faults: ['not_found', 'service_unavailable'],
  path: PlayerPath,
  data: BlockPlayer.omit({ platform: true, xuid: true }).meta({ id: 'BlockTextures' }),
  example: { path: { player: 'Some_Player' }, data: example },
  async handle({ path }, { blockPlayers }) {
    const { id, name, skin, cape, defaultSkin, platform } = await blockPlayers.find(path.player)
    if (platform === 'bedrock' && !skin) throw new Fault('not_found', `${name} has no stored skin.`)
    return { id, name, skin, cape, defaultSkin }
  },
})

export const getBlockServer = route('getBlockServer', 'GET /v1/blockgame/servers/{address}', {
  ...blockGame,
  summary: "Get a game server's status",
  description:
    "If a server doesn't respond, `online` is false and its details are null; this isn't an error. Only " +
    'public addresses work. Responses can be one minute old.',
  faults: ['service_unavailable'],
  path: ServerPath,
  query: ServerQuery,
  data: BlockServer,
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
  handle: ({ caller, path, query }, { blockServers }) =>
    blockServers.status(path.address, query.edition, caller.projectId),
})
