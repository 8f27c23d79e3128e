import { chmodSync, renameSync, writeFileSync } from 'node:fs'

/** Writes a file that its owner alone may read: beside it and renamed, so that a reader never sees half of it. */
export function writePrivateFile(path: string, text: string): void {
  const draft = `${path}.new`
  writeFileSync(draft, text, { mode: 0o600 })
  // A draft that was left behind has the mode that it had.
  chmodSync(draft, 0o600)
  renameSync(draft, path)
}
