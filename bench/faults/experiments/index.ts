import type { Experiment } from '../experiment.ts'
import { CONNECTIONS } from './connections.ts'
import { GATEWAY } from './gateway.ts'
import { JOBS } from './jobs.ts'
import { KILLED } from './killed.ts'
import { REDIS } from './redis.ts'
import { SOCKETS } from './sockets.ts'
import { THREADS } from './threads.ts'
import { UPSTREAMS } from './upstreams.ts'
import { VOICE } from './voice.ts'

const ALL: readonly (readonly Experiment[])[] = [CONNECTIONS, GATEWAY, JOBS, KILLED, REDIS, SOCKETS, THREADS, UPSTREAMS, VOICE]

/** In the order in which they run. */
export const EXPERIMENTS: readonly Experiment[] = ALL.flat().toSorted((a, b) =>
  a.number.localeCompare(b.number, 'en', { numeric: true }),
)
