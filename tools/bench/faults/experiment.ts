import type { Tools } from './tools.ts'

/** Something that breaks, and what must be so all the same. */
export interface Experiment {
  /** Parts of one have a letter: 4a, 4b. `--only 4` runs them all. */
  readonly number: string
  /** What is done. */
  readonly title: string
  /** The criterion for a pass. */
  readonly passes: string
  /** The time limit, after which it counts as failed. Generous: a machine may be busy. */
  readonly limitMs: number
  run(tools: Tools): Promise<void>
}

export function experiment(number: string, it: Omit<Experiment, 'number'>): Experiment {
  return { number, ...it }
}

/** This machine does not allow it: neither passed nor failed. */
export class NotRun extends Error {}
