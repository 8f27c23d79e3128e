import { z } from 'zod'
import { TrackRef, When } from '../../../bot/player/inputs.ts'
import { invalidInput, route } from '../../http/route.ts'
import { Snowflake, text } from '../../schemas/common.ts'
import { PlayResult, songExample } from '../../schemas/music.ts'
import { playerScopeOf, guild, guildExample } from './common.ts'

const EITHER = 'Give exactly one of `query` and `track`.'

export const play = route({
  ...guild,
  id: 'play',
  method: 'POST',
  url: '/v1/music/guilds/{guildId}/play',
  summary: 'Play or queue a track',
  description:
    'Give exactly one of `query` and `track`. The track goes behind what plays and waits, unless `when` says otherwise. ' +
    'The bot joins `channelId` if it is not in a call of this guild yet; otherwise `channelId` is ignored.',
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
  handle({ caller, path, body: { query, track, when, channelId } }, { music }) {
    if ((query === undefined) === (track === undefined)) {
      throw invalidInput('validation_error', [
        { field: 'body.query', message: EITHER },
        { field: 'body.track', message: EITHER },
      ])
    }
    return music.play(playerScopeOf(caller), path.guildId, {
      ...(query !== undefined && { query }),
      ...(track !== undefined && { encoded: track.encoded }),
      ...(when !== undefined && { when }),
      ...(channelId !== undefined && { channelId }),
    })
  },
})
