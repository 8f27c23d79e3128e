import type { DevToolsSession } from './devtools/connection.ts'
import type { PageOptions } from './devtools/emulation.ts'
import { openPage, type BrowserPage } from './devtools/page.ts'
import type { BrowserProgram } from './devtools/program.ts'
import type { Passage } from './egress-grant.ts'
import type { EgressProxy } from './egress-proxy.ts'

/** An unused page in a context of its own. */
export interface PreparedPage {
  readonly page: BrowserPage
  readonly passage: Passage
}

export interface Spares {
  /** A fresh page. The next one like it is made ready meanwhile, since most jobs are like the previous one. */
  take(options: PageOptions): Promise<PreparedPage>
}

interface Spare {
  readonly key: string
  readonly prepared: Promise<PreparedPage>
}

export function createSparePages(browser: BrowserProgram, proxy: EgressProxy): Spares {
  let spare: Spare | null = null

  const prepareSpare = (key: string, options: PageOptions): void => {
    if (spare?.key === key) return
    if (spare) void spare.prepared.then(discard, ignoreClosed)
    const made = { key, prepared: prepare(browser, proxy, options) }
    spare = made
    // It may go at any time, with the browser or by a crash; then it is no spare.
    made.prepared.then(
      ({ page }) => page.events.once('crash', () => spare === made && (spare = null)),
      () => spare === made && (spare = null),
    )
  }
  return {
    async take(options) {
      const key = JSON.stringify(options)
      const ready = spare?.key === key ? spare.prepared : null
      if (ready) spare = null
      const kept = await (ready?.catch(() => null) ?? null)
      const taken = kept && !kept.page.hasCrashed ? kept : await prepare(browser, proxy, options)
      prepareSpare(key, options)
      return taken
    },
  }
}

export async function discard({ page, passage }: PreparedPage): Promise<void> {
  passage.close()
  await page.close()
}

async function prepare(browser: BrowserProgram, proxy: EgressProxy, options: PageOptions): Promise<PreparedPage> {
  const passage = proxy.admit()
  let page: BrowserPage | null = null
  try {
    page = await openPage(browser.devTools, named(options, browser.version))
    if (!options.offline) await unlock(page.session, passage)
    return { page, passage }
  } catch (error) {
    passage.close()
    await page?.close()
    throw error
  }
}

/** `Chrome/0` in a user agent becomes the browser's own version. */
function named(options: PageOptions, version: string): PageOptions {
  const { userAgent } = options
  if (!userAgent) return options
  return { ...options, userAgent: userAgent.replace('Chrome/0', `Chrome/${version.split('.', 1)[0]}.0.0.0`) }
}

/**
 * Tells the browser the passage's credential when the proxy first asks for it, which is at the page's first document.
 * The browser then keeps it for all that belongs to the context.
 */
async function unlock(session: DevToolsSession, { username, password }: Passage): Promise<void> {
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
