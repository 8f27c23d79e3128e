import type { Experiment } from '../experiment.ts'
import { GATEWAY } from './gateway.ts'
import { KILLED } from './killed.ts'
import { REDIS } from './redis.ts'
import { VOICE } from './voice.ts'

/** In the order in which they run. */
export const EXPERIMENTS: readonly Experiment[] = [...KILLED, ...REDIS, ...VOICE, ...GATEWAY]
