import type { z } from 'zod'
import type { ApiContext } from '../../http/request-state.ts'
import { HttpRefusal, statusOf, toApiFault } from '../../http/errors.ts'
import { retryAfterSeconds } from '../../http/problem.ts'
import { Fault } from '../../../lib/errors.ts'
import { isNestedDeeper } from '../../../lib/validation/nesting.ts'
import { errorObject } from '../protocol/error.ts'
import { ROOT } from '../../../lib/installation.ts'

const MAX_TRACE_LINES = 20
/** To the letter, without a charset: clients compare it. */
export const JSON_TYPE = 'application/json'

/** Answers with what was thrown, as Lavalink does. */
export function setLavalinkRefusal(ctx: ApiContext, thrown: unknown, nowMs: number): void {
  const fault = toApiFault(thrown)
  ctx.state.fault = fault
  const status = statusOf(fault)
  // Lavalink does not tell inputs that are malformed from those that do not fit.
  ctx.status = status === 422 ? 400 : status
  if (fault.retryAfterMs !== undefined) ctx.set('Retry-After', String(retryAfterSeconds(fault.retryAfterMs)))
  if (fault instanceof HttpRefusal) ctx.set({ ...fault.headers })
  const { message } = fault
  const facts = { timestamp: nowMs, status: ctx.status, message, path: ctx.path }
  ctx.set('Content-Type', JSON_TYPE)
  ctx.body = errorObject(ctx.query['trace'] === 'true' ? { ...facts, trace: traceOf(fault) } : facts)
}

/** Stack trace of a fault, limited to files of this project. */
function traceOf(fault: Fault): string {
  const { cause } = fault
  const stack = (cause instanceof Error ? cause : fault).stack ?? ''
  const lines = stack.split('\n').filter((line) => line.startsWith('    at ') && line.includes(ROOT))
  const own = lines.map((line) => line.replaceAll('file://', '').replaceAll(ROOT, ''))
  return [`${fault.name}: ${fault.message}`, ...own.slice(0, MAX_TRACE_LINES)].join('\n')
}

export function badRequest(message: string): Fault {
  return new Fault('bad_request', message)
}

/** @throws {Fault} `bad_request` that names the first fields that do not fit. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`)
  throw badRequest(problems.join('; '))
}

/** JSON that is returned again, or goes into an event, must be serializable. */
const MAX_DEPTH = 64

/** @throws {Fault} `bad_request` for JSON that is nested deeper than anything but an attack. */
export function assertShallow(json: unknown): void {
  if (isNestedDeeper(json, MAX_DEPTH)) throw badRequest(`The body may be nested ${MAX_DEPTH} levels deep at most`)
}
