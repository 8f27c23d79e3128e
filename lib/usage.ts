import type { RouteClass } from './plans.ts'

/** The budget of the class, or that of all classes together. */
export type SpentBudget = 'class' | 'aggregate'

/** One request of a known caller that was answered. */
export interface Use {
  readonly projectId: string
  readonly keyId: string
  readonly routeClass: RouteClass
  /** The id of its route. */
  readonly route: string
  /** The HTTP status of the answer. */
  readonly status: number
  readonly durationMs: number
  /** The budget that had no room for it; null if none refused it. */
  readonly spent: SpentBudget | null
}
