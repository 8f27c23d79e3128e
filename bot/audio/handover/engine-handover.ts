import type { PlayerTable } from '../node/player-table.ts'
import { Voice } from '../voice/voice-session.ts'
import type { HandoverMethods } from './handover-methods.ts'

/** The audio thread's side. */
export function createHandoverMethods(players: PlayerTable): HandoverMethods {
  return {
    async voiceOf(ref) {
      const voice = players.find(ref)?.voice
      return voice instanceof Voice ? voice.credentials : null
    },
    async adopt({ join, play, voice: credentials }) {
      const { trackPlayer, voice } = players.ensure(join)
      await trackPlayer.play({ ...play, paused: true, fadeMs: 0 })
      await voice.prepare(credentials)
    },
    release: async (ref, playId) => players.release(ref, playId),
    async takeOver(ref, content, sound) {
      const { voice, trackPlayer } = players.ensure({ ...ref, channelId: '' })
      const goOn = async () => {
        await trackPlayer.active.track?.skipTo(content)
        // Frames wait until there is voice.
        await trackPlayer.setSound({ ...sound, fadeMs: 0 })
      }
      await Promise.all([voice.takeOver(), goOn()])
      await trackPlayer.setSound(sound)
    },
    forget: async (ref) => players.drop(ref),
  }
}
