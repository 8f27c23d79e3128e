import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { countRewinds, hear, longestSilence, type Listener } from '../../support/hearing.ts'
import { startInstallation, type Installation } from '../../support/installation.ts'
import { hasPostgres } from '../../support/postgres.ts'
import { hasRedis } from '../../support/redis.ts'
import { eventually } from '../../support/service.ts'

const SHARDS = 2
/** A gap of this length is heard; shorter ones are a busy machine's. */
const AUDIBLE_MS = 1000
const BACK_WITHIN_MS = 5000
const POSITION_WITHIN_MS = 3000

describe('two whole services that run one bot', () => {
  let installed: Installation
  let listeners: readonly Listener[]
  before(async function () {
    if (!hasPostgres() || !hasRedis()) this.skip()
    this.timeout(120_000)
    installed = await startInstallation({ services: 2, shards: SHARDS })
    await eventually(running, (counts) => counts.length === 2 && counts.every((count) => count === SHARDS / 2))
    listeners = await Promise.all(installed.venues.map((venue) => installed.listen(venue)))
    await Promise.all(installed.venues.map((venue) => installed.play(venue)))
    await Promise.all(listeners.map(({ heard }) => hear(heard, 100)))
  })
  after(async () => {
    for (const { member } of listeners ?? []) member.close()
    await installed?.close()
  })

  /** Number of shards connected at each service that runs any. */
  async function running(): Promise<readonly number[]> {
    const { bots } = await installed.admin('cluster')
    const shards: readonly { state: string; serviceId: string }[] = bots[0]?.shards ?? []
    const ready = shards.filter(({ state }) => state === 'ready')
    return [...Map.groupBy(ready, ({ serviceId }) => serviceId).values()].map(({ length }) => length)
  }

  async function untilAllSound(sinceMs: number): Promise<void> {
    await eventually(
      () => listeners.map(({ heard }) => (heard.at(-1)?.atMs ?? 0) > sinceMs),
      (sounding) => sounding.every(Boolean),
    )
  }

  it('play on without a gap while Redis is killed and started again', async () => {
    const sinceMs = performance.now()
    await installed.redis.kill()
    await installed.redis.start()
    // Longer than a lease lives.
    await sleep(4000)
    await untilAllSound(performance.now())
    for (const { heard } of listeners) {
      expect(longestSilence(heard, sinceMs).lengthMs).to.be.below(AUDIBLE_MS)
      expect(countRewinds(heard, sinceMs)).to.equal(0)
    }
  })

  it('sound within 5 s at their position, each with one voice, after one service was killed', async () => {
    const sinceMs = performance.now()
    await installed.services[0]?.kill('SIGKILL')
    await untilAllSound(sinceMs + BACK_WITHIN_MS)
    for (const { heard } of listeners) {
      const { lengthMs, skippedMs } = longestSilence(heard, sinceMs)
      expect(lengthMs).to.be.below(BACK_WITHIN_MS)
      expect(Math.abs(skippedMs)).to.be.below(POSITION_WITHIN_MS)
      expect(countRewinds(heard, sinceMs)).to.be.at.most(1)
    }
    const interrupted = listeners.filter(({ heard }) => longestSilence(heard, sinceMs).lengthMs > AUDIBLE_MS)
    expect(interrupted, 'players of the killed service').to.have.length(SHARDS / 2)
  })
})
