import { OPERATIONS } from '../../../bot/player/operations.ts'
import { route } from '../../http/route.ts'
import { PlayerInfo, playerExample } from '../../schemas/music.ts'
import { guild, guildExample, perform } from './common.ts'

export const seekToChapter = route('seekToChapter', 'POST /v1/music/guilds/{guildId}/player/seek-to-chapter', {
  ...guild,
  summary: 'Seek to a chapter',
  description: 'Continues the current track at the start of one of its `chapters`.',
  body: OPERATIONS.seekToChapter.input,
  data: PlayerInfo,
  example: { path: guildExample, body: { chapter: 2 }, data: playerExample },
  handle: perform('seekToChapter'),
  reread: perform('info'),
})
