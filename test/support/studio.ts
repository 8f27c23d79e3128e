import type { z } from 'zod'
import { openBrowser, type BrowserOptions, type WarmBrowser } from '../../jobs/browser/browser.ts'
import { findBrowser } from '../../jobs/browser/browser-profile.ts'
import { openEgressProxy, type EgressProxy } from '../../jobs/browser/egress-proxy.ts'
import type { Picture } from '../../jobs/queue/job.ts'
import type { ScreenshotRequest } from '../../jobs/screenshots/page-requests.ts'
import { createScreenshotJob } from '../../jobs/screenshots/screenshot.ts'
import { STAGE_TIMES, type StageTimes } from '../../jobs/screenshots/progress.ts'
import { createLog } from '../../lib/log.ts'
import { createEgress, type Egress, type EgressOptions } from '../../upstream/egress/egress-guard.ts'
import { bareTools } from './bare-tools.ts'

/** A browser behind the egress proxy, as a worker has them, without queue and worker. */
export interface Studio {
  readonly egress: Egress
  readonly proxy: EgressProxy
  readonly browser: WarmBrowser
  /** `times`: shorter ones than the service's, for what continues for ever. */
  shoot(url: string, asked?: Partial<z.input<typeof ScreenshotRequest>>, times?: StageTimes): Promise<Picture>
  close(): Promise<void>
}

export interface StudioOptions extends EgressOptions {
  readonly browser?: Partial<BrowserOptions>
  readonly tools?: Partial<typeof bareTools>
}

export async function openStudio({ browser: browserOptions, tools, ...egressOptions }: StudioOptions): Promise<Studio> {
  const log = createLog('silent')
  const egress = createEgress(egressOptions)
  const proxy = await openEgressProxy({ egress, log })
  const browser = await openBrowser({ executablePath: theBrowser(), proxy, log, ...browserOptions })
  return {
    egress,
    proxy,
    browser,
    shoot(url, asked = {}, times = STAGE_TIMES) {
      const screenshot = createScreenshotJob(times)
      const signal = AbortSignal.timeout(screenshot.timeoutMs)
      const data = screenshot.data.parse({ device: 'desktop', url, ...asked })
      return screenshot.run(data, { ...bareTools, ...tools, browser, egress, log, signal, progress: ignoreStage })
    },
    async close() {
      await browser.close()
      await proxy.close()
      await egress.close()
    },
  }
}

function ignoreStage(): void {}

/** @throws {Error} if none is installed: what these tests are about cannot be shown then. */
export function theBrowser(): string {
  const program = findBrowser(process.env['PATH'] ?? '')
  if (!program) throw new Error('No Chromium is installed; `node tools/install.mjs` installs one.')
  return program
}
