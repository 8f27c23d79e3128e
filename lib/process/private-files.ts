import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { Fault } from '../errors.ts'
import { notAFile, withPath } from '../file-fault.ts'

const OTHERS_WRITE = 0o002
const STICKY = 0o1000

/**
 * Makes a folder that only this user can use, unless it is there.
 * @throws {Fault} when it cannot be used as one, or others may put their files in the place of ours.
 */
export function ensurePrivateFolder(folder: string): void {
  if (isDangling(folder)) {
    const advice = 'Create the folder, or set DATA_DIR to another one.'
    throw new Fault('service_unavailable', `${folder} is a link to a folder that doesn't exist. ${advice}`)
  }
  withPath(folder, () => mkdirSync(folder, { recursive: true, mode: 0o700 }))
  const { mode, uid } = statSync(folder)
  // Volumes that belong to another user cannot be closed by this one; `doctor` tells of them.
  if (uid !== process.getuid?.() || (mode & OTHERS_WRITE) === 0 || (mode & STICKY) !== 0) return
  const advice = `Run: chmod 700 ${quoted(folder)}`
  throw new Fault('service_unavailable', `All users of this machine can replace files in ${folder}. ${advice}`)
}

function isDangling(path: string): boolean {
  const link = withPath(path, () => lstatSync(path, { throwIfNoEntry: false }))
  return (
    link?.isSymbolicLink() === true && withPath(path, () => statSync(path, { throwIfNoEntry: false })) === undefined
  )
}

/**
 * Makes a file that only this user can read, from its first byte on, and takes the rights of others to one that is there.
 * Never waits: a pipe would, until someone reads it.
 * @throws {Fault} when there is something else in its place.
 */
export function ensurePrivateFile(file: string): void {
  const { O_WRONLY, O_CREAT, O_APPEND, O_NONBLOCK } = constants
  withPath(file, () => {
    const handle = openSync(file, O_WRONLY | O_CREAT | O_APPEND | O_NONBLOCK, 0o600)
    try {
      if (!fstatSync(handle).isFile()) throw notAFile(file)
      fchmodSync(handle, 0o600)
    } finally {
      closeSync(handle)
    }
  })
}

/** Writes a file that its owner alone may read: beside it and renamed, so that a reader never sees half of it. */
export function writePrivateFile(path: string, text: string): void {
  const draft = `${path}.new`
  writeFileSync(draft, text, { mode: 0o600 })
  // A draft that was left behind has the mode that it had.
  chmodSync(draft, 0o600)
  renameSync(draft, path)
}

/** A path as a shell takes it. */
export function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`
}
