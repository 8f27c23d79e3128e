import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession, Page, Request } from 'playwright'
import { JobFailure } from '../queue/job.ts'
import { ask, called } from './page-evaluate.ts'
import { bannersAt } from './cookie-banners.ts'
import type { AdFilter } from './ads/ad-filter.ts'
import { addStyles, hideBanners, namesOf, showAll, untilPainted } from './in-page.ts'
import { loaded } from './load-page.ts'
import { within, type StageTimes } from './progress.ts'

/** Maximum number of documents that a page may navigate to. */
const MAX_PAGES = 4
/** Silence for this long is taken for the end, where scripts have asked for something and where they have not yet. */
const QUIET_MS = { afterFetch: 200, before: 60 }
/** Requests unanswered by then are streams or long polls. */
const MAX_REQUEST_MS = 3000
/** Classes and IDs of a page that rules are looked up for. */
const MAX_NAMES = 5000
/** Error texts of the browser for a call to a page that has made way for the next one. */
const LED_ELSEWHERE = /context was destroyed|Promise was collected|navigated or closed|Cannot find (?:default )?context/
const ENDLESS = new Set(['websocket', 'eventsource', 'ping', 'media'])
const BY_SCRIPT = new Set(['fetch', 'xhr'])

/** Counts what a page asks for. */
type Traffic = ReturnType<typeof watchTraffic>

export function watchTraffic(page: Page) {
  const open = new Map<Request, number>()
  let lastMs = performance.now()
  let quietMs = QUIET_MS.before
  let documents = 0
  page.on('request', (request) => {
    const type = request.resourceType()
    if (ENDLESS.has(type)) return
    if (BY_SCRIPT.has(type)) quietMs = QUIET_MS.afterFetch
    lastMs = performance.now()
    open.set(request, lastMs)
  })
  const end = (request: Request) => {
    if (open.delete(request)) lastMs = performance.now()
  }
  page.on('requestfinished', end)
  page.on('requestfailed', end)
  page.on('domcontentloaded', () => documents++)
  const isQuiet = (nowMs: number): boolean =>
    nowMs - lastMs >= quietMs && [...open.values()].every((startedMs) => nowMs - startedMs > MAX_REQUEST_MS)
  return {
    /** Number of documents that the main frame has had. */
    get documents(): number {
      return documents
    },
    /** Resolves when nothing was asked for or answered for a moment, and when the time is up in any case. */
    async quiet(withinMs: number) {
      lastMs = performance.now()
      const endMs = lastMs + withinMs
      for (let nowMs = performance.now(); nowMs < endMs && !isQuiet(nowMs); nowMs = performance.now()) await sleep(10)
    },
  }
}

interface Settling {
  readonly traffic: Traffic
  readonly session: CDPSession
  /** The whole page is wanted, down to this many CSS pixels; null: only what is in view. */
  readonly maxHeight: number | null
  readonly delayMs: number
  readonly hideBanners: boolean
  /** Hides what ads leave; null: ads stay. */
  readonly ads: AdFilter | null
}

/**
 * Waits until a page looks as a reader would see it: fonts, late pictures, what scripts fetch; without cookie banners.
 * @throws {JobFailure} when the page never comes to rest.
 */
export async function settle(page: Page, settling: Settling, { settleMs, loadMs }: StageTimes): Promise<void> {
  for (let tries = 1; !(await hasSettled(page, settling, settleMs)); tries++) {
    if (tries === MAX_PAGES) throw new JobFailure('upstream_failed', 'The page keeps navigating to other pages.')
    await loaded(page, settling.session, loadMs)
  }
}

/** False: the page has meanwhile led itself elsewhere. */
async function hasSettled(page: Page, settling: Settling, settleMs: number): Promise<boolean> {
  const { traffic, delayMs } = settling
  const { documents } = traffic
  try {
    await within(settleMs + delayMs, settleOnce(page, settling, settleMs))
    return traffic.documents === documents
  } catch (error) {
    if (LED_ELSEWHERE.test((error as Error).message)) return false
    throw error
  }
}

async function settleOnce(page: Page, settling: Settling, settleMs: number): Promise<void> {
  const { traffic, session, maxHeight, delayMs } = settling
  const hide = async () => (settling.hideBanners ? called(hideBanners, await bannersAt(page.url())) : 'undefined')
  // A page without scripts is handled in one go.
  const hasScripts = await ask<boolean>(
    session,
    `(async () => {
      const hasScripts = await ${called(untilPainted, { withinMs: settleMs / 8 })}
      ${maxHeight === null ? '' : `await ${called(showAll, { maxHeight, withinMs: settleMs / 3 })}`}
      if (!hasScripts && ${delayMs === 0}) ${await hide()}
      return hasScripts
    })()`,
  )
  if (hasScripts) await traffic.quiet(settleMs / 4)
  if (delayMs > 0) await sleep(delayMs)
  if (settling.ads) await hideAds(page, session, settling.ads)
  if (hasScripts || delayMs > 0) await ask(session, await hide())
}

async function hideAds(page: Page, session: CDPSession, ads: AdFilter): Promise<void> {
  const names = await ask<ReturnType<typeof namesOf>>(session, called(namesOf, MAX_NAMES))
  const styles = ads.stylesFor(page.url(), names)
  if (styles !== '') await ask(session, called(addStyles, styles))
}
