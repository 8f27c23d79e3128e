import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Results } from '../results/results.ts'

/**
 * Before all keys in Redis. Services and workers that do not reach the same pictures have queues of their own, even on
 * one Redis: a worker whose pictures cannot be fetched gets no jobs.
 */
export function prefixOf(redisPrefix: string, { storeId }: Pick<Results, 'storeId'>): string {
  return `${redisPrefix}:jobs:${storeId}`
}

/** A name that a folder itself keeps, so that it is the same wherever the folder is mounted. */
export function ensureStoreId(folder: string): string {
  const file = join(folder, '.place')
  try {
    writeFileSync(file, `${crypto.randomUUID().slice(0, 8)}\n`, { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8').trim()
}
