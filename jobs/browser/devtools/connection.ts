import type { Readable, Writable } from 'node:stream'
import type { CDPSession } from 'playwright-core'
import { concatAndRelease, releaseBuffer } from '../../../lib/buffers.ts'
import { readDataAnswer } from './data-answer.ts'

const DATA_METHODS = ['Page.captureScreenshot', 'Page.printToPDF'] as const
type DataMethod = (typeof DATA_METHODS)[number]

/** What may be said to one target of the browser, and heard of it. The types are those of the DevTools protocol. */
export interface DevToolsSession extends Pick<CDPSession, 'send' | 'on'> {
  /** For commands whose answer is a file: its bytes. */
  sendForData(method: DataMethod, params: object): Promise<Buffer>
}

/** The browser's own protocol, over the two pipes that it opens with `--remote-debugging-pipe`. */
export interface DevToolsConnection {
  /** The browser as a whole. */
  readonly root: DevToolsSession
  /** The target that was attached under this ID, with `flatten`. */
  session(id: string): DevToolsSession
  /** Nothing comes of this session any more; what waits for an answer fails. */
  forget(id: string): void
  readonly isOpen: boolean
  /** What waits for an answer fails, and all that is sent from here on. */
  close(): void
  /** @returns a function that ends the subscription. */
  onClose(listener: () => void): () => void
}

type Listener = (params: never) => void

interface Session extends DevToolsSession {
  readonly listeners: Map<string, Listener[]>
}

interface Pending {
  readonly session: string
  readonly method: string
  resolve(result: unknown): void
  reject(error: Error): void
}

interface Message {
  readonly id?: number
  readonly method?: string
  readonly sessionId?: string
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: { readonly message: string; readonly data?: string }
}

const ROOT = ''
const BROWSER_GONE = 'the browser is closed'
const PAGE_GONE = 'the page is closed'
/** Each message ends with it. */
const END = 0
/** A message of so many bytes may be a file. */
const LARGE = 65_536
/** Of an event, this many bytes have its name. */
const NAMED_WITHIN = 80
const NAME = /^\{"method":"([\w.]+)"/

export function openDevTools({ commands, events }: { commands: Writable; events: Readable }): DevToolsConnection {
  const sessions = new Map<string, Session>()
  /** Names of events that any session has a listener for: most of what the browser tells is not even parsed. */
  const heard = new Set<string>()
  const closing = new Set<() => void>()
  const calls = createCalls()
  const write = createWriter(commands)
  let isClosed = false

  const send = (session: string, method: string, params: object = {}): Promise<unknown> => {
    if (isClosed) return Promise.reject(new Error(`${method}: ${BROWSER_GONE}`))
    if (!sessions.has(session)) return Promise.reject(new Error(`${method}: ${PAGE_GONE}`))
    const { id, answer } = calls.add(session, method)
    write(JSON.stringify({ id, method, params, ...(session !== ROOT && { sessionId: session }) }))
    return answer
  }
  const open = (id: string): Session => {
    const opened = createSession((method, params) => send(id, method, params), heard)
    sessions.set(id, opened)
    return opened
  }
  const onMessage = (bytes: Buffer): void => {
    const [, name] = NAME.exec(bytes.toString('latin1', 0, NAMED_WITHIN)) ?? []
    if (name !== undefined && !heard.has(name)) return
    const file = bytes.length >= LARGE ? readDataAnswer(bytes, calls.isForData) : null
    if (file) return calls.settle(file.id, { result: { data: file.data } })
    const message = JSON.parse(bytes.toString()) as Message
    if (message.id !== undefined) return calls.settle(message.id, message)
    const listeners = sessions.get(message.sessionId ?? ROOT)?.listeners.get(message.method ?? '')
    for (const listener of listeners ?? []) listener(message.params as never)
  }
  const close = (): void => {
    if (isClosed) return
    isClosed = true
    sessions.clear()
    calls.fail(null, BROWSER_GONE)
    for (const listener of closing) listener()
  }
  const root = open(ROOT)
  // A browser that says what it never would is none to open pages in.
  events.on('data', createSplitter(onMessage, close))
  for (const end of [commands, events]) end.on('error', close).on('close', close)
  return {
    root,
    get isOpen() {
      return !isClosed
    },
    session: (id) => sessions.get(id) ?? open(id),
    forget(id) {
      if (sessions.delete(id)) calls.fail(id, PAGE_GONE)
    },
    close,
    onClose(listener) {
      closing.add(listener)
      return () => void closing.delete(listener)
    },
  }
}

/** @param heard gets the names of the events that it is asked to tell. */
function createSession(send: (method: string, params?: object) => Promise<unknown>, heard: Set<string>): Session {
  const listeners = new Map<string, Listener[]>()
  const session = {
    listeners,
    send,
    on(event: string, listener: Listener): void {
      heard.add(event)
      listeners.set(event, [...(listeners.get(event) ?? []), listener])
    },
    async sendForData(method: DataMethod, params: object): Promise<Buffer> {
      const { data } = (await send(method, params)) as { readonly data: Buffer | string }
      return typeof data === 'string' ? Buffer.from(data, 'base64') : data
    },
  }
  // The types of the protocol tell each command's answer and each event's fields.
  return session as unknown as Session
}

/** Commands that wait for their answers. */
function createCalls() {
  const pending = new Map<number, Pending>()
  let lastId = 0
  return {
    add(session: string, method: string): { readonly id: number; readonly answer: Promise<unknown> } {
      const { promise: answer, resolve, reject } = Promise.withResolvers<unknown>()
      pending.set(++lastId, { session, method, resolve, reject })
      return { id: lastId, answer }
    },
    isForData: (id: number) => DATA_METHODS.some((method) => method === pending.get(id)?.method),
    settle(id: number, { error, result }: Message): void {
      const call = pending.get(id)
      pending.delete(id)
      if (!error) return call?.resolve(result)
      call?.reject(new Error(`${call.method}: ${error.message} ${error.data ?? ''}`.trim()))
    },
    /** Those of one session, or all. */
    fail(session: string | null, reason: string): void {
      for (const [id, call] of pending) {
        if (session !== null && call.session !== session) continue
        pending.delete(id)
        call.reject(new Error(`${call.method}: ${reason}`))
      }
    },
  }
}

/** Everything that is sent in one turn is one write: each write wakes the browser up. */
function createWriter(commands: Writable): (text: string) => void {
  let isCorked = false
  const uncork = (): void => {
    isCorked = false
    commands.uncork()
  }
  return (text) => {
    if (!isCorked) {
      isCorked = true
      commands.cork()
      queueMicrotask(() => process.nextTick(uncork))
    }
    commands.write(`${text}\0`)
  }
}

/** Puts messages together that come in pieces: a picture may come in hundreds. */
function createSplitter(onMessage: (bytes: Buffer) => void, onThrow: () => void): (chunk: Buffer) => void {
  let pieces: Buffer[] = []
  const split = (chunk: Buffer): void => {
    let from = 0
    for (let end = chunk.indexOf(END); end !== -1; end = chunk.indexOf(END, from)) {
      const last = chunk.subarray(from, end)
      if (pieces.length === 0) onMessage(last)
      else {
        const message = concatAndRelease([...pieces, last])
        onMessage(message)
        releaseBuffer(message)
        pieces = []
      }
      from = end + 1
    }
    if (from < chunk.length) pieces.push(chunk.subarray(from))
  }
  return (chunk) => {
    try {
      split(chunk)
    } catch {
      onThrow()
    }
  }
}
