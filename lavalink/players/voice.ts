import type { AudioNode, PlayerRef } from '../../bot/audio/node/protocol.ts'
import type { VoiceState } from '../protocol/player.ts'

/** Before a client has told of one. */
export const NO_VOICE: VoiceState = { token: '', endpoint: '', sessionId: '', channelId: null }

/** Whose voice connection it is. */
export interface VoiceOwner extends PlayerRef {
  readonly projectId: string
  readonly userId: string
}

/** Has the audio node connect with what the bot heard from Discord. Resolves when frames can be sent. */
export async function connectVoice(node: AudioNode, owner: VoiceOwner, voice: VoiceState): Promise<void> {
  const { botId, guildId, projectId, userId } = owner
  const { channelId, sessionId, token, endpoint } = voice
  const ref = { botId, guildId }
  const joined = node.join({ ...ref, projectId, channelId: channelId ?? '' })
  node.voiceStateUpdate(ref, {
    guild_id: guildId,
    channel_id: channelId,
    user_id: userId,
    session_id: sessionId,
    deaf: false,
    mute: false,
    self_deaf: true,
    self_mute: false,
    self_video: false,
    suppress: false,
    request_to_speak_timestamp: null,
  })
  node.voiceServerUpdate(ref, { guild_id: guildId, token, endpoint })
  await joined
}
