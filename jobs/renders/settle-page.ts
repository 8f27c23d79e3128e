import { setTimeout as sleep } from 'node:timers/promises'
import type { Page, Request } from 'playwright-core'
import { JobFailure } from '../job.ts'
import { bannersAt } from './cookie-banners.ts'
import { hideBanners, showAll, untilPainted } from './in-page.ts'
import { loaded } from './load-page.ts'

/** For all of it, the time that was asked for left out. */
const SETTLE_MS = 12_000
const FONTS_MS = 2000
const SHOW_ALL_MS = 5000
/** So many times a page may lead itself to the next. */
const MAX_PAGES = 4
const BUSY = 'The page is so busy with its scripts that it cannot be looked at.'
/** Silence for so long is taken for the end; scripts that ask again later are not waited for. */
const QUIET_MS = 200
const MAX_QUIET_WAIT_MS = 4000
/** What is not answered by then is a stream or a long poll. */
const MAX_REQUEST_MS = 3000
const ENDLESS = new Set(['websocket', 'eventsource', 'ping', 'media'])

/** Counts what a page asks for. */
export interface Traffic {
  /** Resolves when nothing was asked for or answered for a moment, and after 4 s in any case. */
  quiet(): Promise<void>
}

export function watchTraffic(page: Page): Traffic {
  const open = new Map<Request, number>()
  let lastMs = performance.now()
  const done = (request: Request) => {
    if (open.delete(request)) lastMs = performance.now()
  }
  page.on('request', (request) => {
    if (ENDLESS.has(request.resourceType())) return
    lastMs = performance.now()
    open.set(request, lastMs)
  })
  page.on('requestfinished', done)
  page.on('requestfailed', done)
  const isQuiet = (nowMs: number): boolean =>
    nowMs - lastMs >= QUIET_MS && [...open.values()].every((startedMs) => nowMs - startedMs > MAX_REQUEST_MS)
  return {
    async quiet() {
      const endMs = performance.now() + MAX_QUIET_WAIT_MS
      for (let nowMs = performance.now(); nowMs < endMs && !isQuiet(nowMs); nowMs = performance.now()) await sleep(20)
    },
  }
}

export interface Settling {
  readonly traffic: Traffic
  /** The whole page is wanted, down to this many CSS pixels; null: only what is in view. */
  readonly maxHeight: number | null
  readonly delayMs: number
}

/**
 * Waits until a page looks as a reader would see it: fonts, late pictures, what scripts fetch; without cookie banners.
 * @throws {JobFailure} when the page never comes to rest.
 */
export async function settle(page: Page, settling: Settling): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await within(SETTLE_MS + settling.delayMs, settleOnce(page, settling))
    } catch (error) {
      if (!(error as Error).message.includes('context was destroyed')) throw error
      // The page has led itself elsewhere.
      if (tries === MAX_PAGES)
        throw new JobFailure('upstream_failed', 'The page leads from one page to the next without end.')
      await loaded(page)
    }
  }
}

async function settleOnce(page: Page, { traffic, maxHeight, delayMs }: Settling): Promise<void> {
  const hasScripts = await page.evaluate(untilPainted, { withinMs: FONTS_MS })
  if (maxHeight !== null) await page.evaluate(showAll, { maxHeight, withinMs: SHOW_ALL_MS })
  if (hasScripts) await traffic.quiet()
  if (delayMs > 0) await sleep(delayMs)
  await page.evaluate(hideBanners, await bannersAt(page.url()))
}

/** A page whose scripts never pause answers no question; then the time is up for it. */
export async function within<T>(timeMs: number, step: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new JobFailure('timed_out', BUSY)), timeMs)
  try {
    return await Promise.race([step, late])
  } finally {
    clearTimeout(timer)
  }
}
