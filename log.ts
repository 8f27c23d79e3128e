import { pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino'

export type { Logger } from 'pino'

/** Fields that may hold a secret wherever they turn up. A log line never shows their value. */
const SECRETS = ['token', 'key', 'authorization', 'password', 'secret', 'cookie']

/**
 * The service's log: one JSON object a line, an event in the past tense with its fields.
 * `info`: it happened. `warn`: we coped. `error`: a person should look.
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
  }
  return destination ? pino(options, destination) : pino(options)
}

/**
 * Standard output for a busy process: lines are gathered and written by another thread, a quarter of a second late at
 * most, since a write for every line would cost more than the request it tells of. The rest is written when the
 * process ends in any way but `kill -9`.
 */
export function bufferedOutput(): DestinationStream {
  return pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 250 })
}
