import { expect } from 'chai'
import { LateGuilds, loadLate, type GatewayPacket } from '../../../../bot/discord/shards/late-guilds.ts'

const SHARD = 3

describe('guilds of a resumed session that are read late', () => {
  const stored = Array.from({ length: 25 }, (_, at) => ({ id: `g${at}` }))

  function open(found: readonly object[] = stored) {
    const late = new LateGuilds()
    late.begin(
      SHARD,
      stored.map(({ id }) => id),
    )
    const handled: string[] = []
    const handle = ({ t, d }: GatewayPacket) => {
      handled.push(`${t} ${(d as { guild_id?: string; id?: string }).guild_id ?? (d as { id: string }).id}`)
    }
    const sessions = {
      async *guilds() {
        yield found
      },
    }
    const load = (isCurrent = () => true) => loadLate(late, { shardId: SHARD, sessions, handle, isCurrent })
    return { late, handled, load }
  }

  it('get what Discord told of them meanwhile right after they are known, in its order', async () => {
    const { late, handled, load } = open()
    const tell = (t: string, guildId: string) => late.hold({ t, d: { guild_id: guildId } }, SHARD)
    expect([tell('VOICE_STATE_UPDATE', 'g3'), tell('CHANNEL_DELETE', 'g3')]).to.deep.equal([true, true])
    expect(late.hold({ t: 'GUILD_UPDATE', d: { id: 'g4' } }, SHARD)).to.equal(true)
    expect(tell('VOICE_STATE_UPDATE', 'g99'), 'a guild that is known').to.equal(false)
    expect(late.hold({ t: 'VOICE_STATE_UPDATE', d: { guild_id: 'g3' } }, SHARD + 1), 'another shard').to.equal(false)
    await load()
    expect(handled.slice(3, 8)).to.deep.equal([
      'GUILD_CREATE g3',
      'VOICE_STATE_UPDATE g3',
      'CHANNEL_DELETE g3',
      'GUILD_CREATE g4',
      'GUILD_UPDATE g4',
    ])
    expect(handled.filter((text) => text.startsWith('GUILD_CREATE'))).to.have.length(stored.length)
    expect([late.count(SHARD), tell('VOICE_STATE_UPDATE', 'g3')]).to.deep.equal([0, false])
  })

  it('are not overwritten with what was stored once Discord has told of them', async () => {
    const { late, handled, load } = open()
    expect(late.hold({ t: 'GUILD_CREATE', d: { id: 'g1' } }, SHARD)).to.equal(false)
    expect(late.hold({ t: 'GUILD_DELETE', d: { id: 'g2' } }, SHARD)).to.equal(false)
    await load()
    expect(handled.filter((text) => / g[12]$/.test(text))).to.deep.equal([])
  })

  it('are an error where the former owner has not stored all of them', async () => {
    const { load } = open(stored.slice(1))
    const failed = await load().then(
      () => null,
      (error: Error) => error.message,
    )
    expect(failed).to.equal('Servers not stored yet: 1.')
  })

  it('are given up as soon as the shard is run by another service', async () => {
    const { handled, load } = open()
    await load(() => handled.length < 12)
    expect(handled).to.have.length(12)
  })
})
