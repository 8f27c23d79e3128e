import type { CDPSession, Page } from 'playwright'
import type { AdFilter } from './ads/ad-filter.ts'
import type { OwnHeaders } from './page-requests.ts'

/**
 * Adds the caller's headers and cookies to requests for the origin of the URL, and fails those for ads. By the browser's
 * protocol, which asks again for every redirect; Playwright's routes would carry the headers on to other hosts.
 * @param url the requested URL: its origin alone receives `own`.
 * @param ads null: ads are let through.
 */
export async function intercept(page: Page, url: string, own: OwnHeaders | null, ads: AdFilter | null): Promise<void> {
  if (own && own.cookies.length > 0) await page.context().addCookies(cookiesFor(url, own))
  const headers = Object.entries(own?.headers ?? {})
  if (headers.length === 0 && !ads) return
  const { origin } = new URL(url)
  const session = await page.context().newCDPSession(page)
  session.on('Fetch.requestPaused', ({ requestId, request, resourceType, redirectedRequestId }) => {
    const isPage = resourceType === 'Document' && request.url === url
    if (ads && !isPage && ads.isAd({ url: request.url, type: resourceType, pageUrl: page.url() || url })) {
      return answer(session, 'Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
    }
    const isOwn = URL.parse(request.url)?.origin === origin
    // Added headers stay on a request when it is redirected.
    const isChanged = headers.length > 0 && (isOwn || redirectedRequestId !== undefined)
    const changed = isChanged ? { headers: withHeaders(request.headers, headers, isOwn) } : {}
    answer(session, 'Fetch.continueRequest', { requestId, ...changed })
  })
  await session.send('Fetch.enable', { patterns: [{ urlPattern: 'http*' }] })
}

function withHeaders(
  given: Readonly<Record<string, string>>,
  own: readonly (readonly [name: string, value: string])[],
  isOwn: boolean,
): { name: string; value: string }[] {
  const names = new Set(own.map(([name]) => name.toLowerCase()))
  const others = Object.entries(given).filter(([name]) => !names.has(name.toLowerCase()))
  return [...others, ...(isOwn ? own : [])].map(([name, value]) => ({ name, value }))
}

function cookiesFor(url: string, { cookies }: OwnHeaders) {
  const { hostname, protocol } = new URL(url)
  return cookies.map((cookie) => ({ ...cookie, domain: hostname, secure: protocol === 'https:' }))
}

/** The page may close while something is still said to it. */
function answer(session: CDPSession, method: 'Fetch.failRequest' | 'Fetch.continueRequest', params: object): void {
  void session.send(method as 'Fetch.continueRequest', params as { requestId: string }).catch(() => undefined)
}
