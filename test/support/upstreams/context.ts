import { Agent } from 'undici'
import { createLog } from '../../../lib/log.ts'
import type { UpstreamContext } from '../../../upstream/http/client.ts'
import { UpstreamFailure } from '../../../upstream/http/failure.ts'
import { createUpstreamCounters, type UpstreamCounters } from './counters.ts'

export interface TestContext extends UpstreamContext {
  readonly metrics: UpstreamCounters
  /** Time that `now()` returns; tests move it. */
  readonly clock: { nowMs: number }
  close(): Promise<void>
}

/**
 * Shared context of clients of outside services, for a test: a clock of its own, counters, and no retries by default.
 */
export function createTestContext(options: { retries?: number; log?: UpstreamContext['log'] } = {}): TestContext {
  const clock = { nowMs: Date.UTC(2026, 10, 21, 12) }
  const closing = new AbortController()
  const dispatcher = new Agent({ connections: 16 })
  return {
    dispatcher,
    userAgent: 'Bandstand/test (+https://bandstand.example)',
    log: options.log ?? createLog('silent'),
    metrics: createUpstreamCounters(),
    now: () => clock.nowMs,
    date: () => clock.nowMs,
    clock,
    retries: options.retries ?? 0,
    random: () => 0,
    closing: closing.signal,
    async close() {
      closing.abort()
      await dispatcher.destroy()
    },
  }
}

/** The failure of a call; the test fails when the call did not. */
export async function failureOf(work: Promise<unknown>): Promise<UpstreamFailure['facts']> {
  try {
    await work
  } catch (error) {
    if (error instanceof UpstreamFailure) return error.facts
    throw error
  }
  throw new Error('the call succeeded')
}
