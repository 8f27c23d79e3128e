import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { Fault } from '../../lib/errors.ts'
import { notAFile, withPath } from '../../lib/file-fault.ts'
import { ensurePrivateFolder, quoted } from '../../lib/process/private-files.ts'

/** Path of the file with the keys to the bots' tokens: 64 hex digits on each line, the newest key first. */
export function keyFileOf(dataDir: string): string {
  return join(dataDir, 'token.key')
}

/**
 * @returns null if there is no file.
 * @throws {Fault} when it is not one or other users may read it.
 */
export function readKeyFile(dataDir: string): readonly string[] | null {
  const file = keyFileOf(dataDir)
  const found = withPath(file, () => statSync(file, { throwIfNoEntry: false }))
  if (found === undefined) return null
  if (!found.isFile() && !found.isDirectory()) throw notAFile(file)
  const { mode } = found
  if ((mode & 0o077) !== 0) {
    throw new Fault(
      'service_unavailable',
      `Other users can read ${file}, the key that decrypts the bot tokens. Run: chmod 600 ${quoted(file)}`,
    )
  }
  const lines = withPath(file, () => readFileSync(file, 'utf8'))
    .split('\n')
    .filter((line) => line.trim() !== '')
  if (lines.length === 0 || !lines.every((line) => /^[0-9a-f]{64}$/i.test(line.trim()))) {
    throw new Fault('service_unavailable', `${file} must have 64 hex digits on each line. Restore it from a copy.`)
  }
  return lines.map((line) => line.trim())
}

/** Makes the first key, unless another process has just done so. @returns the keys of the file. */
export function makeKeyFile(dataDir: string): readonly string[] {
  const draft = withPath(keyFileOf(dataDir), () => writeDraft(dataDir, [newKey()]))
  try {
    // Never over another process's: a lost key would lose every token.
    linkSync(draft, keyFileOf(dataDir))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
  syncFolder(dataDir)
  return readKeyFile(dataDir) ?? []
}

/** Puts these keys in the place of those that are there; without any, the file goes. */
export function replaceKeys(dataDir: string, keys: readonly string[]): void {
  if (keys.length === 0) rmSync(keyFileOf(dataDir), { force: true })
  else renameSync(writeDraft(dataDir, keys), keyFileOf(dataDir))
  syncFolder(dataDir)
}

/** A new key, 64 hex digits. */
export function newKey(): string {
  return randomBytes(32).toString('hex')
}

/** Whole on the disk before it has its name. */
function writeDraft(dataDir: string, keys: readonly string[]): string {
  ensurePrivateFolder(dataDir)
  const draft = `${keyFileOf(dataDir)}.${process.pid}.${randomBytes(4).toString('hex')}`
  const handle = openSync(draft, 'wx', 0o600)
  try {
    writeSync(handle, keys.map((key) => `${key}\n`).join(''))
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  return draft
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
