import { Fault } from '../../../lib/errors.ts'
import { FULL, toStorageFault, UNWRITABLE } from '../write-health.ts'

/** Another transaction was in the way (serialization failure, deadlock); running it again will do. */
const IN_THE_WAY = new Set(['40001', '40P01'])

/** Out of connections, cancelled by a timeout. */
const BUSY = new Set(['53300', '57014', '55P03'])
const DISK_FULL = '53100'
/** A standby, or a database that was set to read only. */
const READ_ONLY = '25006'

/** Codes of Node, and of a server that starts, stops or ended the connection. The driver's own errors have none. */
const UNREACHABLE = /^(?:E[A-Z]+|08\w{3}|57P0\d|25P03)$/
const DRIVER_GAVE_UP =
  /^(?:timeout exceeded|Connection terminated|Query read timeout|Client (?:has|was) |Cannot use a pool)/

export function isInTheWay(error: unknown): boolean {
  return causes(error).some((it) => IN_THE_WAY.has(codeOf(it)))
}

/** Whether the connection that gave this error is of no use any more. */
export function isBroken(error: unknown): boolean {
  return causes(error).some((it) => isConnectionLost(it))
}

/** Returns a `Fault` `service_unavailable` where the database is the reason, otherwise the same error. */
export function toDatabaseFault(error: unknown): unknown {
  if (error instanceof Fault) return error
  const code = codeOf(error)
  if (code === DISK_FULL) return toStorageFault(FULL_SERVER, error)
  if (code === READ_ONLY) return toStorageFault(READ_ONLY_SERVER, error)
  if (!IN_THE_WAY.has(code) && !BUSY.has(code) && !isConnectionLost(error)) return error
  const message = isConnectionLost(error)
    ? "The database can't be reached. Try again in a moment."
    : 'The database is busy. Try again in a moment.'
  return new Fault('service_unavailable', message, { cause: error, retryAfterMs: 1000 })
}

const FULL_SERVER = {
  ...FULL,
  message: 'The disk of the PostgreSQL server is full. Free space; saving resumes by itself.',
}
const READ_ONLY_SERVER = {
  ...UNWRITABLE,
  message: 'The PostgreSQL server is read-only, such as a standby. Set DATABASE_URL to the primary server.',
}

function isConnectionLost(error: unknown): boolean {
  if (error instanceof Fault || !(error instanceof Error)) return false
  return UNREACHABLE.test(codeOf(error)) || DRIVER_GAVE_UP.test(error.message)
}

function causes(error: unknown): readonly unknown[] {
  const found = [error]
  for (let it = error; it instanceof Error && it.cause !== undefined && found.length < 5; it = it.cause)
    found.push(it.cause)
  return found
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
