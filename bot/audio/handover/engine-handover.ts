import { Fault } from '../../../lib/errors.ts'
import type { PlayerTable } from '../node/player-table.ts'
import { Voice } from '../voice/voice-session.ts'
import type { HandoverMethods } from './handover-methods.ts'

/** The audio thread's side. */
export function createHandoverMethods(players: PlayerTable): HandoverMethods {
  return {
    async voiceOf(ref) {
      const player = players.find(ref)
      return player?.voice instanceof Voice && !player.tee.isOpen ? player.voice.credentials : null
    },
    async adopt({ join, play, voice: credentials }) {
      const { trackPlayer, voice } = players.ensure(join)
      await trackPlayer.play({ ...play, paused: true, fadeMs: 0 })
      // Nothing would end a connection that is opened now.
      if (players.find(join)?.voice !== voice) throw new Fault('conflict', 'The player does not move any more.')
      await voice.prepare(credentials)
    },
    release: async (ref, playId) => players.release(ref, playId),
    async takeOver(ref, content, sound) {
      const { voice, trackPlayer } = players.get(ref)
      if (!(voice instanceof Voice)) throw new Fault('conflict', 'This player uses an external voice connection.')
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
