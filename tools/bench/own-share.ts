import { setTimeout as sleep } from 'node:timers/promises'
import { argsOf, cpuSeconds, descendantsOf, type Process } from '../stage/process.ts'

/** The time for which idle CPU is measured, to be subtracted. */
const REST_MS = 3000

/**
 * Milliseconds of CPU that a picture takes in the service, its renderer's own process and Redis: all but the browser.
 * @param take one picture, after which the next is asked for
 */
export async function ownShareMs(servicePid: number, pictures: number, take: () => Promise<unknown>): Promise<number> {
  const own = [
    servicePid,
    ...descendantsOf(servicePid)
      .filter(isOurs)
      .map(({ pid }) => pid),
  ]
  const spentMs = () => own.reduce((sum, pid) => sum + cpuSeconds(pid), 0) * 1000
  const restingMs = spentMs()
  await sleep(REST_MS)
  const [startedMs, before] = [performance.now(), spentMs()]
  const atRest = (before - restingMs) / REST_MS
  for (let i = 0; i < pictures; i++) await take()
  return (spentMs() - before - atRest * (performance.now() - startedMs)) / pictures
}

function isOurs(one: Process): boolean {
  const args = argsOf(one)
  return args.includes('jobs/main') || args.startsWith('redis-server')
}
