import { EventEmitter } from 'node:events'
import type { DevToolsConnection, DevToolsSession } from './connection.ts'
import { emulate, type PageOptions, type TargetKind } from './emulation.ts'
import { watchMainFrame, type MainFrame } from './main-frame.ts'

/** What the page, its frames or its workers ask for. */
export interface PageRequest {
  /** Stays the same over redirects. */
  readonly id: string
  readonly url: string
  /** `Document`, `Image`, `Fetch` … */
  readonly type: string
  readonly isOfMainFrame: boolean
}

interface PageEvents {
  request: [PageRequest]
  /** @param failure Chromium's name of what went wrong; null: nothing did. */
  requestEnd: [id: string, failure: string | null]
  /** A document of the main frame was read to its end. */
  parsed: []
  crash: []
}

/** A cookie of the caller's. */
export interface PageCookie {
  readonly name: string
  readonly value: string
  readonly domain: string
  readonly path: string
  readonly secure: boolean
}

/** A page in a context of its own, which shares nothing with those of others. */
export interface BrowserPage extends MainFrame {
  /** Not the one that emulates the device: pictures taken over that one would have its scale twice. */
  readonly session: DevToolsSession
  readonly events: EventEmitter<PageEvents>
  /** What an expression comes to inside the page, promises awaited. */
  evaluate<Answer>(expression: string): Promise<Answer>
  setCookies(cookies: readonly PageCookie[]): Promise<void>
  /** Another session with the page, so that both can intercept requests. */
  openSession(): Promise<DevToolsSession>
  close(): Promise<void>
}

/** Scripts of pages cannot leave anything behind that works on after them. */
const NO_SERVICE_WORKERS = `if (navigator.serviceWorker)
  navigator.serviceWorker.register = () => Promise.reject(new DOMException('Not allowed', 'SecurityError'))`
/** Bytes of bodies that Chromium keeps for a debugger, who never asks for them. */
const KEPT_BODIES = { maxTotalBufferSize: 1, maxResourceBufferSize: 1 }
const AUTO_ATTACH = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }

/** A script of ours threw inside a page, which may have changed all that it uses. */
export class PageScriptError extends Error {
  override readonly name = 'PageScriptError'
}

/** @throws {Error} when the browser closes meanwhile. */
export async function openPage(devTools: DevToolsConnection, options: PageOptions): Promise<BrowserPage> {
  const { root } = devTools
  const { browserContextId } = await root.send('Target.createBrowserContext', { disposeOnDetach: true })
  const close = () => root.send('Target.disposeBrowserContext', { browserContextId })
  try {
    const refused = root.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId })
    // Awaited below, and until then no failure may go unheard.
    refused.catch(ignore)
    const { width, height } = options.viewport ?? {}
    const asked = { url: 'about:blank', browserContextId, ...(width && { width }), ...(height && { height }) }
    const { targetId } = await root.send('Target.createTarget', asked)
    const attach = () => root.send('Target.attachToTarget', { targetId, flatten: true })
    const [emulating, plain] = await Promise.all([attach(), attach()])
    const sessionIds = [emulating.sessionId, plain.sessionId] as const
    const page = createPage({ devTools, options, targetId, sessionIds, browserContextId })
    await Promise.all([refused, page.ready])
    return page
  } catch (error) {
    await close().catch(() => undefined)
    throw error
  }
}

interface PageParts {
  readonly devTools: DevToolsConnection
  readonly options: PageOptions
  readonly targetId: string
  readonly sessionIds: readonly [emulating: string, plain: string]
  readonly browserContextId: string
}

