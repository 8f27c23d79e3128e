import type { Browser, BrowserContextOptions, Page } from 'playwright'
import { randomUUID } from 'node:crypto'
import { assetFile } from '../../lib/installation.ts'
import type { Logger } from '../../lib/log.ts'
import { endNow } from '../../lib/process/end-now.ts'
import { bytesOf, viewGroup } from './browser-memory.ts'
import type { BrowserProfile } from './browser-profile.ts'
import type { EgressProxy } from './egress-proxy.ts'
import { createSparePages, discard, type PreparedPage, type Spares } from './browser-pages.ts'
import { JobFailure, type PageExtras } from '../queue/job.ts'

interface EngineOptions {
  readonly program: string
  readonly proxy: EgressProxy
  readonly profile: BrowserProfile
  readonly log: Logger
  /** Whether the browser shuts its renderers off from the system; it cannot when started by root. */
  readonly sandbox: boolean
  /** Memory limit of a renderer; the one above it is killed. */
  readonly maxRendererBytes: number
  /** Memory limit of all processes of the browser together; the browser ends above it. */
  readonly maxBytes: number
  /** Whether it has one page alone, to which then all that it holds belongs. */
  readonly isForOnePage: boolean
}

/**
 * A browser ended since it held too much with its pages. Blobs, stores and frames of a page are in processes that serve all of
 * them, so nothing there tells whose they are: each page is to run again in a browser of its own.
 */
export class OutgrownBrowser extends Error {
  override readonly name = 'OutgrownBrowser'
}

/** One run of the browser program. */
export type Engine = Awaited<ReturnType<typeof launchEngine>>

/** Enough for a machine that is busy with its start. */
const LAUNCH_TIMEOUT_MS = 150_000
/** A page that does not close within this takes its browser with it. */
const CLOSE_TIMEOUT_MS = 20_000
const WATCH_MS = 250
/** A renderer's death is put down to its memory when it was killed for that so shortly before. */
const BLAME_MS = 3000
/** Error texts of the library for a page, for the protocol's session with it, and for a browser that is gone. */
const CRASHED = /(?:Page|Target) crashed/
const GONE = /has been closed/

/**
 * The proxy alone does not keep the browser off the network: WebRTC goes around any proxy, and without a name of its
 * own it must look up none. Each of the two policies is known to one of the two programs only.
 */
const SWITCHES = [
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--dns-prefetch-disable',
  '--disable-quic',
  '--no-pings',
  '--disable-domain-reliability',
  '--block-new-web-contents',
  '--font-render-hinting=none',
  // Most pages' size from the start spares them being drawn in another one first.
  '--window-size=1280,800',
  '--js-flags=--max-old-space-size=512',
]
/**
 * A main frame stays what it is when it leaves `about:blank` for the page. Everything in this context is one job's, so
 * nothing is kept apart by giving every document a frame of its own, which costs a tenth of a small page's time.
 */
const WITH = ['RenderDocument:level/subframe']
const WITHOUT = ['AsyncDns', 'AutofillServerCommunication', 'DnsOverHttps', 'Translate', 'WebTransport']

export async function launchEngine(options: EngineOptions) {
  const { profile, proxy, log, sandbox } = options
  const id = randomUUID()
  const browser = await launch(options, id).catch((error: unknown) => {
    profile.forget(id)
    throw error
  })
  const group = profile.groupOf(id)
  const startedAtMs = performance.now()
  const deaths = watchMemory(group, options)
  const spares = createSparePages(browser, proxy)
  browser.once('disconnected', () => {
    deaths.stop()
    profile.forget(id)
  })
  log.info({ version: browser.version(), group, sandbox }, 'browser started')

  return {
    startedAtMs,
    group,
    get isAlive(): boolean {
      return browser.isConnected()
    },
    use: <T>(
      pageOptions: BrowserContextOptions,
      signal: AbortSignal,
      use: (page: Page, extras: PageExtras) => Promise<T>,
    ) => usePage({ browser, group, deaths, spares }, pageOptions, signal, use),
    async close() {
      const kill = setTimeout(() => endGroup(group), CLOSE_TIMEOUT_MS)
      await browser.close().catch(ignoreClosed)
      clearTimeout(kill)
    },
  }
}

/** Playwright is loaded here, so that a process without a browser does without it. */
async function launch({ program, proxy, profile, sandbox }: EngineOptions, id: string): Promise<Browser> {
  const { chromium } = await import('playwright')
  return chromium.launch({
    executablePath: assetFile('jobs/browser/browser-launcher.sh'),
    artifactsDir: profile.folder,
    // The loopback is no exception.
    proxy: { server: proxy.server, bypass: '<-loopback>' },
    args: SWITCHES,
    chromiumSandbox: sandbox,
    timeout: LAUNCH_TIMEOUT_MS,
    // The renderer ends it in its own time.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    // Nothing of the service's environment: it holds secrets, and what a page runs could read it.
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      LANG: 'C.UTF-8',
      HOME: profile.folder,
      TMPDIR: profile.folder,
      DBUS_SESSION_BUS_ADDRESS: 'disabled:',
      BROWSER_FOLDER: profile.folder,
      BROWSER_ID: id,
      BROWSER_PROGRAM: program,
      BROWSER_WITH: WITH.join(','),
      BROWSER_WITHOUT: WITHOUT.join(','),
    },
  })
}

