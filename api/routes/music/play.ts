import { z } from 'zod'
import { TrackRef, When } from '../../../bot/player/inputs.ts'
import type { PlayerScope } from '../../../bot/bot-selection.ts'
import type { PlayRequest, PlayResult as PlayAnswer, PlayerService } from '../../../bot/player-service.ts'
import type { Caller } from '../../http/app-context.ts'
import { guardOf } from '../../http/conditions/if-match.ts'
import { admitChange } from '../../limits/long-answers.ts'
import { severalPlay } from '../../http/forwarding/pool-requests.ts'
import { invalidInput, route } from '../../http/route.ts'
import { Snowflake, text } from '../../../lib/validation/inputs.ts'
import { PlayResult, songExample } from '../../schemas/music.ts'
import { groupOf, guild, guildExample, playerScopeOf } from './common.ts'

const EITHER = 'Send either `query` or `track`.'

export const play = route('play', 'POST /v1/music/guilds/{guildId}/play', {
  ...guild,
  summary: 'Play or queue a track',
  description:
    'Send either `query` or `track`. Adds the track to the end of the queue, unless `when` says otherwise. If ' +
    "the bot isn't in a voice channel of the guild, it joins `channelId`; otherwise it ignores `channelId`. " +
    "With a pool's key, plays with the bot in `channelId`, or else with a free bot; 409 with the reason " +
    '`bots_busy` if all are in other channels. The response names the bot.',
  query: z.object({}),
  body: z.strictObject({
    query: text(1, 500)
      .exactOptional()
      .describe('Search text, or the URL of a track, playlist, album or radio stream.'),
    track: TrackRef.exactOptional().describe('Track token from a search.'),
    when: When.exactOptional().describe(
      'At the end of the queue (`last`, the default), at its start (`next`), or immediately instead of the current track (`now`).',
    ),
    channelId: Snowflake.exactOptional().describe("Voice channel to join. Required if the bot isn't in one."),
  }),
  data: PlayResult,
  faults: [...guild.faults, 'player_limit'],
  example: {
    path: guildExample,
    body: { query: 'night ferry', channelId: '81384788765712385' },
    data: { botId: '81384788765712386', track: songExample, position: 0, added: 1, total: null },
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
    return playFor(caller, music, path.guildId, {
      ...(query !== undefined && { query }),
      ...(track !== undefined && { encoded: track.encoded }),
      ...(when !== undefined && { when }),
      ...(channelId !== undefined && { channelId }),
      ...(guard && { guard }),
    })
  },
})

/** Plays with the bot of the key; for a pool, with the bot in the channel, or one that is free to join it. */
async function playFor(
  caller: Caller,
  music: PlayerService,
  guildId: string,
  request: PlayRequest,
): Promise<PlayAnswer> {
  const { channelId } = request
  const play = async (scope: PlayerScope): Promise<PlayAnswer> => {
    await admitChange(caller.projectId, music.queueLength(scope, guildId))
    return music.play(scope, guildId, request)
  }
  if (caller.poolId === null) return play(playerScopeOf(caller, { guildId }, music))
  if (channelId === undefined) {
    const several = music.bots.occupied(groupOf(caller), guildId).length > 1
    if (several) throw severalPlay()
    return play(playerScopeOf(caller, { guildId }, music))
  }
  const reservation = music.bots.reserve(groupOf(caller), guildId, channelId)
  try {
    return await play(reservation.scope)
  } finally {
    reservation.release()
  }
}
