import { NetworkingStatusCode, VoiceConnectionStatus, type VoiceConnection } from '@discordjs/voice'

/** A networking that can send, or null. */
export function readyState(connection: VoiceConnection | null) {
  if (!connection || connection.state.status !== VoiceConnectionStatus.Ready) return null
  const { state } = connection.state.networking
  return state.code === NetworkingStatusCode.Ready ? state : null
}
