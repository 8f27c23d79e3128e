import type { Logger } from '../log.ts'
import { createEgress, type Egress } from '../upstream/egress.ts'
import { findBrowser } from './browser-place.ts'
import { openBrowser } from './browser.ts'
import { openEgressProxy } from './egress-proxy.ts'
import type { PageLender } from './job.ts'
import type { RendererSettings } from './renderer-settings.ts'
import { renders } from './renders/index.ts'
import { openResults } from './results/open-results.ts'
import { prefixOf } from './place.ts'
import { startWorker, type Worker } from './worker.ts'

/** Everything that a renderer needs, opened in order. */
export async function openRenderer(
  settings: RendererSettings,
  log: Logger,
  onStuck: () => void,
): Promise<{ close(): Promise<void> }> {
  await using opening = new AsyncDisposableStack()
  const results = opening.adopt(await openResults(settings.results), (it) => it.close())
  const egress = opening.adopt(createEgress({ allowHosts: settings.allowHosts }), (it) => it.close())
  const { address, concurrency, graceMs } = settings
  const browser = await openWarmBrowser(settings, { egress, log }, opening)
  const prefix = prefixOf(results)
  const options = { address, prefix, jobs: renders, results, browser, egress, concurrency, log, onStuck }
  opening.adopt<Worker>(startWorker(options), (it) => it.close(graceMs))
  log.info({ concurrency, hasBrowser: browser !== null, place: results.place }, 'renderer started')
  const opened = opening.move()
  return { close: () => opened.disposeAsync() }
}

/** Null: there is none, or it does not start; what needs no browser is done all the same. */
async function openWarmBrowser(
  { chromiumPath, searchPath }: RendererSettings,
  { egress, log }: { readonly egress: Egress; readonly log: Logger },
  opening: AsyncDisposableStack,
): Promise<PageLender | null> {
  const executablePath = chromiumPath ?? findBrowser(searchPath)
  if (executablePath === null || executablePath === 'none') {
    log.warn('no Chromium is installed; screenshots are refused')
    return null
  }
  const proxy = opening.adopt(await openEgressProxy({ egress, log }), (it) => it.close())
  try {
    return opening.adopt(await openBrowser({ executablePath, proxy, log }), (it) => it.close())
  } catch (err) {
    log.error({ err, executablePath }, 'Chromium does not start; screenshots are refused')
    return null
  }
}