function createPage(parts: PageParts): BrowserPage & { readonly ready: Promise<unknown> } {
  const { devTools, options, targetId, browserContextId } = parts
  const { root } = devTools
  const [emulatingId, plainId] = parts.sessionIds
  const session = devTools.session(plainId)
  const emulating = devTools.session(emulatingId)
  const sessionIds = new Set<string>(parts.sessionIds)
  const events = new EventEmitter<PageEvents>()
  // Each stage of a job listens for itself.
  events.setMaxListeners(0)
  const frame = watchMainFrame(emulating, targetId)
  emulating.on('Inspector.targetCrashed', () => events.emit('crash'))
  emulating.on('Page.domContentEventFired', () => events.emit('parsed'))
  const targets = { devTools, options, targetId, events, sessionIds }
  return Object.assign(frame, {
    ready: prepareTarget(targets, emulatingId, 'page'),
    session,
    events,
    evaluate: <Answer>(expression: string) => evaluate<Answer>(session, expression),
    async setCookies(cookies: readonly PageCookie[]) {
      await root.send('Storage.setCookies', { cookies: [...cookies], browserContextId })
    },
    async openSession() {
      const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true })
      sessionIds.add(sessionId)
      return devTools.session(sessionId)
    },
    async close() {
      await root.send('Target.disposeBrowserContext', { browserContextId }).catch(ignore)
      for (const id of sessionIds) devTools.forget(id)
    },
  })
}

interface Targets {
  readonly devTools: DevToolsConnection
  readonly options: PageOptions
  readonly targetId: string
  readonly events: EventEmitter<PageEvents>
  readonly sessionIds: Set<string>
}

/** Prepares the page, a frame or a worker, and lets it start; all in one go: nothing is waited for in between. */
async function prepareTarget(targets: Targets, sessionId: string, kind: TargetKind): Promise<void> {
  const { devTools, options, targetId, events, sessionIds } = targets
  const session = devTools.session(sessionId)
  sessionIds.add(sessionId)
  watchRequests(session, targetId, events)
  session.on('Target.attachedToTarget', ({ sessionId: id, targetInfo: { type } }) => {
    if (type === 'iframe' || type === 'worker') return void prepareTarget(targets, id, type).catch(ignore)
    void devTools.session(id).send('Runtime.runIfWaitingForDebugger').catch(ignore)
  })
  session.on('Target.detachedFromTarget', ({ sessionId: id }) => {
    sessionIds.delete(id)
    devTools.forget(id)
  })
  const isWorker = kind === 'worker'
  if (!isWorker) dismissDialogs(session)
  await Promise.all([
    session.send('Network.enable', KEPT_BODIES),
    session.send('Target.setAutoAttach', AUTO_ATTACH),
    ...(isWorker ? [] : [session.send('Page.enable')]),
    ...(isWorker ? [] : [session.send('Page.addScriptToEvaluateOnNewDocument', { source: NO_SERVICE_WORKERS })]),
    ...emulate(session, options, kind),
    session.send('Runtime.runIfWaitingForDebugger'),
  ])
}

/**
 * What an expression comes to inside the page, promises awaited.
 * @throws {PageScriptError} what it throws. {Error} Chromium's reason when the page has gone elsewhere meanwhile.
 */
async function evaluate<Answer>(session: DevToolsSession, expression: string): Promise<Answer> {
  const evaluation = { expression, awaitPromise: true, returnByValue: true }
  const { result, exceptionDetails: failure } = await session.send('Runtime.evaluate', evaluation)
  if (failure)
    throw new PageScriptError(`Evaluating the page failed: ${failure.exception?.description ?? failure.text}`)
  return result.value as Answer
}

function watchRequests(session: DevToolsSession, targetId: string, events: EventEmitter<PageEvents>): void {
  session.on('Network.requestWillBeSent', ({ requestId: id, request, type = 'Other', frameId, loaderId }) => {
    const isOfMainFrame = type === 'Document' && frameId === targetId && id === loaderId
    events.emit('request', { id, url: request.url, type, isOfMainFrame })
  })
  session.on('Network.loadingFinished', ({ requestId }) => void events.emit('requestEnd', requestId, null))
  session.on(
    'Network.loadingFailed',
    ({ requestId, errorText }) => void events.emit('requestEnd', requestId, errorText),
  )
}

function dismissDialogs(session: DevToolsSession): void {
  session.on('Page.javascriptDialogOpening', ({ type }) => {
    // What would keep it from leaving is not asked of a reader.
    void session.send('Page.handleJavaScriptDialog', { accept: type === 'beforeunload' }).catch(ignore)
  })
}

/** The page, or a frame of it, may close while something is still said to it. */
function ignore(): void {}
