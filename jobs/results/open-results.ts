import { mkdir } from 'node:fs/promises'
import { loadOptional } from '../../lib/process/optional-package.ts'
import { ensureStoreId } from '../queue/store-id.ts'
import { createDiskResults } from './disk.ts'
import type { Results } from './results.ts'
import type { S3Settings } from './s3.ts'

export interface ResultsSettings {
  readonly folder: string
  readonly maxBytes: number
  /** Null: on disk. */
  readonly s3: S3Settings | null
}

export async function openResults({ folder, maxBytes, s3 }: ResultsSettings): Promise<Results> {
  if (s3) {
    const { createS3Results } = await loadOptional('RESULTS_S3_ENDPOINT', () => import('./s3.ts'))
    return createS3Results(s3)
  }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return createDiskResults({ folder, maxBytes, storeId: ensureStoreId(folder) })
}
