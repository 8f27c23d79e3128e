/** A request of a check. */
export interface Call {
  readonly query?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** A body to send unchanged, instead of `body`. */
  readonly raw?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Another one than the server's; null sends none. */
  readonly password?: string | null
}

export interface Answer {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Undefined where the answer is no JSON. */
  readonly body: unknown
}

export interface Rest {
  (method: string, path: string, call?: Call): Promise<Answer>
}

export interface ServerAddress {
  /** `http://127.0.0.1:2333`. */
  readonly url: string
  readonly password: string
}

const TIMEOUT_MS = 15_000

/** Sends requests to the server and reports each to `record` as one line. */
export function createRest(server: ServerAddress, record: (line: string) => void, signal: AbortSignal): Rest {
  return async (method, path, call = {}) => {
    const url = new URL(server.url + path)
    for (const [name, value] of Object.entries(call.query ?? {})) url.searchParams.set(name, value)
    const content = call.raw ?? (call.body === undefined ? undefined : JSON.stringify(call.body))
    const password = call.password === undefined ? server.password : call.password
    const headers = {
      ...(password === null ? {} : { authorization: password }),
      ...(content === undefined ? {} : { 'content-type': 'application/json' }),
      ...call.headers,
    }
    record(`→ ${method} ${url.pathname}${url.search} ${content ?? ''}`)
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      ...(content === undefined ? {} : { body: content }),
    })
    const text = await response.text()
    record(`← ${response.status} ${text}`)
    return { method, path: url.pathname, status: response.status, headers: response.headers, text, body: read(text) }
  }
}

function read(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
