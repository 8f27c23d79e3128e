import { readFileSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createDiskResults } from './disk.ts'
import type { Results } from './results.ts'
import { createS3Results, type S3Settings } from './s3.ts'

export interface ResultsSettings {
  readonly folder: string
  readonly maxBytes: number
  /** Null: on disk. */
  readonly s3: S3Settings | null
}

export async function openResults({ folder, maxBytes, s3 }: ResultsSettings): Promise<Results> {
  if (s3) return createS3Results(s3)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return createDiskResults({ folder, maxBytes, place: placeOf(folder) })
}

/** A name that the folder itself keeps, so that it is the same wherever the folder is mounted. */
function placeOf(folder: string): string {
  const file = join(folder, '.place')
  try {
    writeFileSync(file, `${crypto.randomUUID().slice(0, 8)}\n`, { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(file, 'utf8').trim()
}
