import type { Input } from './code-samples.ts'

export function targetOf(
  path: string,
  inPath: Readonly<Record<string, string>>,
  inQuery: readonly (readonly [name: string, value: string])[],
): string

export interface CommandLine {
  readonly method: string
  readonly url: string
  /** As it stands behind `Bearer`; null: the route needs none. */
  readonly key: string | null
  readonly isSocket: boolean
  /** Left out: JSON. */
  readonly accept?: string
  readonly json?: string
  /** The name of the file that is sent as the body. */
  readonly file?: string
}

export function curlOf(line: CommandLine): string

export function typed(kind: Input['kind'], value: string): unknown
