import type { Job } from '../job.ts'
import { figure } from './figure.ts'
import { screenshot } from './screenshot.ts'

/** Every job there is. What is not in this list does not exist. */
export const renders: readonly Job[] = [screenshot, figure]
