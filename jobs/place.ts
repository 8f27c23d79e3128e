import type { Results } from './results/results.ts'

/**
 * Before all keys in Redis. Services and workers that do not reach the same pictures have queues of their own, even on
 * one Redis: a worker whose pictures nobody can fetch gets no jobs.
 */
export function prefixOf({ place }: Pick<Results, 'place'>): string {
  return `bandstand:jobs:${place}`
}
