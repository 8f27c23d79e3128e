import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Longer than any run takes: what is older was left by a service that was killed. */
const LEFT_MS = 600_000

const folderIn = (programFolder: string) => join(programFolder, 'tmp')

/**
 * Runs `use` with the environment that yt-dlp needs to start: its releases unpack programs into TMPDIR, and containers
 * often forbid programs in `/tmp`. The folder is of one run, since a run that is killed leaves what it unpacked. On a
 * full disk there is none: a yt-dlp that unpacks nothing works without.
 */
export async function withUnpacking<T>(
  programFolder: string,
  use: (env: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  const parent = folderIn(programFolder)
  const folder = await mkdir(parent, { recursive: true, mode: 0o700 })
    .then(() => mkdtemp(join(parent, 'run-')))
    .catch(() => null)
  if (folder === null) return use({})
  try {
    return await use({ TMPDIR: folder })
  } finally {
    await remove(folder)
  }
}

/** Removes folders by age, since other processes may have the same parent. Never rejects. */
export async function removeLeftOver(programFolder: string, dateMs = Date.now()): Promise<void> {
  const parent = folderIn(programFolder)
  for (const name of await readdir(parent).catch(() => [])) {
    const path = join(parent, name)
    const found = await stat(path).catch(() => null)
    if (found && dateMs - found.mtimeMs > LEFT_MS) await remove(path)
  }
}

/** Something that still writes there keeps it, until the next start. */
async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined)
}
