import { createReadStream } from 'node:fs'
import {
  createAudioPlayer,
  createAudioResource,
  entersState,
  StreamType,
  VoiceConnectionStatus,
} from '@discordjs/voice'

/** Plays an Ogg Opus file on a connection of @discordjs/voice as it is, and tells of each packet that others speak. */
export async function speakAndListen(connection, file, tell) {
  connection.receiver.speaking.on('start', (userId) => {
    if (connection.receiver.subscriptions.has(userId)) return
    connection.receiver.subscribe(userId).on('data', (opus) => opus.length > 3 && tell('heard', userId))
  })
  await entersState(connection, VoiceConnectionStatus.Ready, 15_000)
  const player = createAudioPlayer()
  connection.subscribe(player)
  player.play(createAudioResource(createReadStream(file), { inputType: StreamType.OggOpus }))
}

/** Voice adapters for libraries without voice support: gateway events and commands, by guild. */
export function createAdapters(sendPayload) {
  const adapters = new Map()
  return {
    creatorFor: (guildId) => (methods) => {
      adapters.set(guildId, methods)
      return {
        sendPayload(payload) {
          sendPayload(guildId, payload)
          return true
        },
        destroy: () => adapters.delete(guildId),
      }
    },
    onServer: (data) => adapters.get(data.guild_id)?.onVoiceServerUpdate(data),
    onState: (data) => adapters.get(data.guild_id)?.onVoiceStateUpdate(data),
  }
}
