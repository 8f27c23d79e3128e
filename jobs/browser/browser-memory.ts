import { readdirSync, readFileSync } from 'node:fs'

interface BrowserProcess {
  readonly pid: number
  readonly isRenderer: boolean
  /** Private memory and memory shared with its siblings; code and files are not counted. */
  readonly bytes: number
}

/**
 * Looks at the processes of a process group, again and again. They are none if there is no `/proc`.
 * Keeps a scan cheap: skips processes of other groups for as long as they run.
 */
export function viewGroup(group: number) {
  let strangers = new Set<string>()
  return {
    processes(): readonly BrowserProcess[] {
      const all = pids()
      strangers = strangers.intersection(new Set(all))
      const near = all.filter((pid) => !strangers.has(pid))
      const members = near.filter((pid) => groupOf(pid) === group)
      strangers = strangers.union(new Set(near).difference(new Set(members)))
      return members.map((pid) => ({
        pid: Number(pid),
        isRenderer: read(pid, 'cmdline').includes('--type=renderer'),
        bytes: heldBytes(read(pid, 'status')),
      }))
    },
  }
}

export function processesOf(group: number): readonly BrowserProcess[] {
  return viewGroup(group).processes()
}

/** Memory of processes altogether; memory that they share may count more than once. */
export function bytesOf(processes: readonly BrowserProcess[]): number {
  return processes.reduce((sum, { bytes }) => sum + bytes, 0)
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

function heldBytes(status: string): number {
  const kib = [...status.matchAll(/^(?:RssAnon|RssShmem):\s+(\d+)/gm)].map(([, amount]) => Number(amount))
  return kib.reduce((sum, it) => sum + it, 0) * 1024
}

function read(pid: string, file: 'cmdline' | 'stat' | 'status'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    // The process ended meanwhile.
    return ''
  }
}
