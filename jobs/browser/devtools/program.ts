import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { withTimeout } from '../../../lib/deadline.ts'
import { endNow } from '../../../lib/process/end-now.ts'
import { openDevTools, type DevToolsConnection } from './connection.ts'
import { assetFile } from '../../../lib/installation.ts'

export interface ProgramOptions {
  readonly program: string
  /** `http://127.0.0.1:PORT`: the browser's only way to the network. */
  readonly proxyServer: string
  /** Everything that it writes is in there. */
  readonly folder: string
  /** Whether it shuts its renderers off from the system; it cannot when started by root. */
  readonly sandbox: boolean
  readonly timeoutMs: number
}

/** A browser that runs. */
export interface BrowserProgram {
  readonly devTools: DevToolsConnection
  readonly version: string
  /** Its process group, of which it is the first. */
  readonly group: number
  readonly exited: Promise<unknown>
  /** Asks it to end, and waits until it has. */
  close(): Promise<void>
}

/**
 * The proxy alone does not keep the browser off the network: WebRTC goes around any proxy, and without a name of its
 * own it must look up none. Each of the two policies is known to one of the two programs only.
 */
const EGRESS = [
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  // The proxy is for the loopback, too.
  '--proxy-bypass-list=<-loopback>',
  '--dns-prefetch-disable',
  '--disable-quic',
  '--no-pings',
  '--disable-domain-reliability',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const SWITCHES = [
  '--headless',
  '--no-startup-window',
  '--remote-debugging-pipe',
  '--block-new-web-contents',
  '--font-render-hinting=none',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
  '--mute-audio',
  // A mouse that hovers and points finely, as a desktop has it.
  '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4',
  // Most pages' size from the start spares them being drawn in another one first.
  '--window-size=1280,800',
  '--js-flags=--max-old-space-size=512',
  '--enable-unsafe-swiftshader',
  '--allow-pre-commit-input',
  '--disable-back-forward-cache',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-hang-monitor',
  '--disable-ipc-flooding-protection',
  '--disable-breakpad',
  '--disable-component-extensions-with-background-pages',
  '--disable-default-apps',
  '--disable-dev-shm-usage',
  '--disable-extensions',
  '--disable-field-trial-config',
  '--disable-infobars',
  '--disable-popup-blocking',
  '--disable-prompt-on-repost',
  '--disable-search-engine-choice-screen',
  '--disable-stack-profiler',
  '--metrics-recording-only',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-service-autorun',
  '--password-store=basic',
  '--use-mock-keychain',
]

/**
 * A main frame stays what it is when it leaves `about:blank` for the page. Everything in this context is one job's, so
 * nothing is kept apart by giving every document a frame of its own, which costs a tenth of a small page's time.
 */
const FEATURES = ['RenderDocument:level/subframe', 'CDPScreenshotNewSurface', 'SkipListAccountsWithoutGaiaCookies']
const WITHOUT = [
  'AsyncDns',
  'AutofillServerCommunication',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'DnsOverHttps',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
  'Translate',
  'WebTransport',
]
/** What it said last before it ended, for the log. */
const KEPT_CHARACTERS = 2000

/** @throws {Error} when it does not answer in time, with what it wrote. */
export async function startProgram(options: ProgramOptions): Promise<BrowserProgram> {
  const { timeoutMs } = options
  const child = spawnProgram(options)
  const group = child.pid ?? 0
  const output = lastOutput(child)
  const [, , , commands, events] = child.stdio as unknown as [null, null, Readable, Writable, Readable]
  const devTools = openDevTools({ commands, events })
  const exited = once(child, 'exit').catch(() => undefined)
  void exited.then(() => devTools.close())
  try {
    const { product } = await withTimeout(timeoutMs, devTools.root.send('Browser.getVersion'), () => {
      throw new Error(`it does not answer within ${timeoutMs / 1000} s`)
    })
    await closeOpenedWindows(devTools)
    return {
      devTools,
      version: product.replace(/^[^/]*\//, ''),
      group,
      exited,
      async close() {
        await devTools.root.send('Browser.close').catch(() => undefined)
        await exited
      },
    }
  } catch (error) {
    endGroup(group)
    throw new Error(`The browser did not start: ${(error as Error).message}. ${output()}`.trim(), { cause: error })
  }
}

/** Windows that pages open, where the program does not know the switch against them. */
async function closeOpenedWindows({ root }: DevToolsConnection): Promise<void> {
  root.on('Target.targetCreated', ({ targetInfo: { targetId, openerId } }) => {
    if (openerId) void root.send('Target.closeTarget', { targetId }).catch(() => undefined)
  })
  await root.send('Target.setDiscoverTargets', { discover: true, filter: [{ type: 'page' }] })
}

function spawnProgram({ program, proxyServer, folder, sandbox }: ProgramOptions): ChildProcess {
  const own = [`--proxy-server=${proxyServer}`, `--user-data-dir=${join(folder, 'none')}`]
  const switches = [...SWITCHES, ...EGRESS, ...own, ...(sandbox ? [] : ['--no-sandbox'])]
  return spawn(assetFile('jobs/browser/browser-launcher.sh'), switches, {
    // A group of its own, by which all of it can be found and ended.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    env: environment(folder, program),
  })
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
    BROWSER_WITH: FEATURES.join(','),
    BROWSER_WITHOUT: WITHOUT.join(','),
  }
}

function lastOutput(child: ChildProcess): () => string {
  let last = ''
  child.stderr?.on('data', (chunk: Buffer) => (last = (last + chunk.toString()).slice(-KEPT_CHARACTERS)))
  child.on('error', (error) => (last += error.message))
  return () => last
}

/** Kills all processes of a browser. */
export function endGroup(group: number): void {
  if (group > 1) endNow(-group)
}
