import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino'
import { currentContext } from './request-context.ts'
import { redact, redactPath } from './redact.ts'

export type { Logger } from 'pino'

/** Fields that may hold a secret wherever they turn up. A log line never shows their value. */
const SECRETS = ['token', 'key', 'authorization', 'password', 'secret', 'cookie']

/** Addresses and what others said may hold a secret somewhere in them. */
const TEXTS = ['uri', 'url', 'identity', 'subject', 'quarantined', 'complaint', 'body', 'error', 'why', 'reason']

/**
 * The service's log: one JSON object a line, an event in the past tense with its fields, and of the request or command
 * that it comes of its id. `info`: it happened. `warn`: we coped. `error`: a person should look.
 * @param known secrets of the configuration, which others may repeat in what they say
 */
export function createLog(level: string, destination?: DestinationStream, known: readonly string[] = []): Logger {
  const clean = (value: unknown): unknown => (typeof value === 'string' ? redact(value, known) : value)
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: () => `,"time":"${now()}"`,
    formatters: { level: (label) => ({ level: label }) },
    mixin: () => ({ ...currentContext()?.fields }),
    serializers: {
      err: (thrown: unknown) => describe(thrown, clean),
      path: (value: unknown) => (typeof value === 'string' ? redactPath(value) : value),
      ...Object.fromEntries(TEXTS.map((name) => [name, clean])),
    },
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
  }
  return destination ? pino(options, destination) : pino(options)
}

/** The fields of an answered request's log line. No field may hold a secret: none is redacted. */
export interface AccessLine {
  /** Made by `requestIdOf`, so it needs no escapes. */
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly route: string | undefined
  readonly status: number
  readonly durationMs: number
  readonly projectId: string | undefined
  readonly keyId: string | undefined
}

/**
 * Writes the lines of answered requests into a log, at `info`. The logger itself makes an object for what every line has and
 * looks at each field: a third of what a request leaves to the garbage collector.
 */
export function createAccessLog(log: Logger): (line: AccessLine) => void {
  const { [pino.symbols.streamSym]: output } = log as unknown as Record<symbol, DestinationStream>
  const bound = JSON.stringify(log.bindings()).slice(1, -1)
  const always = bound === '' ? '' : `${bound},`
  return ({ requestId, method, path, route, status, durationMs, projectId, keyId }) => {
    if (!log.isLevelEnabled('info')) return
    const asked = `"requestId":"${requestId}","method":${JSON.stringify(method)},"path":${JSON.stringify(path)}`
    const answered = `${optional('route', route)},"status":${status},"durationMs":${durationMs}`
    const whose = `${optional('projectId', projectId)}${optional('keyId', keyId)}`
    output?.write(`{"level":"info","time":"${now()}",${always}${asked}${answered}${whose},"msg":"request answered"}\n`)
  }
}

/** A field whose value is an ID of ours, which needs no escapes. */
function optional(name: string, id: string | undefined): string {
  return id === undefined ? '' : `,"${name}":"${id}"`
}

let lastMs = 0
let lastTime = ''

/** Many lines are of the same millisecond. */
function now(): string {
  const nowMs = Date.now()
  if (nowMs !== lastMs) lastTime = new Date(nowMs).toISOString()
  lastMs = nowMs
  return lastTime
}

const DEEPEST_CAUSE = 4

/** Returns the useful fields of an error. Others are left out: libraries attach whole requests to their errors. */
function describe(thrown: unknown, clean: (value: unknown) => unknown, depth = 0): unknown {
  if (!(thrown instanceof Error)) return clean(thrown)
  const { code, status } = thrown as { readonly code?: unknown; readonly status?: unknown }
  const hasCause = thrown.cause !== undefined && depth < DEEPEST_CAUSE
  return {
    type: thrown.name,
    message: clean(thrown.message),
    stack: clean(thrown.stack),
    ...(isPlain(code) && { code }),
    ...(isPlain(status) && { status }),
    ...(hasCause && { cause: describe(thrown.cause, clean, depth + 1) }),
  }
}

function isPlain(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}
