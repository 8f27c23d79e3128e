import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'

/** A deviation from the documentation. */
export class Unmet extends Error {
  override readonly name = 'Unmet'
  readonly expected: string
  readonly actual: string

  constructor(what: string, expected: string, actual: string) {
    super(what)
    this.expected = expected
    this.actual = actual
  }
}

/** Why a check says nothing about this server. */
export class Skipped extends Error {
  override readonly name = 'Skipped'
}

/** @throws {Skipped} which is reported with its reason and never counts as passed. */
export function skip(reason: string): never {
  throw new Skipped(reason)
}

const SHOWN_CHARS = 600

/** A value as a report shows it. */
export function show(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text
}

export function equal(what: string, actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) throw new Unmet(what, show(expected), show(actual))
}

/** @param expected says it in words. */
export function holds(what: string, isSo: boolean, expected: string, actual: unknown): asserts isSo {
  if (!isSo) throw new Unmet(what, expected, show(actual))
}

export function within(what: string, actual: number, from: number, to: number): void {
  const rounded = Math.round(actual * 100) / 100
  holds(what, actual >= from && actual <= to, `${from} to ${to}`, rounded)
}

export function oneOf(what: string, actual: unknown, allowed: readonly unknown[]): void {
  const isSo = allowed.some((value) => isDeepStrictEqual(value, actual))
  holds(what, isSo, `one of ${allowed.map(show).join(', ')}`, actual)
}

/** @returns the value as its schema reads it. */
export function shaped<S extends z.ZodType>(what: string, schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new Unmet(what, z.prettifyError(parsed.error), show(value))
}

const EVENTUALLY_MS = 10_000

/** Asks again until it is so. */
export async function eventually(what: string, isSo: () => Promise<boolean>, withinMs = EVENTUALLY_MS): Promise<void> {
  const deadline = Date.now() + withinMs
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Unmet(`Within ${withinMs} ms this is not so: ${what}`, what, 'otherwise')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
