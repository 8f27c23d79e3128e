import { readdirSync, readFileSync } from 'node:fs'

export interface Process {
  readonly pid: number
  readonly parent: number
  /** When it was started, in ticks of the kernel: tells it from a later one of the same number. */
  readonly startedAt: string
  readonly args: string
}

/** All processes of this machine. Linux only. */
export function processes(): readonly Process[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
      // One that has ended and waits for its parent to ask after it.
      if (stat[0] === 'Z') return []
      const args = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      return [{ pid: Number(name), parent: Number(stat[1]), startedAt: stat[19] ?? '', args }]
    } catch {
      // It ended in between, or is no process.
      return []
    }
  })
}

/** Everything that a process started, and what that started. */
export function descendantsOf(parent: number, all = processes()): readonly Process[] {
  const children = all.filter((one) => one.parent === parent)
  return children.concat(children.flatMap(({ pid }) => descendantsOf(pid, all)))
}

/** Notes all that a process ever started, as long as it lives for half a second. */
export interface Census {
  look(): void
  /** Those that still run. */
  left(): readonly Process[]
  stop(): void
}

const EVERY_MS = 500

export function watchChildren(pid: number): Census {
  const seen = new Map<string, Process>()
  const nameOf = ({ pid, startedAt }: Process) => `${pid} ${startedAt}`
  function look(): void {
    const all = processes()
    // What was seen once is looked through as well: its own parent may be gone.
    const roots = [pid, ...Array.from(seen.values(), (one) => one.pid)]
    for (const root of roots) for (const one of descendantsOf(root, all)) seen.set(nameOf(one), one)
  }
  const timer = setInterval(look, EVERY_MS)
  return {
    look,
    left: () => processes().filter((one) => seen.has(nameOf(one))),
    stop: () => clearInterval(timer),
  }
}
