import type { Job } from './job.ts'
import { figure } from '../figures/figure-job.ts'
import { screenshot } from '../screenshots/screenshot.ts'

/** Every job there is. What is not in this list does not exist. */
export const renders: readonly Job[] = [screenshot, figure]
