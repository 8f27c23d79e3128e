import { expect } from 'chai'
import { createJoinTurns, type JoinTurns } from '../../../bot/discord/joins/join-turns.ts'
import { createHandClock, settle, type HandClock } from '../../support/manual-clock.ts'
import { faultOf } from '../../support/web.ts'

const SHARD = 0

describe('turns of joins', () => {
  let clock: HandClock
  let turns: JoinTurns
  beforeEach(() => {
    clock = createHandClock()
    turns = createJoinTurns(clock)
  })
  afterEach(() => turns.close())

  /** Players that come back, each sending its join when its turn comes. @returns at which second each could. */
  function comeBack(count: number): number[] {
    const atSeconds: number[] = []
    const join = async (guildId: string): Promise<void> => {
      await turns.take(SHARD, guildId, 'player')
      turns.sent(SHARD, guildId)
      atSeconds.push(clock.nowMs() / 1000)
    }
    for (let i = 0; i < count; i += 1) void join(`player ${i}`)
    return atSeconds
  }

  it('bring 300 players back in the two minutes that Discord takes for them, never more than 120 in one', async () => {
    const startS = clock.nowMs() / 1000
    const atSeconds = comeBack(300)
    await settle()
    await clock.advance(125_000)
    expect(atSeconds).to.have.length(300)
    expect((atSeconds.at(-1) ?? Infinity) - startS).to.be.at.most(120 * 1.1)
    for (const from of atSeconds)
      expect(atSeconds.filter((at) => at >= from && at < from + 60).length).to.be.at.most(120)
  })

  it('let a caller join at once while players come back', async () => {
    comeBack(300)
    await clock.advance(1000)
    await turns.take(SHARD, 'caller', 'caller')
  })

  it('tell a caller when to come back where the minute is used up, and keep the word', async () => {
    for (let i = 0; i < 112; i += 1) turns.sent(SHARD, `guild ${i}`)
    await clock.advance(10_000)
    const fault = await faultOf(turns.take(SHARD, 'caller', 'caller'))
    expect(fault).to.include({ code: 'service_unavailable', retryAfterMs: 50_000 })
    await clock.advance(50_000)
    await turns.take(SHARD, 'caller', 'caller')
  })

  it('let a caller wait who has to wait for a moment only', async () => {
    for (let i = 0; i < 112; i += 1) turns.sent(SHARD, `guild ${i}`)
    await clock.advance(57_000)
    let isIn = false
    void turns.take(SHARD, 'caller', 'caller').then(() => (isIn = true))
    await clock.advance(2900)
    expect(isIn).to.equal(false)
    await clock.advance(200)
    expect(isIn).to.equal(true)
  })

  it('are given back when nothing was sent', async () => {
    for (let i = 0; i < 112; i += 1) await turns.take(SHARD, `guild ${i}`, 'caller')
    const fault = await faultOf(turns.take(SHARD, 'caller', 'caller'))
    expect(fault).to.include({ code: 'service_unavailable' })
    await clock.advance(10_000)
    await turns.take(SHARD, 'caller', 'caller')
  })

  it('are counted for each shard by itself', async () => {
    for (let i = 0; i < 112; i += 1) turns.sent(SHARD, `guild ${i}`)
    await turns.take(SHARD + 1, 'caller', 'caller')
  })

  it('end with the connection', async () => {
    for (let i = 0; i < 112; i += 1) turns.sent(SHARD, `guild ${i}`)
    const failure = faultOf(turns.take(SHARD, 'player', 'player'))
    turns.close()
    expect(await failure).to.include({ code: 'service_unavailable' })
  })
})
