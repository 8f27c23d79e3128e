import type { Experiment } from '../experiment.ts'
import { KILLED } from './killed.ts'
import { REDIS } from './redis.ts'

/** In the order in which they run. */
export const EXPERIMENTS: readonly Experiment[] = [...KILLED, ...REDIS]
