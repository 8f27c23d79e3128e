/** Messages between `createSpawner` and the process behind it. */

/** A child to start. */
export interface SpawnOrder {
  readonly command: string
  readonly args: readonly string[]
  /** Priority from -20 (first) to 19 (last). */
  readonly nice: number
  /**
   * Set for a program that starts children: it leads a session by which all of them can be killed. All others share the
   * session of the spawner: Linux shares the processor out by sessions first, and by `nice` only within one.
   */
  readonly leadsSession?: boolean
  /** Variables that `childEnv` adds to PATH; none by default. */
  readonly env?: Readonly<Record<string, string>>
}

/** The token comes first on each of the three connections that become the child's standard streams, then its number. */
export type ToSpawner = SpawnOrder & { readonly token: string }

export type FromSpawner =
  | { readonly token: string; readonly pid: number }
  /** The child could not be started. */
  | { readonly token: string; readonly error: { readonly message: string; readonly code: string | undefined } }
  /** The child has exited; null after a signal. */
  | { readonly token: string; readonly exitCode: number | null }

export const TOKEN_CHARS = 24
/** Within the folder of the spawner. */
export const SOCKET_NAME = 'io.sock'
