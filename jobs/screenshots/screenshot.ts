import type { BrowserContextOptions, CDPSession, Page } from 'playwright'
import type { z } from 'zod'
import { Fault } from '../../lib/errors.ts'
import type { Egress } from '../../upstream/egress/egress-guard.ts'
import { job, JobFailure, type Job, type JobTools, type Picture } from '../queue/job.ts'
import { capture, MAX_PAGE_HEIGHT } from './capture.ts'
import { printed } from './print.ts'
import { visitor } from './load-page.ts'
import { intercept } from './page-interception.ts'
import { OwnHeaders, ScreenshotRequest } from './page-requests.ts'
import { STAGE_TIMES, type StageTimes } from './progress.ts'
import { settle, watchTraffic } from './settle-page.ts'

type Asked = z.output<typeof ScreenshotRequest>

/** The browser puts its own version for the zero; Chrome says no more than this about a system any more. */
const DEVICES = {
  desktop: {
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: 1,
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/0 Safari/537.36',
  },
  mobile: {
    viewport: { width: 412, height: 915 },
    screen: { width: 412, height: 915 },
    deviceScaleFactor: 2.625,
    isMobile: true,
    hasTouch: true,
    userAgent:
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/0 Mobile Safari/537.36',
  },
} as const satisfies Record<Asked['device'], BrowserContextOptions>

/** Less than all stages and the longest waits together: what one of them leaves is there for the next. */
const LIMIT_MS = 68_000

/** A picture of a web page as a reader with such a device would see it. */
export const screenshot = createScreenshotJob(STAGE_TIMES)

export function createScreenshotJob(times: StageTimes): Job<typeof ScreenshotRequest> {
  return job({
    type: 'tools.screenshot',
    data: ScreenshotRequest,
    timeoutMs: LIMIT_MS,
    attempts: 2,
    async run(asked, tools) {
      const { browser, signal, progress } = tools
      if (!browser)
        throw new JobFailure('service_unavailable', 'The renderer has no browser. Install chromium-headless-shell.')
      const url = await checked(tools.egress, asked.url, signal)
      const own = asked.sealed === null ? null : confided(asked.sealed, tools)
      const ads = asked.blockAds ? await tools.adBlocking.filter() : null
      const options = contextFor(asked)
      return browser.withPage(options, signal, async (page, extras) => {
        progress('navigating')
        const { session } = extras
        await intercept(page, url, own, ads)
        const traffic = watchTraffic(page)
        const visit = visitor(page, extras, times)
        await visit.open(url)
        progress('rendering')
        if (asked.waitFor !== null) await untilVisible(page, asked.waitFor, times.waitMs)
        const maxHeight = asked.fullpage || asked.selector !== null ? MAX_PAGE_HEIGHT : null
        const { delayMs, hideBanners } = asked
        await settle(page, { traffic, session, maxHeight, delayMs, hideBanners, ads }, times)
        visit.confirm()
        progress('encoding')
        return taken(asked, { page, session, scale: options.deviceScaleFactor }, times)
      })
    },
  })
}

function contextFor({ device: name, width, height, scale, dark }: Asked) {
  const device = DEVICES[name]
  const viewport = { width: width ?? device.viewport.width, height: height ?? device.viewport.height }
  const deviceScaleFactor = scale ?? device.deviceScaleFactor
  const colorScheme = dark ? 'dark' : 'light'
  return { ...device, viewport, screen: viewport, deviceScaleFactor, colorScheme, reducedMotion: 'reduce' } as const
}

function taken(
  { format, quality, selector, clip, fullpage: wholePage }: Asked,
  { page, session, scale }: { readonly page: Page; readonly session: CDPSession; readonly scale: number },
  times: StageTimes,
): Promise<Picture> {
  if (format === 'pdf') return printed(page, times.captureMs)
  return capture({ session, wholePage, selector, clip, scale, encoding: { format, quality } }, times)
}

/** @throws {JobFailure} when this renderer has another key than the service that sealed it. */
function confided(sealed: string, { secrets }: Pick<JobTools, 'secrets'>): OwnHeaders {
  const own = secrets?.open(sealed) ?? null
  if (own !== null) return OwnHeaders.parse(own)
  const message = "The renderer can't read the request's headers and cookies. Set the same JOBS_KEY on it."
  throw new JobFailure('service_unavailable', message)
}

/** Playwright's error for an invalid selector. */
const INVALID_SELECTOR = /while parsing css selector|not a valid selector/

/** Waits on each document that the page leads itself to. */
async function untilVisible(page: Page, selector: string, timeout: number): Promise<void> {
  await page.waitForSelector(`css=${selector}`, { state: 'visible', timeout }).catch(({ name, message }: Error) => {
    if (INVALID_SELECTOR.test(message)) throw new JobFailure('bad_request', `${selector} isn't a valid CSS selector.`)
    if (name !== 'TimeoutError') throw new Error(message)
    const seconds = timeout / 1000
    throw new JobFailure('timed_out', `No element of \`waitFor\` (${selector}) became visible in ${seconds} s.`)
  })
}

async function checked(egress: Egress, url: string, signal: AbortSignal): Promise<string> {
  try {
    return (await egress.check(url, { signal })).href
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    throw new JobFailure(error.code === 'validation_error' ? 'bad_request' : 'upstream_failed', error.message)
  }
}
