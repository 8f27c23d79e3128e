import { STATUS_CODES } from 'node:http'
import type { CDPSession, Page, Request } from 'playwright'
import { JobFailure, type PageExtras } from '../queue/job.ts'
import type { StageTimes } from './progress.ts'
import { settleWithin } from '../../lib/deadline.ts'

/** Chromium's names for what went wrong, where a reader would not understand them. */
const SENTENCES: Readonly<Record<string, string>> = {
  ERR_NAME_NOT_RESOLVED: "The hostname doesn't exist.",
  ERR_TOO_MANY_REDIRECTS: 'It redirects in a loop.',
  ERR_CERT_DATE_INVALID: "Its certificate has expired, or isn't valid yet.",
  ERR_CERT_COMMON_NAME_INVALID: 'Its certificate is for another name.',
  ERR_CERT_AUTHORITY_INVALID: 'An unknown authority issued its certificate.',
  ERR_SSL_PROTOCOL_ERROR: "Its TLS isn't valid.",
  ERR_SSL_VERSION_OR_CIPHER_MISMATCH: 'It supports only outdated TLS.',
  ERR_CONNECTION_RESET: 'It closed the connection.',
  ERR_CONNECTION_CLOSED: 'It closed the connection.',
  ERR_EMPTY_RESPONSE: 'It closed the connection without a response.',
  ERR_INVALID_RESPONSE: "Its response isn't HTTP.",
  ERR_INVALID_HTTP_RESPONSE: "Its response isn't HTTP.",
  ERR_INVALID_REDIRECT: 'It redirects to an invalid URL.',
  ERR_UNSAFE_REDIRECT: 'It redirects to an unsafe URL.',
  ERR_TIMED_OUT: "It doesn't respond in time.",
  ERR_CONTENT_DECODING_FAILED: 'Its response has a broken content encoding.',
}

/** The last request of the main frame, and its outcome. */
interface PageVisit {
  url: string
  status: number | null
  failure: string | null
}

/** Answers without a page, at which a browser stays where it is. */
const WITHOUT_PAGE = new Set([204, 205])

/** Opens pages and tells what becomes of their main frame. */
export function visitor(page: Page, extras: PageExtras, { answerMs, loadMs }: StageTimes) {
  const visit: PageVisit = { url: '', status: null, failure: null }
  page.on('request', (request) => {
    if (!isOfMainFrame(request, page)) return
    visit.url = request.url()
    visit.status = null
    visit.failure = null
  })
  page.on('response', (response) => {
    if (isOfMainFrame(response.request(), page)) visit.status = response.status()
  })
  page.on('requestfailed', (request) => {
    if (!isOfMainFrame(request, page) || request.url() !== visit.url) return
    visit.failure = request.failure()?.errorText ?? ''
  })

  return {
    /** @throws {JobFailure} with the reason when there is no page to see. */
    async open(url: string) {
      visit.url = url
      const answer = await page.goto(url, { waitUntil: 'commit', timeout: answerMs }).catch((error: Error) => {
        if (error.name === 'TimeoutError') throw silent(visit.url, answerMs)
        throw explain(error, visit, extras)
      })
      if (answer && answer.status() >= 400) {
        const reason = `${answer.status()} ${answer.statusText()}`.trim()
        throw new JobFailure('upstream_failed', `${hostOf(visit.url)} returned ${reason} instead of a page.`)
      }
      await loaded(page, extras.session, loadMs)
    },
    /** @throws {JobFailure} when the page has meanwhile led itself to if there is none. */
    confirm() {
      if (page.url().startsWith('chrome-error:')) throw explain(new Error(visit.failure ?? ''), visit, extras)
    },
  }
}

/**
 * Waits for all that belongs to the page. What has not come in time is given up: the picture is made without it, while
 * a style sheet that is still awaited would keep the browser from drawing anything.
 */
export async function loaded(page: Page, session: CDPSession, withinMs: number): Promise<void> {
  const isLoaded = await page.waitForLoadState('load', { timeout: withinMs }).then(
    () => true,
    () => false,
  )
  if (!isLoaded) await settleWithin(1000, session.send('Page.stopLoading'))
}

/** Requests of a page that closes have no frame any more, and asking for it throws. */
function isOfMainFrame(request: Request, page: Page): boolean {
  try {
    return request.isNavigationRequest() && request.frame() === page.mainFrame()
  } catch {
    return false
  }
}

function silent(url: string, answerMs: number): JobFailure {
  return new JobFailure('timed_out', `${hostOf(url)} didn't respond within ${answerMs / 1000} s.`)
}

/** The caller's reason for what the browser said; errors of our own machinery pass unchanged. */
function explain(error: Error, { url, status }: PageVisit, extras: PageExtras): Error {
  const host = hostOf(url)
  const [, name] = /net::(ERR_[A-Z_0-9]+)/.exec(error.message) ?? []
  const obstacle = extras.obstacleTo(url)
  if (obstacle && name !== 'ERR_ABORTED') {
    return new JobFailure(obstacle.kind === 'refused' ? 'bad_request' : 'upstream_failed', obstacle.message)
  }
  if (status !== null && WITHOUT_PAGE.has(status)) {
    return new JobFailure('bad_request', `${host} returned ${status} ${STATUS_CODES[status]}, not a page.`)
  }
  if (error.message.includes('Download is starting') || name === 'ERR_ABORTED') {
    return new JobFailure('bad_request', `${host} returned a file, not a page.`)
  }
  if (name === 'ERR_UNSAFE_PORT') return new JobFailure('bad_request', `The browser blocks the port of ${url}.`)
  if (!name) return error
  return new JobFailure('upstream_failed', `Opening ${host} failed. ${SENTENCES[name] ?? `(${name})`}`)
}

function hostOf(url: string): string {
  return URL.parse(url)?.host || 'The address'
}
