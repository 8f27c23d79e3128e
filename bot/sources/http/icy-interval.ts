import { unplayable } from '../../../lib/errors.ts'
import type { EgressResponse } from '../../../upstream/egress/egress-guard.ts'

/** Radios use 4,096 and more. With less, titles would outweigh the sound, and each costs time. */
const LEAST_INTERVAL_BYTES = 256

/**
 * Bytes of sound between two titles of an internet radio; null without titles.
 * @throws {Fault} `unplayable` when titles come too often.
 */
export function icyIntervalOf({ headers }: Pick<EgressResponse, 'headers'>): number | null {
  const intervalBytes = Number(headers['icy-metaint'] ?? 0)
  if (!Number.isInteger(intervalBytes) || intervalBytes <= 0) return null
  if (intervalBytes >= LEAST_INTERVAL_BYTES) return intervalBytes
  throw unplayable(`This radio sends metadata every ${intervalBytes} bytes, which is too often.`)
}
