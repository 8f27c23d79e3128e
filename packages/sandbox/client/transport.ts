/** A request that the sandbox refused, with its message. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
  /** Of HTTP. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const TIMEOUT_MS = 30_000

interface CallOptions {
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
  /** On top of the time that a call may take anyway. */
  readonly waitMs?: number | undefined
}

/** Calls of the control API, below `/sandbox`. */
export interface Transport {
  readonly url: string
  /** @throws {SandboxError} for anything but success. */
  readonly call: <T>(method: string, path: string, options?: CallOptions) => Promise<T>
  readonly text: (path: string) => Promise<string>
  readonly stream: (path: string, signal?: AbortSignal) => Promise<ReadableStream<Uint8Array>>
}

export function createTransport(address: string): Transport {
  const url = new URL(address).origin
  const base = `${url}/sandbox`

  async function send(method: string, path: string, { body, signal, waitMs = 0 }: CallOptions): Promise<Response> {
    const deadline = AbortSignal.timeout(TIMEOUT_MS + waitMs)
    const response = await fetch(base + path, {
      method,
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    if (response.ok) return response
    throw new SandboxError(response.status, messageOf(await response.text()))
  }
  return {
    url,
    async call<T>(method: string, path: string, options: CallOptions = {}) {
      const text = await (await send(method, path, options)).text()
      // The sandbox of the same version answers with what its types say.
      return (text === '' ? undefined : JSON.parse(text)) as T
    },
    text: async (path) => (await send('GET', path, {})).text(),
    async stream(path, signal) {
      // The stream is endless, so it has no deadline either.
      const response = await fetch(base + path, signal ? { signal } : {})
      if (!response.ok || !response.body) throw new SandboxError(response.status, messageOf(await response.text()))
      return response.body
    },
  }
}

function messageOf(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: string } }
    return error?.message ?? text
  } catch {
    return text
  }
}

/** A path whose parts are encoded: a name may have a slash in it. */
export function pathOf(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw({ raw: parts }, ...values.map(encodeURIComponent))
}
