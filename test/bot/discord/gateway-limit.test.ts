import { expect } from 'chai'
import { GatewayDispatchEvents } from 'discord-api-types/v10'
import { until } from '../../support/bots.ts'
import { createMemberStage } from '../../support/members.ts'

describe('what a bot sends to the gateway', () => {
  it('is no more than Discord takes in a minute, and of each guild only the last wish waits', async () => {
    const stage = await createMemberStage()
    try {
      const { guild, node, sandbox, scope } = stage
      let heard = 0
      sandbox.world.notices.on('happening', ({ event }) => {
        if (event.t === GatewayDispatchEvents.VoiceStateUpdate) heard += 1
      })
      const d = { guild_id: guild.id, channel_id: sandbox.demo.voiceChannelId, self_deaf: true }
      for (let turn = 0; turn < 200; turn += 1) {
        const payload = { op: 4, d: { ...d, self_mute: turn % 2 === 0 } }
        node.tell({ type: 'gatewayPayload', botId: scope.botId, guildId: guild.id, payload })
      }
      await until('it has said what it may', () => heard >= 100)
      await new Promise((resolve) => setTimeout(resolve, 200))
      expect(heard).to.be.within(100, 116)
    } finally {
      await stage.close()
    }
  })
})
