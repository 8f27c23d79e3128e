import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder that lives as long as the `describe` it is called in. */
export function tempFolder(): { path(name: string): string } {
  const folder = mkdtempSync(join(tmpdir(), 'bandstand-audio-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  return { path: (name) => join(folder, name) }
}
