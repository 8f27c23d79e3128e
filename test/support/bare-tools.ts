import type { JobTools } from '../../jobs/queue/job.ts'
import { createAdBlocking } from '../../jobs/screenshots/ads/ad-filter.ts'
import { BUILT_IN_LIST } from '../../jobs/screenshots/ads/built-in-list.ts'

/** A renderer's tools without a key, and without lists of ads but its own. */
export const bareTools: Pick<JobTools, 'secrets' | 'adBlocking'> = {
  secrets: null,
  adBlocking: createAdBlocking({ text: () => Promise.resolve(BUILT_IN_LIST) }),
}
