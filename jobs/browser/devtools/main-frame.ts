import { EventEmitter } from 'node:events'
import { withTimeout } from '../../../lib/deadline.ts'
import type { DevToolsSession } from './connection.ts'

interface PageAnswer {
  readonly status: number
  readonly statusText: string
}

/** What a page's main frame shows. */
export interface MainFrame {
  /** Of its document; `chrome-error:…` where there is none to show. */
  readonly url: string
  readonly hasCrashed: boolean
  /**
   * Opens an address and waits for the first of its document.
   * @returns what the host answered; null where it was not asked
   * @throws {PageTimeout} when nothing comes in time; {Error} with Chromium's name of what went wrong.
   */
  goto(url: string, timeoutMs: number): Promise<PageAnswer | null>
  /** Waits until the document and all that belongs to it is there. @returns whether it is. */
  loaded(withinMs: number): Promise<boolean>
}

export class PageTimeout extends Error {
  override readonly name = 'PageTimeout'
}

type Changes = EventEmitter<{ loaded: []; committed: [] }>

/** @param targetId of the page, which is its main frame's ID, too */
export function watchMainFrame(session: DevToolsSession, targetId: string): MainFrame {
  const answers = new Map<string, PageAnswer>()
  const changes: Changes = new EventEmitter()
  const frame = { url: 'about:blank', isLoaded: true, hasCrashed: false }
  session.on('Page.frameNavigated', ({ frame: { id, url } }) => {
    if (id !== targetId) return
    frame.url = url
    frame.isLoaded = false
    changes.emit('committed')
  })
  session.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
    if (frameId === targetId) frame.url = url
  })
  session.on('Page.loadEventFired', () => {
    frame.isLoaded = true
    changes.emit('loaded')
  })
  session.on('Network.responseReceived', ({ requestId, type, frameId, response }) => {
    if (type !== 'Document' || frameId !== targetId) return
    answers.clear()
    answers.set(requestId, response)
  })
  session.on('Inspector.targetCrashed', () => (frame.hasCrashed = true))
  return {
    get url() {
      return frame.url
    },
    get hasCrashed() {
      return frame.hasCrashed
    },
    goto: (url, timeoutMs) =>
      withTimeout(timeoutMs, open(url, { session, answers, changes }), () => {
        throw new PageTimeout(`${url} does not answer within ${timeoutMs} ms`)
      }),
    async loaded(withinMs) {
      if (frame.isLoaded) return true
      const isLoaded = next(changes, 'loaded').then(() => true)
      return withTimeout(withinMs, isLoaded, () => false)
    },
  }
}

interface Opening {
  readonly session: DevToolsSession
  readonly answers: ReadonlyMap<string, PageAnswer>
  readonly changes: Changes
}

async function open(url: string, { session, answers, changes }: Opening): Promise<PageAnswer | null> {
  const committed = next(changes, 'committed')
  const { loaderId, errorText, isDownload } = await session.send('Page.navigate', { url })
  if (isDownload) throw new Error('Download is starting')
  if (errorText) throw new Error(`${errorText} at ${url}`)
  // Without a loader it has moved within its document.
  if (loaderId === undefined) return null
  await committed
  return answers.get(loaderId) ?? null
}

function next(changes: Changes, event: 'loaded' | 'committed'): Promise<void> {
  return new Promise((resolve) => void changes.once(event, () => resolve()))
}
