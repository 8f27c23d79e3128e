import type { Experiment } from '../experiment.ts'
import { DATABASE } from './database.ts'
import { DISK } from './disk.ts'
import { JOBS } from './jobs.ts'
import { KILLED } from './killed.ts'
import { MACHINES } from './machines.ts'
import { MAIN_THREAD } from './main-thread.ts'
import { REDIS } from './redis.ts'
import { REPEATED } from './repeated.ts'
import { TAKEOVER } from './takeover.ts'
import { THREADS } from './threads.ts'
import { UPSTREAMS } from './upstreams.ts'
import { WALK } from './walk.ts'

const ALL: readonly (readonly Experiment[])[] = [
  DATABASE,
  DISK,
  JOBS,
  KILLED,
  MACHINES,
  MAIN_THREAD,
  REDIS,
  REPEATED,
  TAKEOVER,
  THREADS,
  UPSTREAMS,
  WALK,
]

/** Experiments in the order in which they run. */
export const EXPERIMENTS: readonly Experiment[] = ALL.flat().toSorted((a, b) =>
  a.number.localeCompare(b.number, 'en', { numeric: true }),
)
