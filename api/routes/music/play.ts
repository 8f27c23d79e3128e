import { z } from 'zod'
import { TrackRef, When } from '../../../bot/player/inputs.ts'
import type { PlayRequest, PlayResult as PlayAnswer, PlayerService } from '../../../bot/player-service.ts'
import { unprocessable } from '../../../lib/errors.ts'
import type { Caller } from '../../http/app-context.ts'
import { guardOf } from '../../http/conditions/if-match.ts'
import { invalidInput, route } from '../../http/route.ts'
import { Snowflake, text } from '../../schemas/common.ts'
import { PlayResult, songExample } from '../../schemas/music.ts'
import { groupOf, guild, guildExample, playerScopeOf } from './common.ts'

const SEVERAL = 'Several bots of the pool play in this guild. Say in which channel to play.'
const EITHER = 'Give exactly one of `query` and `track`.'

export const play = route({
  ...guild,
  id: 'play',
  method: 'POST',
  url: '/v1/music/guilds/{guildId}/play',
  summary: 'Play or queue a track',
  description:
    'Give exactly one of `query` and `track`. The track goes behind what plays and waits, unless `when` says otherwise. ' +
    'The bot joins `channelId` if it is not in a call of this guild yet; otherwise `channelId` is ignored. With a key of a ' +
    'pool, the bot plays that is in `channelId`, or else one that is in no other channel of the guild; 409 with the reason ' +
    '`bots_busy` when all are. The answer says which bot plays.',
  query: z.object({}),
  body: z.strictObject({
    query: text(1, 500).exactOptional().meta({
      description: 'Plays what the search finds; or the URL of a track, playlist, album or radio stream.',
    }),
    track: TrackRef.exactOptional().meta({ description: 'Plays exactly this track, as a search returned it.' }),
    when: When.exactOptional().meta({
      description:
        'Behind all others (`last`, the default), ahead of what waits (`next`), or at once instead of what plays (`now`).',
    }),
    channelId: Snowflake.exactOptional().meta({
      description: 'Voice channel to join; required when the bot is not yet in one.',
    }),
  }),
  data: PlayResult,
  faults: [...guild.faults, 'player_limit'],
  example: {
    path: guildExample,
    body: { query: 'night ferry', channelId: '81384788765712385' },
    data: { botId: '81384788765712386', track: songExample, position: 0, added: 1 },
  },
  handle(call, { music }) {
    const { caller, path, body } = call
    const { query, track, when, channelId } = body
    if ((query === undefined) === (track === undefined)) {
      throw invalidInput('validation_error', [
        { field: 'body.query', message: EITHER },
        { field: 'body.track', message: EITHER },
      ])
    }
    const guard = guardOf(call.get('If-Match'))
    return playFor(caller, music, {
      guildId: path.guildId,
      request: {
        ...(query !== undefined && { query }),
        ...(track !== undefined && { encoded: track.encoded }),
        ...(when !== undefined && { when }),
        ...(channelId !== undefined && { channelId }),
        ...(guard && { guard }),
      },
    })
  },
})

interface PlayCall {
  readonly guildId: string
  readonly request: PlayRequest
}

/** By the bot of the key; of a pool, by the bot in the channel, or one that is free to join it. */
async function playFor(caller: Caller, music: PlayerService, { guildId, request }: PlayCall): Promise<PlayAnswer> {
  const { channelId } = request
  if (caller.poolId === null) return music.play(playerScopeOf(caller, { guildId }, music), guildId, request)
  if (channelId === undefined) {
    const several = music.bots.occupied(groupOf(caller), guildId).length > 1
    if (several) throw unprocessable('several_players', SEVERAL, 'body.channelId')
    return music.play(playerScopeOf(caller, { guildId }, music), guildId, request)
  }
  const reservation = music.bots.reserve(groupOf(caller), guildId, channelId)
  try {
    return await music.play(reservation.scope, guildId, request)
  } finally {
    reservation.release()
  }
}
