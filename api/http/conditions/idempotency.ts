import { createHash } from 'node:crypto'
import { LONGEST_ANSWER, type FinishedAnswer, type KeptAnswer } from '../../../lib/idempotency/requests.ts'
import { createEffect } from '../../../lib/idempotency/effect.ts'
import type { Effect } from '../../../lib/request-context.ts'
import { Fault } from '../../../lib/errors.ts'
import type { App, Caller } from '../app-context.ts'
import { invalidField } from '../errors.ts'
import type { ApiContext } from '../request-state.ts'
import { setHeader, setJson } from '../response.ts'
import type { Route } from '../route.ts'

export const IDEMPOTENCY_KEY = 'Idempotency-Key'
const REPLAYED = 'Idempotent-Replayed'

const FIELD = `header.${IDEMPOTENCY_KEY}`
const RUNNING_RETRY_MS = 1000
/** A token in an answer has 16,384 characters. Queues are longer, and read again. */
const LONGEST_EFFECT = 65_536

/** Whether a route changes something, and so takes `Idempotency-Key`. */
export function takesIdempotencyKey({ method }: Pick<Route, 'method'>): boolean {
  return method !== 'GET'
}

/** Runs the handler and answers; `again` for a repetition of which nothing was kept. */
type Answering = (how: 'first' | 'again') => Promise<void>

interface OnceOptions {
  readonly ctx: ApiContext
  readonly route: Route
  readonly app: Pick<App, 'idempotency' | 'log'>
  readonly caller: Caller
}

/**
 * Carries out a request once, however often it comes with its `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): a
 * repetition has the answer of the first. Refusals are not kept, since they changed nothing.
 * @throws {Fault} `conflict` while the first one runs, a validation fault where the key was sent with another request.
 */
export async function answerOnce(options: OnceOptions, answer: Answering): Promise<void> {
  const { ctx, route } = options
  const key = readKey(ctx.get(IDEMPOTENCY_KEY))
  if (!route.upload) return await answerClaimed(options, { key, files: [] }, answer)
  // The content of an upload is known once its files are there. Uploads change nothing, so no stored response is
  // replayed.
  let effect: Effect | null = null
  ctx.state.onFiles = async (files) => {
    const claim = await options.app.idempotency.claim(await keyedRequest(options, key, files))
    if (claim.is === 'begun') effect = createEffect(claim.id)
    else if (claim.is !== 'done') throw refusalOf(claim.is)
  }
  await settled(options, () => effect, answer('first'))
}

interface Keyed {
  readonly key: string
  readonly files: readonly Buffer[]
}

async function answerClaimed(options: OnceOptions, { key, files }: Keyed, answer: Answering): Promise<void> {
  const { ctx, route, app } = options
  const claim = await app.idempotency.claim(await keyedRequest(options, key, files))
  if (claim.is === 'begun') {
    const effect = createEffect(claim.id)
    ctx.state.origin.effect = effect
    return settled(options, () => effect, answer('first'))
  }
  if (claim.is !== 'done') throw refusalOf(claim.is)
  const known: unknown = claim.effect && JSON.parse(claim.effect)
  const isKnown = claim.answer !== null || (known !== null && known !== '')
  if (!isKnown && !route.runAgain) throw notKept()
  setHeader(ctx, REPLAYED, 'true')
  if (claim.answer !== null) return replay(ctx, claim)
  if (!isKnown) return answer('again')
  ctx.status = route.status ?? 200
  setJson(ctx, JSON.stringify(route.envelope.wrap(known, ctx.state.requestId)))
}

/** Writes down what became of a request that was begun. */
async function settled(
  { ctx, route, app }: OnceOptions,
  effectOf: () => Effect | null,
  answered: Promise<void>,
): Promise<void> {
  const { idempotency, log } = app
  const settle = async (how: (id: number) => Promise<void> | void) => {
    const effect = effectOf()
    try {
      if (effect) await how(effect.requestId)
    } catch (err) {
      // The change is made already; a repetition finds its effect if a lasting one is stored.
      log.warn({ err }, 'saving idempotent response failed')
    }
  }
  try {
    await answered
  } catch (thrown) {
    await settle(async (id) =>
      effectOf()?.state === 'saved' ? idempotency.abandon(id) : await idempotency.release(id),
    )
    throw thrown
  }
  await settle((id) => idempotency.finish(id, keptOf(ctx, route)))
}

/** The result to store. Uploads change nothing: their answers are never replayed. */
function keptOf({ status, body, response }: ApiContext, { upload, runAgain }: Route): FinishedAnswer {
  const etag = response.get('ETag') || null
  if (typeof body !== 'string' || upload) return { status, answer: null, effect: null, etag }
  if (body.length <= LONGEST_ANSWER) return { status, answer: body, effect: null, etag }
  const isEffect = !runAgain && body.length <= LONGEST_EFFECT
  return { status, answer: null, effect: isEffect ? JSON.stringify(JSON.parse(body).data) : null, etag }
}

function replay(ctx: ApiContext, { status, answer, etag }: KeptAnswer): void {
  ctx.status = status
  if (etag !== null) ctx.etag = etag
  setJson(ctx, answer ?? '')
}

function refusalOf(why: 'running' | 'another'): Fault {
  if (why === 'another') return invalidField(FIELD, 'Another request used this Idempotency-Key. Send a new one.')
  const options = { retryAfterMs: RUNNING_RETRY_MS }
  return new Fault('conflict', 'A request with this Idempotency-Key is in progress. Try again later.', options)
}

function notKept(): Fault {
  const message = 'This change was made. Its response is no longer stored: read the player instead of repeating it.'
  return new Fault('conflict', message)
}

/** @throws {Fault} a validation fault. Quotes are a structured field's, as the draft writes it; many send none. */
function readKey(sent: string): string {
  const isQuoted = sent.length >= 2 && sent.startsWith('"') && sent.endsWith('"')
  const key = isQuoted ? sent.slice(1, -1).replaceAll(/\\(["\\])/g, '$1') : sent
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key
  throw invalidField(FIELD, 'Must be 1 to 255 printable ASCII characters, such as a new UUID for each request.')
}

async function keyedRequest({ ctx, route, caller }: OnceOptions, key: string, files: readonly Buffer[]) {
  const { method, path, querystring, request } = ctx
  const { projectId, botId, poolId } = caller
  const query = [...new URLSearchParams(querystring)].toSorted(([a], [b]) => compare(a, b))
  const parsed = [method, path, query, route.body ? sorted(request.body) : null]
  const asked = createHash('sha256').update(JSON.stringify(parsed))
  // Off this thread: files have 10 MiB, and sound is not to wait for them.
  for (const file of files) asked.update(new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(file))))
  return { projectId, owner: botId ?? poolId ?? '', key, digest: asked.digest() }
}

/** The same for bodies that differ in the order of their fields alone. Bodies are shallow. */
function sorted(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(sorted)
  if (typeof json !== 'object' || json === null) return json
  const fields = Object.entries(json).toSorted(([a], [b]) => compare(a, b))
  return Object.fromEntries(fields.map(([name, value]) => [name, sorted(value)]))
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
