import { readdirSync, readFileSync } from 'node:fs'

export interface BrowserProcess {
  readonly pid: number
  readonly isRenderer: boolean
  /** What it holds of its own and shares with its siblings; code and files are not counted. */
  readonly bytes: number
}

/** All processes of a process group. Empty where there is no `/proc`. */
export function processesOf(group: number): readonly BrowserProcess[] {
  return pids()
    .filter((pid) => groupOf(pid) === group)
    .map((pid) => ({
      pid: Number(pid),
      isRenderer: read(pid, 'cmdline').includes('--type=renderer'),
      bytes: bytesOf(read(pid, 'status')),
    }))
}

/** What the group holds altogether; memory that its processes share may count more than once. */
export function bytesOfGroup(group: number): number {
  return processesOf(group).reduce((sum, { bytes }) => sum + bytes, 0)
}

function pids(): readonly string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
}

/** The third field behind the name, which is in brackets and may hold anything. */
function groupOf(pid: string): number {
  const stat = read(pid, 'stat')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ', 3)[2])
}

function bytesOf(status: string): number {
  const kib = ['RssAnon', 'RssShmem'].map((name) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0),
  )
  return kib.reduce((sum, it) => sum + it, 0) * 1024
}

function read(pid: string, file: 'cmdline' | 'stat' | 'status'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    // It ended meanwhile.
    return ''
  }
}
