import { watch, type Dirent, type FSWatcher } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileState } from '../../../db/music/library.ts'

/** Names that music has. What is in a file is looked at when it is read. */
const AUDIO_NAME =
  /\.(?:mp[1-4+]|mpg?a|m[12]a|flac|og[gax]|opus|spx|m4[abr]|3gp|aac|adts|w(?:av|64)|wma|aif[fc]?|web[ma]|mka|ape|wv|mp[cp]|dsf|au|snd|caf|tta|amr|e?ac3|dts)$/i
/** Names that players and rippers give the picture of an album, the likelier ones first. */
const COVER_NAMES = ['cover', 'folder', 'front', 'album', 'albumart']
const COVER_NAME = /^([a-z]+)\.(?:jpe?g|png|webp)$/i
const DEPTH_MAX = 24
/** Kernels give a user some thousands of watches. Beyond, changes are seen at the next start. */
const FOLDERS_WATCHED_MAX = 4000
const BATCH = 100
/** Changes come in flocks: an album is copied. */
const QUIET_MS = 400
const QUIET_MAX_MS = 5000

export interface WalkStep {
  readonly files: readonly FileState[]
  /** Found, and read by later steps only: who watches them from now on misses no change. */
  readonly folders: readonly string[]
}

/** Audio files below a folder, some at a time. Links are not followed: what is inside is found where it is. */
export async function* walk(root: string): AsyncGenerator<WalkStep> {
  const left = [{ path: '', depth: 0 }]
  let files: FileState[] = []
  let folders = [root]
  const step = (): WalkStep => {
    const found = { files, folders }
    files = []
    folders = []
    return found
  }
  for (let folder = left.pop(); folder; folder = left.pop()) {
    if (folders.length > 0) yield step()
    const entries = await entriesOf(root, folder.path)
    const cover = await coverIn(join(root, folder.path), entries)
    for (const entry of entries) {
      const path = folder.path === '' ? entry.name : `${folder.path}/${entry.name}`
      const isHidden = entry.name.startsWith('.')
      if (entry.isDirectory() && !isHidden && folder.depth < DEPTH_MAX) {
        left.push({ path, depth: folder.depth + 1 })
        folders.push(join(root, path))
      }
      if (!entry.isFile() || isHidden || !AUDIO_NAME.test(entry.name)) continue
      const state = await lstat(join(root, path)).catch(() => null)
      if (state?.isFile())
        files.push({ path, sizeBytes: state.size, modifiedAtMs: Math.floor(state.mtimeMs), ...cover })
      if (files.length >= BATCH) yield step()
    }
  }
  if (files.length > 0) yield step()
}

/** -1 for what is no picture of an album. */
function rankOf({ name }: Dirent): number {
  return COVER_NAMES.indexOf(COVER_NAME.exec(name)?.[1]?.toLowerCase() ?? '')
}

async function coverIn(folder: string, entries: readonly Dirent[]) {
  const [first] = entries
    .filter((entry) => entry.isFile() && rankOf(entry) >= 0)
    .toSorted((a, b) => rankOf(a) - rankOf(b) || (a.name < b.name ? -1 : 1))
  const state = first && (await lstat(join(folder, first.name)).catch(() => null))
  return state?.isFile()
    ? { coverFile: first?.name ?? null, coverAtMs: Math.floor(state.mtimeMs) }
    : { coverFile: null, coverAtMs: 0 }
}

/** A folder that vanished or may not be read holds nothing; the library's own must be there. */
async function entriesOf(root: string, path: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(join(root, path), { withFileTypes: true })
  } catch (error) {
    if (path === '') throw error
    return []
  }
}

/** Calls `onChange` when something in one of the folders has changed and it has been quiet for a moment. */
export function createFolderWatch(onChange: () => void) {
  const watchers = new Map<string, FSWatcher>()
  let quiet: NodeJS.Timeout | null = null
  let firstAtMs = 0

  function changed(): void {
    if (quiet) clearTimeout(quiet)
    else firstAtMs = performance.now()
    const waitMs = Math.min(QUIET_MS, Math.max(0, firstAtMs + QUIET_MAX_MS - performance.now()))
    quiet = setTimeout(() => {
      quiet = null
      onChange()
    }, waitMs)
  }

  function forget(path: string): void {
    watchers.get(path)?.close()
    watchers.delete(path)
  }

  return {
    /** Watches one more folder, not those below it. Safe to repeat. */
    add: (path: string) => {
      if (watchers.has(path) || watchers.size >= FOLDERS_WATCHED_MAX) return
      try {
        const watcher = watch(path, { persistent: false })
        watchers.set(path, watcher)
        watcher.on('change', changed)
        watcher.on('error', () => forget(path))
        // A folder that is gone must not keep its place: one of the same name gets a new watch.
        watcher.on('change', (event) => {
          if (event === 'rename') void lstat(path).catch(() => forget(path))
        })
      } catch {
        // No watch left, or the folder is gone again: the next walk sees what it holds.
      }
    },
    close: () => {
      if (quiet) clearTimeout(quiet)
      for (const path of watchers.keys()) forget(path)
    },
  }
}
