import { GatewayDispatchEvents } from 'discord-api-types/v10'
import { admitVoice, canHear, isHeard, removeFromVoice, type Admission } from './world/voice.ts'
import type { Happening, VoiceChange, World } from './world/world.ts'
import type { Applicant, VoiceServer } from './voice/server.ts'

/** Time after which the old connection of a moved client is closed, unless the client has come back. */
const OLD_CONNECTION_MS = 5000

export interface Bridge {
  /** Admits clients to the voice server. */
  readonly admit: (who: Applicant) => Admission
  /** Called by the voice server when a client is gone for good. */
  readonly onLeft: (who: { guildId: string; userId: string; sessionId: string }) => void
  /** Whether the voice server forwards packets of this user. */
  readonly isHeard: (who: { guildId: string; userId: string }) => boolean
  /** Whether the voice server sends this user the packets of others. */
  readonly canHear: (who: { guildId: string; userId: string }) => boolean
  /** Follows the world's changes on this server. */
  attach(voice: VoiceServer): void
  close(): void
}

/** Between the gateway, which knows who is where, and the voice server, which carries their sound. */
export function createBridge(world: World): Bridge {
  const waiting = new Map<string, NodeJS.Timeout>()
  let voice: VoiceServer | null = null

  function settle(key: string): void {
    clearTimeout(waiting.get(key))
    waiting.delete(key)
  }

  function onChange({ from, to, closeCode }: VoiceChange): void {
    if (!from) return
    const { guildId, userId } = from
    const key = `${guildId}:${userId}`
    settle(key)
    const knowsNewPlace = to !== null && to !== from && closeCode === null
    if (!knowsNewPlace) {
      voice?.remove(guildId, userId, closeCode)
      return
    }
    // The client is about to come back with its new secret, which ends the old session on its own.
    const cut = () => {
      waiting.delete(key)
      voice?.remove(guildId, userId, null)
    }
    waiting.set(key, setTimeout(cut, OLD_CONNECTION_MS))
  }

  /** Muting and deafening, and the end of both, come with a voice state. */
  function onHappening({ event, guildId }: Happening): void {
    if (event.t !== GatewayDispatchEvents.VoiceStateUpdate || guildId === null) return
    voice?.refresh(guildId, event.d.user_id)
  }

  world.notices.on('voice', onChange).on('happening', onHappening)
  return {
    admit(who) {
      const admission = admitVoice(world, who)
      if ('channelId' in admission) settle(`${who.guildId}:${who.userId}`)
      return admission
    },
    isHeard: ({ guildId, userId }) => isHeard(world.guilds.get(guildId), userId),
    canHear: ({ guildId, userId }) => canHear(world.guilds.get(guildId), userId),
    onLeft({ guildId, userId, sessionId }) {
      const guild = world.guilds.get(guildId)
      // A bot stays in its channel as long as its gateway session holds it there; a person is gone with their client.
      if (!guild || world.applications.has(userId)) return
      if (guild.voice.get(userId)?.sessionId === sessionId) removeFromVoice(world, guild, userId, null)
    },
    attach(server) {
      voice = server
      world.voiceEndpoint = server.endpoint
      world.hasVoiceClient = (guildId, userId) => server.isConnected(guildId, userId)
    },
    close() {
      world.notices.off('voice', onChange).off('happening', onHappening)
      for (const timer of waiting.values()) clearTimeout(timer)
      waiting.clear()
    },
  }
}
