import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '..', 'data')

/** The value of a JSON file in `test/data`. Throws where the file is missing. */
export function readTestData(name: string): unknown {
  return JSON.parse(readFileSync(join(FOLDER, name), 'utf8'))
}
