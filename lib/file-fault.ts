import { Fault } from './errors.ts'

/** What is wrong with a path, and what to do, by the code of the operating system. */
const EXPLAINED: Readonly<Record<string, (path: string) => string>> = {
  EACCES: (path) =>
    `${path} may not be used by ${user()}. Run it as the owner of the folder, or change the owner: chown -R.`,
  EPERM: (path) =>
    `${path} may not be changed by ${user()}. Run it as the owner of the folder, or change the owner: chown -R.`,
  EROFS: (path) => `${path} is on a read-only file system. Mount it for writing, or set DATA_DIR to another folder.`,
  EISDIR: (path) => `${path} is a folder where a file is expected. Move it away.`,
  ENOTDIR: (path) =>
    `A part of ${path} is a file where a folder is expected. Move it away, or set DATA_DIR to another folder.`,
  EEXIST: (path) => `${path} is a file where a folder is expected. Move it away, or set DATA_DIR to another folder.`,
  ENOENT: (path) => `${path} is not there. Restore it from a backup, or set DATA_DIR to the right folder.`,
  ENOSPC: (path) => `The disk of ${path} is full. Make room.`,
  EDQUOT: (path) => `The disk quota of ${user()} for ${path} is used up. Make room.`,
}

function user(): string {
  return `this user (uid ${process.getuid?.() ?? 'unknown'})`
}

/** A failure of the file system in words for an operator; any other error as it is. */
export function explainFileError(error: unknown, path: string): unknown {
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
