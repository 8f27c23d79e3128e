import { setTimeout as sleep } from 'node:timers/promises'
import type { Page, Request } from 'playwright-core'
import { hideBanners, showAll, untilPainted } from './in-page.ts'
import { bannersAt } from './cookie-banners.ts'

const FONTS_MS = 2000
const SHOW_ALL_MS = 5000
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

/** Waits until a page looks as a reader would see it: fonts, late pictures, what scripts fetch; without cookie banners. */
export async function settle(page: Page, { traffic, maxHeight, delayMs }: Settling): Promise<void> {
  const hasScripts = await page.evaluate(untilPainted, { withinMs: FONTS_MS })
  if (maxHeight !== null) await page.evaluate(showAll, { maxHeight, withinMs: SHOW_ALL_MS })
  if (hasScripts) await traffic.quiet()
  if (delayMs > 0) await sleep(delayMs)
  await page.evaluate(hideBanners, await bannersAt(page.url()))
}
