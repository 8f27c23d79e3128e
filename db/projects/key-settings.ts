import ipaddr from 'ipaddr.js'
import { Fault } from '../../lib/errors.ts'
import type { RouteClass } from '../../lib/plans.ts'
import { checkedName } from './projects.ts'

/** What can be changed of a key. */
export interface KeySettings {
  readonly name: string | null
  /** Address ranges (CIDR) from which alone it is accepted; null: from anywhere. */
  readonly allow: readonly string[] | null
  /** Route classes for which alone it is accepted; null: for all. */
  readonly classes: readonly RouteClass[] | null
  readonly expiresAtMs: number | null
}

export interface GivenSettings {
  readonly name?: string | null | undefined
  readonly expiresAtMs?: number | null | undefined
  /** Addresses and ranges in any usual form; null allows all. */
  readonly allow?: readonly string[] | null | undefined
  /** Classes from `KEY_CLASSES`; null allows all. */
  readonly classes?: readonly string[] | null | undefined
}

/** The route classes that a key can be restricted to. */
export const KEY_CLASSES = ['cheap', 'fetch', 'canvas', 'browser', 'player'] as const satisfies readonly RouteClass[]

const MAX_RANGES = 50

/** @throws {Fault} `validation_error` */
export function checkedSettings(given: GivenSettings, nowMs: number): KeySettings {
  const { name = null, expiresAtMs = null } = given
  if (expiresAtMs !== null && expiresAtMs <= nowMs) {
    throw new Fault('validation_error', 'The expiry must be in the future.')
  }
  return {
    name: name === null ? null : checkedName(name),
    allow: given.allow ? checkedRanges(given.allow) : null,
    classes: given.classes ? checkedClasses(given.classes) : null,
    expiresAtMs,
  }
}

function checkedRanges(ranges: readonly string[]): readonly string[] {
  if (ranges.length === 0 || ranges.length > MAX_RANGES) {
    throw new Fault('validation_error', `An allowlist must have 1 to ${MAX_RANGES} IP addresses or ranges.`)
  }
  return ranges.map((range) => {
    if (ipaddr.isValidCIDR(range)) return range
    if (ipaddr.isValid(range)) return `${range}/${ipaddr.parse(range).kind() === 'ipv4' ? 32 : 128}`
    throw new Fault(
      'validation_error',
      `${range} isn't an IP address or range, such as 203.0.113.0/24 or 2001:db8::/32.`,
    )
  })
}

function checkedClasses(classes: readonly string[]): readonly RouteClass[] {
  const wrong = classes.find((name) => !isKeyClass(name))
  if (classes.length === 0 || wrong !== undefined) {
    const why = wrong === undefined ? 'A key needs at least one route class' : `Unknown route class ${wrong}`
    throw new Fault('validation_error', `${why}. Use ${KEY_CLASSES.join(', ')}.`)
  }
  return [...new Set(classes.filter(isKeyClass))]
}

function isKeyClass(name: string): name is RouteClass {
  return (KEY_CLASSES as readonly string[]).includes(name)
}
