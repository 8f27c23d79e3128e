import type { Experiment } from '../experiment.ts'
import { KEEPING } from './backup.ts'
import { CLOCKS } from './clocks.ts'
import { CONNECTIONS } from './connections.ts'
import { DATABASE } from './database.ts'
import { DISK } from './disk.ts'
import { GATEWAY } from './gateway.ts'
import { JOBS } from './jobs.ts'
import { KILLED } from './killed.ts'
import { MACHINES } from './machines.ts'
import { MAIN_THREAD } from './main-thread.ts'
import { REDIS } from './redis.ts'
import { REPEATED } from './repeated.ts'
import { SET_UP } from './set-up.ts'
import { SOCKETS } from './sockets.ts'
import { STALLS } from './stalls.ts'
import { STOPPING } from './stopping.ts'
import { THREADS } from './threads.ts'
import { UPSTREAMS } from './upstreams.ts'
import { VOICE } from './voice.ts'
import { WALK } from './walk.ts'

const ALL: readonly (readonly Experiment[])[] = [
  CLOCKS,
  CONNECTIONS,
  DATABASE,
  DISK,
  GATEWAY,
  JOBS,
  KEEPING,
  KILLED,
  MACHINES,
  MAIN_THREAD,
  REDIS,
  REPEATED,
  SET_UP,
  SOCKETS,
  STALLS,
  STOPPING,
  THREADS,
  UPSTREAMS,
  VOICE,
  WALK,
]

/** In the order in which they run. */
export const EXPERIMENTS: readonly Experiment[] = ALL.flat().toSorted((a, b) =>
  a.number.localeCompare(b.number, 'en', { numeric: true }),
)
