import { Fault } from './errors.ts'

/** Explains a fault of a path and its remedy, by the code of the operating system. */
const EXPLAINED: Readonly<Record<string, (path: string) => string>> = {
  EACCES: (path) =>
    `${user()} can't access ${path}. Run Bandstand as the owner of the folder, or change the owner: chown -R.`,
  EPERM: (path) =>
    `${user()} can't change ${path}. Run Bandstand as the owner of the folder, or change the owner: chown -R.`,
  EROFS: (path) => `${path} is on a read-only file system. Mount it read-write, or set DATA_DIR to another folder.`,
  EISDIR: (path) => `${path} must be a file, but is a folder. Move it away.`,
  ENOTDIR: (path) => `A parent of ${path} is a file, not a folder. Move it away, or set DATA_DIR to another folder.`,
  EEXIST: (path) => `${path} must be a folder, but is a file. Move it away, or set DATA_DIR to another folder.`,
  ENOENT: (path) => `${path} doesn't exist. Restore it from a backup, or correct DATA_DIR.`,
  ENXIO: neitherFileNorFolder,
  ELOOP: (path) => `${path} is a link that leads back to itself. Move it away, or set DATA_DIR to another folder.`,
  ENOSPC: (path) => `The disk of ${path} is full. Free space.`,
  EDQUOT: (path) => `The disk quota for ${path} is full. Free space, or raise the quota.`,
}

function neitherFileNorFolder(path: string): string {
  return `${path} must be a file, but is a pipe, socket or device. Move it away.`
}

/** The fault for a pipe, socket or device in the place of a file. */
export function notAFile(path: string): Fault {
  return new Fault('service_unavailable', neitherFileNorFolder(path))
}

function user(): string {
  return `This user (uid ${process.getuid?.() ?? 'unknown'})`
}

/** A failure of the file system in words for an operator; any other error as it is. */
function explainFileError(error: unknown, path: string): unknown {
  const explain = EXPLAINED[(error as NodeJS.ErrnoException).code ?? '']
  return explain ? new Fault('service_unavailable', explain(path), { cause: error }) : error
}

/** Runs `work` on a file or folder. @throws {Fault} that names `path` and says what to do. */
export function withPath<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw explainFileError(error, path)
  }
}
