import { expect } from 'chai'
import { BOT, createStage, type Stage } from '../../../support/stage.ts'

describe('the placement of players on audio threads', () => {
  let stage: Stage
  beforeEach(() => {
    stage = createStage({ nodeCount: 2 })
  })
  afterEach(() => stage.close())

  let guilds = 0
  /** Opens players in guilds of their own. @returns the node of each. */
  async function open(count: number): Promise<readonly string[]> {
    const ids: string[] = []
    for (let i = 0; i < count; i += 1) {
      guilds += 1
      const target = {
        projectId: 'project',
        botId: BOT,
        guildId: `1${String(guilds).padStart(17, '0')}`,
        channelId: '2',
      }
      const { player, joined } = stage.players.open(target, Infinity)
      await joined
      ids.push(player.node.id)
    }
    return ids
  }
  const [A, B] = ['audio-1', 'audio-2']

  it('puts them in turns on threads that are equally busy', async () => {
    expect(await open(4)).to.deep.equal([A, B, A, B])
  })

  it('puts them on the thread that is less busy, though it has more of them', async () => {
    await open(3)
    stage.nodes[1]!.utilization = 0.5
    await stage.clock.advance(10_000)
    expect(await open(5)).to.deep.equal([A, A, A, A, A])
  })

  it('counts those that have just come, which no measurement shows yet', async () => {
    stage.nodes[1]!.utilization = 0.1
    await stage.clock.advance(10_000)
    const nodes = await open(40)
    expect(nodes.slice(0, 15)).to.not.include(B)
    expect(nodes.slice(20)).to.include(B)
  })

  it('counts them only until they are measured', async () => {
    stage.nodes[1]!.utilization = 0.1
    await stage.clock.advance(10_000)
    await open(15)
    await stage.clock.advance(10_000)
    expect(await open(15)).to.not.include(B)
  })

  it('counts one that is filtered twice until it is measured', async () => {
    const [first] = await open(1)
    expect(first).to.equal(A)
    for (const player of stage.players.ofBot(BOT))
      await player.perform('patch', { filters: { preset: 'bassboost' } } as never)
    const nodes = await open(12)
    expect(nodes.filter((id) => id === B).length).to.be.greaterThan(6)
  })
})
