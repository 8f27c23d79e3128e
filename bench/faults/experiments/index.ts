import type { Experiment } from '../experiment.ts'
import { GATEWAY } from './gateway.ts'
import { JOBS } from './jobs.ts'
import { KILLED } from './killed.ts'
import { REDIS } from './redis.ts'
import { THREADS } from './threads.ts'
import { VOICE } from './voice.ts'

const ALL: readonly (readonly Experiment[])[] = [GATEWAY, JOBS, KILLED, REDIS, THREADS, VOICE]

/** In the order in which they run. */
export const EXPERIMENTS: readonly Experiment[] = ALL.flat().toSorted((a, b) =>
  a.number.localeCompare(b.number, 'en', { numeric: true }),
)
