import type { Logger } from '../../lib/log.ts'
import type { Results, Swept } from '../results/results.ts'

/** Keeps the pictures within their time and room. */
interface ResultGc {
  /** Pictures left by the last sweep; null before the first. */
  readonly last: Swept | null
  close(): Promise<void>
}

interface SweepingOptions {
  readonly results: Results
  readonly log: Logger
  readonly now: () => number
}

const FIRST_MS = 5000
const EVERY_MS = 10 * 60_000

export function startResultGc({ results, log, now }: SweepingOptions): ResultGc {
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
    get last() {
      return last
    },
    async close() {
      clearTimeout(first)
      clearInterval(timer)
      await running
    },
  }
}
