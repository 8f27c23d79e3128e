import { OPERATIONS } from '../../../bot/player/operations.ts'
import { route } from '../../http/route.ts'
import { SleepResult } from '../../schemas/music.ts'
import { guild, guildExample, perform } from './common.ts'

export const sleep = route('sleep', 'PUT /v1/music/guilds/{guildId}/player/sleep', {
  ...guild,
  summary: 'Set the sleep timer',
  description:
    'Ends the music after the given minutes, with a fade of twelve seconds, or at the end of the current ' +
    'track; then the bot leaves. The timer survives a restart.',
  body: OPERATIONS.sleep.input,
  data: SleepResult,
  example: { path: guildExample, body: { minutes: 30 }, data: { sleep: { endsAt: '2026-11-22T22:30:00.000Z' } } },
  handle: perform('sleep'),
})
