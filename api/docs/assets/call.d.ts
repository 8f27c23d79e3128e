import type { CallInput } from '../calls.ts'

export function targetOf(
  path: string,
  inPath: Readonly<Record<string, string>>,
  inQuery: readonly (readonly [name: string, value: string])[],
): string

export function typed(kind: CallInput['kind'], value: string): unknown
