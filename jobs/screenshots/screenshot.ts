import type { BrowserContextOptions } from 'playwright-core'
import type { z } from 'zod'
import { Fault } from '../../lib/errors.ts'
import type { Egress } from '../../upstream/egress/egress-guard.ts'
import { job, JobFailure, type Job } from '../queue/job.ts'
import { capture, MAX_PAGE_HEIGHT } from './capture.ts'
import { visitor } from './load-page.ts'
import { ScreenshotRequest } from './page-requests.ts'
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

/** A picture of a web page as a reader with such a device would see it. */
export const screenshot = createScreenshotJob(STAGE_TIMES)

export function createScreenshotJob(times: StageTimes): Job<typeof ScreenshotRequest> {
  return job({
    type: 'tools.screenshot',
    data: ScreenshotRequest,
    // The sum of all stages and the longest delay that may be asked for.
    timeoutMs: times.answerMs + times.loadMs + times.settleMs + times.captureMs + 12_000,
    attempts: 2,
    needsBrowser: true,
    async run(asked, { browser, egress, signal, progress }) {
      if (!browser)
        throw new JobFailure('service_unavailable', 'The renderer has no browser. Install chromium-headless-shell.')
      const url = await checked(egress, asked.url, signal)
      const device = DEVICES[asked.device]
      const options = { ...device, colorScheme: asked.dark ? 'dark' : 'light', reducedMotion: 'reduce' } as const
      return browser.withPage(options, signal, async (page, extras) => {
        progress('navigating')
        const { session } = extras
        const traffic = watchTraffic(page)
        const visit = visitor(page, extras, times)
        await visit.open(url)
        progress('rendering')
        const maxHeight = asked.fullpage || asked.selector !== null ? MAX_PAGE_HEIGHT : null
        await settle(page, { traffic, session, maxHeight, delayMs: asked.delayMs }, times)
        visit.confirm()
        progress('encoding')
        const { selector, clip, fullpage: wholePage } = asked
        return capture({ session, wholePage, selector, clip, scale: device.deviceScaleFactor }, times)
      })
    },
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
