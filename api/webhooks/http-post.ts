import type { Dispatcher } from 'undici'
import type { Attempt, AttemptError } from '../../db/webhooks/delivery.ts'
import { Fault } from '../../lib/errors.ts'
import { retryAfter } from '../../upstream/http/retry-after.ts'
import { createDeadline } from '../../lib/deadline.ts'

interface PostOptions {
  /** Dials public addresses alone, and follows no redirect. */
  readonly dispatcher: Pick<Dispatcher, 'request'>
  readonly now: () => number
  /** Deadline for the name, the connection and the head of the answer together. */
  readonly deadlineMs: number
  /** Gives up at once. */
  readonly signal: AbortSignal
}

export interface Posted extends Attempt {
  /** Delay requested by the receiver. */
  readonly retryAfterMs: number | null
}

const EXCERPT_BYTES = 1024
/** The answer's head says it all; what follows is for people, and not worth a wait. */
const EXCERPT_MS = 1000

/** Makes one attempt. Never throws; returns null if `signal` aborted it. */
export async function post(
  letter: { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string },
  { dispatcher, now, deadlineMs, signal }: PostOptions,
): Promise<Posted | null> {
  const atMs = now()
  const startedAtMs = performance.now()
  const deadline = createDeadline(deadlineMs, signal)
  const told = { atMs, status: null, error: null, excerpt: '', retryAfterMs: null }
  const tookMs = () => Math.round((performance.now() - startedAtMs) * 10) / 10
  try {
    const { origin, pathname, search } = new URL(letter.url)
    const { headers, body } = letter
    const request = { origin, path: pathname + search, method: 'POST', headers, body, signal: deadline.signal } as const
    const answer = await dispatcher.request(request)
    const durationMs = tookMs()
    deadline.lift()
    const excerpt = await beginning(answer.body)
    const { statusCode: status } = answer
    return { ...told, durationMs, status, excerpt, retryAfterMs: retryAfter(answer.headers, now()) }
  } catch (error) {
    if (signal.aborted) return null
    return { ...told, durationMs: tookMs(), error: deadline.isOver ? 'timed_out' : reasonOf(error) }
  } finally {
    deadline.lift()
  }
}

/** Reads the part of the body that is kept. Never rejects: an answer that breaks off has been given all the same. */
async function beginning(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  // A body that is destroyed emits an error; unheard it would end the process.
  body.on('error', () => {})
  const patience = setTimeout(() => body.destroy(), EXCERPT_MS)
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, EXCERPT_BYTES - bytes))
      bytes += chunk.length
      if (bytes >= EXCERPT_BYTES) break
    }
  } catch {
    // The part received so far is kept.
  } finally {
    clearTimeout(patience)
    body.destroy()
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks))
  return text.replaceAll(/[^\P{Cc}\n\t]/gu, '\u{fffd}')
}

/** Maps error names of undici and TLS. */
function reasonOf(error: unknown): AttemptError {
  if (error instanceof Fault) return 'not_allowed'
  const { name, code = '' } = error as NodeJS.ErrnoException
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return 'timed_out'
  if (/CERT|TLS|SSL|SELF_SIGNED/.test(code)) return 'bad_certificate'
  return name === 'HTTPParserError' ? 'malformed' : 'unreachable'
}
