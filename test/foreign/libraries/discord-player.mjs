import { AttachmentExtractor } from '@discord-player/extractor'
import { Player, QueryType } from 'discord-player'
import { start as startDiscordJs } from './discord.js.mjs'

/** A framework for music on discord.js, with a voice stack of its own that plays through ffmpeg. */
export async function start(options) {
  const bot = await startDiscordJs(options)
  const player = new Player(bot.client)
  await player.extractors.register(AttachmentExtractor, {})
  player.on('error', (error) => options.tell('error', error.stack))
  player.events.on('error', (_queue, error) => options.tell('error', error.stack))
  player.events.on('playerError', (_queue, error) => options.tell('error', error.stack))
  return {
    ...bot,
    async join(_guildId, channelId, { mp3 }) {
      const channel = await bot.client.channels.fetch(channelId)
      await player.play(channel, mp3, { searchEngine: QueryType.FILE })
    },
    leave: () => player.nodes.cache.forEach((queue) => queue.delete()),
  }
}
