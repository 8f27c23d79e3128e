/** The state of one worker thread or child process, for `/readyz` and `/metrics`. */
export interface WorkerHealth {
  /** `reader`, `images`, … */
  readonly name: string
  /** `idle`: not started, because it has no work. `hung`: has work and does not respond. */
  readonly state: 'idle' | 'running' | 'hung'
  /** Tasks under way in it; null if it is measured by other metrics. */
  readonly busy: number | null
  /** Number of replacements after it had hung, crashed or run out of memory. */
  readonly restarts: number
  /** Inputs that are refused because they hung or crashed it. */
  readonly quarantined: number
}
