import { availableParallelism } from 'node:os'
import { countRewinds, hear, longestSilence } from '../../../../test/support/hearing.ts'
import { startInstallation, type Installation } from '../../../../test/support/installation.ts'
import { hasPostgres } from '../../../../test/support/postgres.ts'
import { experiment, NotRun } from '../experiment.ts'
import { sleep, until } from '../tools.ts'

const SERVICES = 3
const SHARDS = Math.max(SERVICES, availableParallelism())
const AUDIBLE_MS = 1000
const BACK_WITHIN_MS = 5000
const POSITION_WITHIN_MS = 3000

async function areSpread(installed: Installation): Promise<boolean> {
  const { bots } = await installed.admin('cluster')
  const shards: readonly { state: string; serviceId: string }[] = bots[0]?.shards ?? []
  const ready = shards.filter(({ state }) => state === 'ready')
  return ready.length === SHARDS && new Set(ready.map(({ serviceId }) => serviceId)).size === SERVICES
}

/** Services that run one bot between them. */
export const TAKEOVER = [
  experiment('22', {
    title: `kill -9 of one of ${SERVICES} services that run one bot with ${SHARDS} shards, and then of another, with music in each shard`,
    passes:
      'every player is heard within 5 s at its position, by one voice, and those of the others without a gap of a second',
    limitMs: 240_000,
    async run(tools) {
      if (!hasPostgres()) throw new NotRun('there is no PostgreSQL here')
      const installed = tools.own(await startInstallation({ services: SERVICES, shards: SHARDS }), (it) => it.close())
      await until('each service has its shards', () => areSpread(installed), 60_000)
      const listeners = await Promise.all(installed.venues.map((venue) => installed.listen(venue)))
      tools.own(listeners, (all) => all.forEach(({ member }) => member.close()))
      await Promise.all(installed.venues.map((venue) => installed.play(venue)))
      await Promise.all(listeners.map(({ heard }) => hear(heard, 100)))
      for (const victim of installed.services.slice(0, SERVICES - 1)) {
        const sinceMs = performance.now()
        await victim.kill('SIGKILL')
        // A player that is heard by then has recovered: the silences tell when.
        await sleep(BACK_WITHIN_MS * 2)
        const seen = listeners.map(({ heard }) => ({
          silence: longestSilence(heard, sinceMs),
          rewinds: countRewinds(heard, sinceMs),
          isHeard: (heard.at(-1)?.atMs ?? 0) > sinceMs + BACK_WITHIN_MS,
        }))
        const moved = seen.filter(({ silence }) => silence.lengthMs > AUDIBLE_MS)
        const words = moved.map(({ silence }) => `${Math.round(silence.lengthMs)} (${Math.round(silence.skippedMs)})`)
        tools.must(
          seen.every(
            ({ silence, rewinds, isHeard }) =>
              isHeard &&
              silence.lengthMs < BACK_WITHIN_MS &&
              Math.abs(silence.skippedMs) < POSITION_WITHIN_MS &&
              rewinds <= 1,
          ) && moved.length < seen.length,
          `${moved.length} of ${seen.length} players moved: silent for ${words.join(', ')} ms (off their place)`,
        )
      }
    },
  }),
]
