import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { childEnv } from '../../lib/workers/child-process.ts'
import { findProgram } from '../../lib/workers/find-program.ts'

/** Debian's path of the program itself comes first: the scripts around it only add work. */
const PROGRAMS = [
  '/usr/lib/chromium/chromium-headless-shell',
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

const PREFIX = 'bandstand-browser-'

/**
 * Ends what the notes in the folder name, and removes it, once the other end of its input is closed: with the worker. A browser
 * that is ended on a busy machine writes there for seconds, so that it tries for 20.
 */
const KEEPER = `
  read -r _
  for note in "$1"/browser.*; do
    [ -f "$note" ] || continue
    read -r pid profile < "$note"
    kill -KILL -- "-$pid" 2>/dev/null
    rm -rf -- "$profile"
  done
  tries=100
  until rm -rf -- "$1" 2>/dev/null; do
    tries=$((tries - 1))
    [ "$tries" -gt 0 ] || exit 1
    sleep 0.2
  done`

/** The browser to use, or null if none is installed. `searchPath` is that of the shell. */
export function findBrowser(searchPath: string): string | null {
  for (const program of PROGRAMS) {
    const found = findProgram(program, searchPath)
    if (found !== null) return found
  }
  return null
}

/** The browser of these settings; null if there is none. */
export function browserProgram({ chromiumPath, searchPath }: BrowserChoice): string | null {
  return chromiumPath === 'none' ? null : (chromiumPath ?? findBrowser(searchPath))
}

interface BrowserChoice {
  /** Null: whichever is installed. `none`: no browser. */
  readonly chromiumPath: string | null
  readonly searchPath: string
}

/** A folder for everything that browsers of this process write, which goes when the process does, `kill -9` included. */
export type BrowserProfile = ReturnType<typeof openBrowserProfile>

export function openBrowserProfile() {
  removeLeftovers()
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`))
  const keeper = startKeeper(folder)
  return {
    folder,
    /** The process group of the browser that was started under this ID; 0: it has not begun to. */
    groupOf: (id: string): number => noteAt(join(folder, `browser.${id}`))?.group ?? 0,
    forget(id: string) {
      rmSync(join(folder, `browser.${id}`), { force: true })
      removeTree(join(folder, `profile.${id}`))
    },
    /** Removes the folder; no browser may run any more. */
    close() {
      removeTree(folder)
      keeper.kill('SIGKILL')
    },
  }
}

function startKeeper(folder: string): ChildProcess {
  // A group of its own: what ends the worker's whole group must leave the keeper to its work.
  const keeper = spawn('sh', ['-c', KEEPER, 'sh', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    env: childEnv(),
  })
  keeper.on('error', () => undefined)
  keeper.stdin?.on('error', () => undefined)
  // Neither the child nor its pipe keeps this process alive.
  keeper.unref()
  ;(keeper.stdin as Socket | null)?.unref()
  return keeper
}

interface Note {
  readonly group: number
  readonly profile: string
}

function notesIn(folder: string): readonly Note[] {
  const files = readdirSync(folder).filter((name) => name.startsWith('browser.'))
  return files.flatMap((name) => noteAt(join(folder, name)) ?? [])
}

function noteAt(path: string): Note | null {
  const [, group, profile] = /^(\d+) (.+)$/m.exec(readFileSync(path, 'utf8')) ?? []
  return group && profile ? { group: Number(group), profile } : null
}

/** Removes the files of processes whose keeper was killed with them. Their browsers exited when their pipes closed. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = /^bandstand-browser-(\d+)-/.exec(name) ?? []
    if (!pid || isRunning(Number(pid))) continue
    const folder = join(tmpdir(), name)
    try {
      for (const { profile } of notesIn(folder)) removeTree(profile)
      removeTree(folder)
    } catch {
      // Another user's, or another worker was faster.
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A browser that was just killed may still write for a moment. */
function removeTree(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
}
