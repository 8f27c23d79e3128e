import { join } from 'node:path'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import type { Logger } from '../../lib/log.ts'
import { bytesOf, viewGroup } from './browser-memory.ts'
import type { BrowserProfile } from './browser-profile.ts'
import type { EgressProxy } from './egress-proxy.ts'
import { createSpareThreads, discard, type PreparedPage, type Spares } from './browser-pages.ts'
import { JobFailure, type PageExtras } from '../queue/job.ts'

export interface EngineOptions {
  readonly program: string
  readonly proxy: EgressProxy
  readonly profile: BrowserProfile
  readonly log: Logger
  /** Whether the browser shuts its renderers off from the system; it cannot when started by root. */
  readonly sandbox: boolean
  /** What one renderer may hold; the one that holds more is killed. */
  readonly maxRendererBytes: number
  /** What all processes of the browser may hold together; the largest renderer is killed above. */
  readonly maxBytes: number
}

/** One run of the browser program. */
export interface Engine {
  readonly startedAtMs: number
  readonly group: number
  readonly isAlive: boolean
  use<T>(
    options: BrowserContextOptions,
    signal: AbortSignal,
    use: (page: Page, extras: PageExtras) => Promise<T>,
  ): Promise<T>
  close(): Promise<void>
}

/** Of a machine that is busy with its start. */
const LAUNCH_TIMEOUT_MS = 150_000
/** A page that does not close within this takes its browser with it. */
const CLOSE_TIMEOUT_MS = 5000
const WATCH_MS = 250
/** A renderer's death is put down to its memory when it was killed for that so shortly before. */
const BLAME_MS = 3000
/** How the library puts it, for a page and for the protocol's session with it. */
const CRASHED = /(?:Page|Target) crashed/

/**
 * The proxy alone does not keep the browser off the network: WebRTC goes around any proxy, and without a name of its
 * own it must look up none. Each of the two policies is known to one of the two programs only.
 */
const ARGS = [
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
const WITHOUT = ['AsyncDns', 'DnsOverHttps', 'WebTransport', 'Translate', 'MediaRouter', 'AutofillServerCommunication']

export async function launchEngine(options: EngineOptions): Promise<Engine> {
  const { program, proxy, profile, log, sandbox } = options
  const known = new Set(profile.groups())
  const browser = await chromium.launch({
    executablePath: join(import.meta.dirname, 'browser-launcher.sh'),
    artifactsDir: profile.folder,
    proxy: { server: proxy.server },
    args: ARGS,
    chromiumSandbox: sandbox,
    timeout: LAUNCH_TIMEOUT_MS,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    env: environment(profile.folder, program),
  })
  const group = profile.groups().find((it) => !known.has(it)) ?? 0
  const startedAtMs = performance.now()
  const deaths = watchMemory(group, options)
  const spares = createSpareThreads(browser, proxy)
  browser.once('disconnected', () => {
    deaths.stop()
    profile.forget(group)
  })
  log.info({ version: browser.version(), group, sandbox }, 'browser started')

  return {
    startedAtMs,
    group,
    get isAlive() {
      return browser.isConnected()
    },
    use: (contextOptions, signal, use) => usePage({ browser, group, deaths, spares }, contextOptions, signal, use),
    async close() {
      const kill = setTimeout(() => killGroup(group), CLOSE_TIMEOUT_MS)
      await browser.close().catch(() => undefined)
      clearTimeout(kill)
    },
  }
}

/** The browser gets none of the service's environment: it holds secrets, and what a page runs could read it. */
function environment(folder: string, program: string): Record<string, string> {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'C.UTF-8',
    HOME: folder,
    TMPDIR: folder,
    DBUS_SESSION_BUS_ADDRESS: 'disabled:',
    BROWSER_FOLDER: folder,
    BROWSER_PROGRAM: program,
    BROWSER_WITH: WITH.join(','),
    BROWSER_WITHOUT: WITHOUT.join(','),
  }
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
  const end = ending(browser, signal)
  const unwatch = deaths.watch()
  let taken: PreparedPage | null = null
  try {
    const taking = spares.take(options)
    taken = await Promise.race([taking, end.reached]).catch((error: unknown) => {
      // Its caller has left.
      void taking.then(discard, ignoreClosed)
      throw error
    })
    const { page, session, passage } = taken
    page.once('crash', () => end.reject(deaths.blame()))
    const extras = { session, obstacleTo: (url: string) => passage.obstacleTo(url) }
    return await Promise.race([use(page, extras), end.reached])
  } catch (error) {
    // What was asked of the page at that moment may fail before the event of its crash.
    throw CRASHED.test((error as Error).message) ? deaths.blame() : error
  } finally {
    end.stop()
    // The caller need not wait until the page is closed; a browser that cannot even close it is of no more use.
    const kill = setTimeout(() => killGroup(group), CLOSE_TIMEOUT_MS)
    void (taken ? discard(taken) : Promise.resolve()).finally(() => {
      clearTimeout(kill)
      unwatch()
    })
  }
}

/** Rejects when the caller gives up or the browser is gone. */
function ending(browser: Browser, signal: AbortSignal) {
  signal.throwIfAborted()
  const { promise: reached, reject } = Promise.withResolvers<never>()
  reached.catch(() => undefined)
  const onAbort = () => reject(signal.reason as Error)
  const onGone = () => reject(new Error('the browser exited during a job'))
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

interface Deaths {
  /** The error for a page whose renderer has just died. */
  blame(): Error
  /** Counts a page as open until the returned function is called. */
  watch(): () => void
  stop(): void
}

/**
 * Kills renderers that grow beyond their bounds, since no switch of the browser bounds what a page may hold. Nothing
 * grows while no page is open.
 */
function watchMemory(group: number, { maxRendererBytes, maxBytes, log }: EngineOptions): Deaths {
  const view = viewGroup(group)
  let killedAtMs = -Infinity
  let pages = 0
  let timer: NodeJS.Timeout | undefined
  const sample = () => {
    const all = view.processes()
    const renderers = all.filter(({ isRenderer }) => isRenderer).toSorted((a, b) => b.bytes - a.bytes)
    const sum = bytesOf(all)
    const [largest] = renderers
    if (!largest || (largest.bytes <= maxRendererBytes && sum <= maxBytes)) return
    killedAtMs = performance.now()
    log.warn({ bytes: largest.bytes, sum }, 'page killed: memory limit')
    kill(largest.pid)
  }
  return {
    blame: () =>
      performance.now() - killedAtMs < BLAME_MS
        ? new JobFailure('bad_request', 'The page exceeds the memory limit.')
        : new Error('the page crashed'),
    watch() {
      if (pages++ === 0) timer = setInterval(sample, WATCH_MS).unref()
      return () => {
        if (--pages === 0) clearInterval(timer)
      }
    },
    stop: () => clearInterval(timer),
  }
}

function killGroup(group: number): void {
  if (group > 1) kill(-group)
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}
