import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright'
import type { EgressPassage } from './egress-grant.ts'
import type { EgressProxy } from './egress-proxy.ts'

/** An unused page in a context of its own. */
export interface PreparedPage {
  readonly context: BrowserContext
  readonly page: Page
  readonly session: CDPSession
  readonly passage: EgressPassage
}

export type Spares = ReturnType<typeof createSparePages>

export function createSparePages(browser: Browser, proxy: EgressProxy) {
  let spare: { readonly key: string; readonly prepared: Promise<PreparedPage> } | null = null

  const prepareSpare = (key: string, options: BrowserContextOptions): void => {
    if (spare?.key === key) return
    if (spare) void spare.prepared.then(discard, ignoreClosed)
    const made = { key, prepared: prepare(browser, proxy, options) }
    spare = made
    // The spare page may close at any time, with the browser or by a crash; then it is no spare.
    made.prepared.then(
      ({ page }) => page.once('crash', () => spare === made && (spare = null)),
      () => spare === made && (spare = null),
    )
  }
  return {
    /** A fresh page. The next one like it is made ready meanwhile, since most jobs are like the previous one. */
    async take(options: BrowserContextOptions): Promise<PreparedPage> {
      const key = JSON.stringify(options)
      const ready = spare?.key === key ? spare.prepared : null
      if (ready) spare = null
      const kept = await (ready?.catch(() => null) ?? null)
      const taken = kept && !kept.page.isClosed() ? kept : await prepare(browser, proxy, options)
      prepareSpare(key, options)
      return taken
    },
  }
}

export async function discard({ context, passage }: PreparedPage): Promise<void> {
  passage.close()
  await context.close().catch(ignoreClosed)
}

async function prepare(browser: Browser, proxy: EgressProxy, options: BrowserContextOptions): Promise<PreparedPage> {
  const context = await browser.newContext(contextOptions(options, browser.version()))
  const passage = proxy.admit()
  try {
    context.once('close', () => passage.close())
    const page = await context.newPage()
    context.on('page', (other) => void other.close().catch(ignoreClosed))
    const session = await context.newCDPSession(page)
    if (!options.offline) await unlock(session, passage)
    return { context, page, session, passage }
  } catch (error) {
    passage.close()
    await context.close().catch(ignoreClosed)
    throw error
  }
}

/** `Chrome/0` in a user agent becomes the browser's own version. */
function contextOptions(options: BrowserContextOptions, version: string): BrowserContextOptions {
  const chrome = `Chrome/${version.split('.', 1)[0]}.0.0.0`
  const named = options.userAgent ? { userAgent: options.userAgent.replace('Chrome/0', chrome) } : {}
  return { acceptDownloads: false, serviceWorkers: 'block', ...options, ...named }
}

/**
 * Tells the browser the passage's credential when the proxy first asks for it, which is at the page's first document.
 * The browser then keeps it for all that belongs to the context. Playwright's own way has every request of the page wait
 * for an answer of ours, and turns the browser's cache off.
 */
async function unlock(session: CDPSession, { username, password }: EgressPassage): Promise<void> {
  session.on('Fetch.requestPaused', ({ requestId }) => {
    void session.send('Fetch.continueRequest', { requestId }).catch(ignoreClosed)
  })
  session.on('Fetch.authRequired', ({ requestId, authChallenge }) => {
    const isOurs = authChallenge.source === 'Proxy'
    const response = isOurs ? 'ProvideCredentials' : 'CancelAuth'
    const authChallengeResponse = { response, ...(isOurs ? { username, password } : {}) } as const
    void session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(ignoreClosed)
    if (isOurs) void session.send('Fetch.disable').catch(ignoreClosed)
  })
  await session.send('Fetch.enable', {
    handleAuthRequests: true,
    patterns: [{ urlPattern: '*', resourceType: 'Document' }],
  })
}

/** The page may close while something is still said to it. */
function ignoreClosed(): void {}