interface Lending {
  readonly browser: Browser
  readonly group: number
  readonly deaths: Deaths
  readonly spares: Spares
}

async function usePage<T>(
  { browser, group, deaths, spares }: Lending,
  options: BrowserContextOptions,
  signal: AbortSignal,
  use: (page: Page, extras: PageExtras) => Promise<T>,
): Promise<T> {
  const end = ending({ browser, deaths }, signal)
  const unwatch = deaths.watch()
  let taken: PreparedPage | null = null
  try {
    const taking = spares.take(options)
    taken = await Promise.race([taking, end.reached]).catch((error: unknown) => {
      // The caller has left.
      void taking.then(discard, ignoreClosed)
      throw error
    })
    const { page, session, passage } = taken
    page.once('crash', () => end.reject(deaths.blame('the page crashed')))
    const extras = { session, obstacleTo: (url: string) => passage.obstacleTo(url) }
    return await Promise.race([use(page, extras), end.reached])
  } catch (error) {
    throw endOf(error as Error, deaths)
  } finally {
    end.stop()
    // The caller need not wait until the page is closed; a browser that cannot even close it is of no more use.
    const kill = setTimeout(() => endGroup(group), CLOSE_TIMEOUT_MS)
    void (taken ? discard(taken) : Promise.resolve()).finally(() => {
      clearTimeout(kill)
      unwatch()
    })
  }
}

/** The reason of an error. Pending calls to the page may fail before the event of its end. */
function endOf(error: Error, deaths: Deaths): Error {
  if (error instanceof JobFailure) return error
  if (CRASHED.test(error.message)) return deaths.blame('the page crashed')
  return GONE.test(error.message) ? deaths.blame('the browser exited during a job') : error
}

/** Rejects when the caller gives up or the browser is gone. */
function ending({ browser, deaths }: Pick<Lending, 'browser' | 'deaths'>, signal: AbortSignal) {
  signal.throwIfAborted()
  const { promise: reached, reject } = Promise.withResolvers<never>()
  reached.catch(() => undefined)
  const onAbort = () => reject(signal.reason as Error)
  const onGone = () => reject(deaths.blame('the browser exited during a job'))
  signal.addEventListener('abort', onAbort, { once: true })
  browser.once('disconnected', onGone)
  return {
    reached,
    reject,
    stop() {
      signal.removeEventListener('abort', onAbort)
      browser.off('disconnected', onGone)
    },
  }
}

/** The page may close while something is still said to it. */
function ignoreClosed(): void {}

type Deaths = ReturnType<typeof watchMemory>

/**
 * Ends renderers that grow beyond their bounds, and the browser where all of it does, since no switch of the browser bounds what
 * a page may hold. Nothing grows while no page is open.
 */
function watchMemory(group: number, options: EngineOptions) {
  const { maxRendererBytes, maxBytes, isForOnePage, log } = options
  const view = viewGroup(group)
  let killedAtMs = -Infinity
  let isOutgrown = false
  let pages = 0
  let timer: NodeJS.Timeout | undefined
  const sample = () => {
    const all = view.processes()
    const sum = bytesOf(all)
    const hog = all.find(({ isRenderer, bytes }) => isRenderer && bytes > maxRendererBytes)
    if (!hog && sum <= maxBytes) return
    isOutgrown = !hog && !isForOnePage
    killedAtMs = performance.now()
    log.warn({ bytes: hog?.bytes, sum, pages }, hog ? 'page killed: memory limit' : 'browser ended: memory limit')
    if (hog) endNow(hog.pid)
    else endGroup(group)
  }
  return {
    /** The error for a page whose renderer or browser has just died. */
    blame(otherwise: string): Error {
      if (isOutgrown) return new OutgrownBrowser('the browser exceeded its memory limit')
      if (performance.now() - killedAtMs >= BLAME_MS) return new Error(otherwise)
      return new JobFailure('bad_request', 'The page exceeds the memory limit.')
    },
    /** Counts a page as open until the returned function is called. */
    watch(): () => void {
      if (pages++ === 0) timer = setInterval(sample, WATCH_MS).unref()
      return () => {
        if (--pages === 0) clearInterval(timer)
      }
    },
    stop: (): void => clearInterval(timer),
  }
}

/** Ends all processes of a browser. */
function endGroup(group: number): void {
  if (group > 1) endNow(-group)
}
