import type { FiltersEngine, RequestType } from '@ghostery/adblocker'
import type { AdLists } from './ad-lists.ts'

/** Tells what of a page is an advertisement, by lists as browsers' ad blockers have them. */
export type AdFilter = Awaited<ReturnType<typeof read>>

/** Classes and IDs of the elements of a page. */
interface PageNames {
  readonly classes: readonly string[]
  readonly ids: readonly string[]
}

/** The filter, as soon as a job wants one. */
export type AdBlocking = ReturnType<typeof createAdBlocking>

/** Longer URLs are matched by their beginning. */
const URL_MATCHED = 2048
const MS_KEPT = 24 * 60 * 60_000

/** Reads the lists at the first call, and again after a day. */
export function createAdBlocking(lists: AdLists, now: () => number = Date.now) {
  let made: { readonly atMs: number; readonly filter: Promise<AdFilter> } | null = null
  return {
    filter(): Promise<AdFilter> {
      if (made && now() - made.atMs < MS_KEPT) return made.filter
      const filter = read(lists)
      made = { atMs: now(), filter }
      // A failure is not kept.
      filter.catch(() => (made = null))
      return filter
    },
  }
}

async function read(lists: AdLists) {
  const [{ FiltersEngine: Engine, Request }, text] = await Promise.all([import('@ghostery/adblocker'), lists.text()])
  const engine: FiltersEngine = Engine.parse(text, { enableCompression: true })
  return {
    /** @param type as Chromium's protocol names it, such as `Script`. */
    isAd({ url, type, pageUrl }: { readonly url: string; readonly type: string; readonly pageUrl: string }): boolean {
      const details = { url: url.slice(0, URL_MATCHED), sourceUrl: pageUrl, type: TYPES[type] ?? 'other' }
      return engine.match(Request.fromRawDetails(details)).match
    },
    /** A style sheet that hides what ads leave in a page with these elements. */
    stylesFor(url: string, { classes, ids }: PageNames): string {
      const { hostname, domain } = Request.fromRawDetails({ url, type: 'document' })
      return engine.getCosmeticsFilters({ url, hostname, domain, classes: [...classes], ids: [...ids] }).styles
    },
  }
}

/** The library's names for types of requests. */
const TYPES = {
  Document: 'document',
  Stylesheet: 'stylesheet',
  Image: 'image',
  Media: 'media',
  Font: 'font',
  Script: 'script',
  XHR: 'xhr',
  Fetch: 'fetch',
  EventSource: 'eventsource',
  Ping: 'ping',
  Manifest: 'manifest',
} as const satisfies Readonly<Record<string, RequestType>> as Readonly<Record<string, RequestType | undefined>>
