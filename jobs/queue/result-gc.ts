import type { Logger } from '../../lib/log.ts'
import type { Results, Swept } from '../results/results.ts'

const FIRST_MS = 5000
const EVERY_MS = 10 * 60_000

/** Keeps the pictures within their time and room. */
export function startResultGc(results: Results, log: Logger, now: () => number) {
  let last: Swept | null = null
  let running: Promise<void> = Promise.resolve()
  const sweep = async () => {
    try {
      last = await results.sweep(now())
      if (last.removed > 0) log.info(last, 'old results removed')
    } catch (err) {
      log.warn({ err }, 'removing old results failed')
    }
  }
  const turn = () => void (running = running.then(sweep))
  const first = setTimeout(turn, FIRST_MS)
  const timer = setInterval(turn, EVERY_MS)
  return {
    /** Pictures left by the last sweep; null before the first. */
    get last(): Swept | null {
      return last
    },
    async close() {
      clearTimeout(first)
      clearInterval(timer)
      await running
    },
  }
}
