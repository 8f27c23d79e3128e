import type { Gateway } from '../gateway/gateway.ts'
import type { VoiceServer } from '../voice/server.ts'
import type { World } from '../world/world.ts'
import type { Turn } from './faults.ts'
import type { FaultOn } from './schema.ts'

interface Parts {
  readonly world: World
  readonly voice: VoiceServer
  readonly gateway: Pick<Gateway, 'closeSockets'>
}

/** Applies the immediate effects of a rule that begins or ends, besides its effect on later traffic. */
export function takeTurn({ world, voice, gateway }: Parts, { rule, isOn, applies }: Turn): void {
  if (rule.on === 'voice') turnVoice({ world, voice }, rule, { isOn, applies })
  if (rule.on !== 'gateway' || rule.effect.type !== 'outage' || !isOn) return
  for (const applicationId of world.applications.keys()) gateway.closeSockets(applicationId, 'drop')
}

function turnVoice(
  { world, voice }: Pick<Parts, 'world' | 'voice'>,
  { effect, guildId, applicationId }: FaultOn<'voice'>,
  { isOn, applies }: Pick<Turn, 'isOn' | 'applies'>,
): void {
  const guilds = [...world.guilds.values()].filter(({ id }) => guildId === undefined || id === guildId)
  for (const guild of guilds) {
    if (effect.type === 'packets') {
      const { type: _, ...faults } = effect
      if (isOn ? applies() : true) voice.setFaults(guild.id, isOn ? faults : {})
      continue
    }
    const users = [...guild.voice.keys()].filter((id) => applicationId === undefined || id === applicationId)
    for (const userId of isOn ? users : []) {
      if (applies()) voice.closeSocket(guild.id, userId, effect.type === 'cut' ? 'drop' : effect.code)
    }
  }
  world.notices.emit('rules')
}
