import { ApiError, ConnectionError } from './errors.ts'
import { openEvents, type EventsOptions, type EventStream } from './events.ts'
import { withRetries, type RetryRules } from './retries.ts'
import { linkedController } from './signals.ts'
import type { Answer, CallOptions, File, Init, Item, Last, ListPath, PathOf, ReadAs, Verb } from './types.ts'

export interface ClientOptions extends Partial<RetryRules> {
  /** The address of Bandstand, without `/v1`: `https://music.example.org`. */
  readonly baseUrl: string
  /** `svc.` and 64 hex digits. */
  readonly key: string
  /** The time limit of one attempt in milliseconds, its answer included. Defaults to 90,000. */
  readonly timeoutMs?: number
  /** Used for tests and custom agents. Defaults to that of the runtime. */
  readonly fetch?: typeof fetch
}

type Call<V extends Verb> = <P extends PathOf<V>, As extends keyof ReadAs = 'json'>(
  path: P,
  ...last: Last<Init<V, P, As>>
) => Promise<Answer<V, P, As>>

/** A method for each verb, which resolves with the body of the answer and throws `ApiError` or `ConnectionError`. */
export interface Bandstand {
  readonly GET: Call<'GET'>
  readonly POST: Call<'POST'>
  readonly PUT: Call<'PUT'>
  readonly PATCH: Call<'PATCH'>
  readonly DELETE: Call<'DELETE'>
  /** Like the methods above, with the headers of the answer. */
  request<V extends Verb, P extends PathOf<V>, As extends keyof ReadAs = 'json'>(
    verb: V,
    path: P,
    ...last: Last<Init<V, P, As>>
  ): Promise<{ readonly body: Answer<V, P, As>; readonly headers: Headers }>
  /** Every item of a list, however many pages it has; a page is read when its turn comes. */
  list<P extends ListPath>(path: P, ...last: Last<Init<'GET', P, 'json'>>): AsyncGenerator<Item<P>, void, undefined>
  /** Events of players, as they happen. */
  events(options?: Omit<EventsOptions, 'baseUrl' | 'key'>): EventStream
}

type Values = Readonly<Record<string, string | number | boolean | null | undefined>>

interface AnyInit extends CallOptions {
  readonly path?: Values
  readonly query?: Values
  readonly body?: unknown
  readonly as?: keyof ReadAs
}

const TIMEOUT_MS = 90_000
const ACCEPT = { json: 'application/json', text: '*/*', blob: 'image/*, */*;q=0.5', arrayBuffer: 'image/*, */*;q=0.5' }

/** A client of one Bandstand with one key. */
export function createClient(options: ClientOptions): Bandstand {
  const { key, timeoutMs = TIMEOUT_MS, retries = 2, longestWaitMs = 60_000 } = options
  const baseUrl = withoutSlash(options.baseUrl)
  // Browsers do not take it as a method of another object.
  const send: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init))

  async function request(verb: string, path: string, init: AnyInit = {}) {
    const { signal } = init
    signal?.throwIfAborted()
    const url = baseUrl + targetOf(path, init)
    const asked: RequestInit = { method: verb, headers: headersOf(verb, key, init), body: bodyOf(init) }
    const attempt = () => fetchOnce(send, url, asked, { timeoutMs, ...init })
    return withRetries(attempt, { retries, longestWaitMs, signal })
  }

  const call = (verb: string) => async (path: string, init?: AnyInit) => (await request(verb, path, init)).body

  async function* list(path: string, init: AnyInit = {}): AsyncGenerator<unknown, void, undefined> {
    let { cursor } = init.query ?? {}
    do {
      const query = { ...init.query, ...(cursor !== undefined && { cursor }) }
      const { body } = await request('GET', path, { ...init, query })
      const page = body as PageBody
      yield* itemsOf(page)
      cursor = page.next
    } while (cursor !== undefined && cursor !== null)
  }

  // The types of paths hold for callers; within, a path is text.
  const client: Record<keyof Bandstand, unknown> = {
    GET: call('GET'),
    POST: call('POST'),
    PUT: call('PUT'),
    PATCH: call('PATCH'),
    DELETE: call('DELETE'),
    request,
    list,
    events: (given: Omit<EventsOptions, 'baseUrl' | 'key'> = {}) => openEvents({ ...given, baseUrl, key, fetch: send }),
  }
  return client as unknown as Bandstand
}

interface PageBody {
  readonly data: readonly unknown[] | Readonly<Record<string, unknown>>
  readonly next?: string | null
}

/** The items of a page: its data, or the one list within. */
function itemsOf({ data }: PageBody): readonly unknown[] {
  if (Array.isArray(data)) return data as readonly unknown[]
  return (Object.values(data).find((value) => Array.isArray(value)) ?? []) as readonly unknown[]
}

/** @throws {TypeError} when a part of the path is missing. */
function targetOf(path: string, { path: values = {}, query = {} }: AnyInit): string {
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined || value === null || value === '')
      throw new TypeError(`The path ${path} needs \`${name}\`.`)
    return encodeURIComponent(String(value))
  })
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value))
  }
  const text = search.toString()
  return text === '' ? target : `${target}?${text}`
}

function headersOf(verb: string, key: string, { as = 'json', body, headers, idempotencyKey }: AnyInit): Headers {
  const all = new Headers({ Accept: ACCEPT[as], Authorization: `Bearer ${key}` })
  if (verb !== 'GET') all.set('Idempotency-Key', idempotencyKey ?? randomKey())
  if (body !== undefined) {
    if (!isFile(body)) all.set('Content-Type', 'application/json')
    else if (!(body instanceof FormData) && !(body instanceof Blob)) all.set('Content-Type', 'application/octet-stream')
  }
  for (const [name, value] of Object.entries(headers ?? {})) all.set(name, value)
  return all
}

function bodyOf({ body }: AnyInit): NonNullable<RequestInit['body']> | null {
  if (body === undefined) return null
  return isFile(body) ? (body as NonNullable<RequestInit['body']>) : JSON.stringify(body)
}

function isFile(body: unknown): body is File {
  if (body instanceof FormData || body instanceof Blob) return true
  return body instanceof ArrayBuffer || body instanceof Uint8Array
}

/** Pages without https have no `crypto.randomUUID`, and Node 18 no `crypto`. */
function randomKey(): string {
  const bytes = new Uint8Array(16)
  if (typeof crypto === 'undefined') for (let i = 0; i < bytes.length; i++) bytes[i] = Math.random() * 256
  else crypto.getRandomValues(bytes)
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

async function fetchOnce(
  send: typeof fetch,
  url: string,
  asked: RequestInit,
  { as = 'json', signal, timeoutMs }: AnyInit & { readonly timeoutMs: number },
): Promise<{ readonly body: unknown; readonly headers: Headers }> {
  const limit = linkedController(signal)
  let isTimeout = false
  const timer = setTimeout(() => {
    isTimeout = true
    limit.abort()
  }, timeoutMs)
  try {
    const response = await send(url, { ...asked, signal: limit.signal })
    if (!response.ok) throw new ApiError(response, await response.json().catch(() => null))
    return { body: await response[as](), headers: response.headers }
  } catch (cause) {
    if (cause instanceof ApiError) throw cause
    signal?.throwIfAborted()
    const message = isTimeout ? `No response within ${timeoutMs} ms.` : `The server at ${url} couldn't be reached.`
    throw new ConnectionError(message, { cause, isTimeout })
  } finally {
    clearTimeout(timer)
    limit.unlink()
  }
}

function withoutSlash(url: string): string {
  return url.endsWith('/') ? withoutSlash(url.slice(0, -1)) : url
}
