import { readdirSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join } from 'node:path'

/** The launcher of `npm start`. */
export const LAUNCHER = join(import.meta.dirname, '..', 'node.sh')

/** Linux counts CPU time in hundredths of a second. */
const TICKS_PER_SECOND = 100

/** CPU seconds that a process has used, its threads included, its children not. Linux only. */
export function cpuSeconds(pid: number): number {
  const fields = statOf(pid)
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** CPU seconds of the programs that have ended which it started, on its own or by its spawner. */
export function childCpuSeconds(pid: number): number {
  const spawners = childrenOf(pid).filter((one) => argsOf(one).includes('spawner-process'))
  return [pid, ...spawners.map((one) => one.pid)].reduce((sum, parent) => {
    const fields = statOf(parent)
    return sum + (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND
  }, 0)
}

/** CPU seconds of a process and of all that it started, those that have ended and were waited for included. */
export function treeCpuSeconds(pid: number): number {
  return [pid, ...descendantsOf(pid).map((one) => one.pid)].reduce((sum, one) => {
    try {
      const ticks = statOf(one).slice(11, 15)
      return sum + ticks.reduce((total, each) => total + Number(each), 0) / TICKS_PER_SECOND
    } catch {
      // Ended in between: its parent has waited for it by the next look.
      return sum
    }
  }, 0)
}

export function residentMiB(pid: number | string): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
  return (pages * 4096) / 1024 ** 2
}

export interface Process {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** The start time in ticks of the kernel: distinguishes it from a later process with the same number. */
  readonly startedAt: string
}

/** All processes of this machine that have not ended. Linux only. */
export function processes(): readonly Process[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const fields = statOf(name)
      // An ended process that its parent has not waited for yet.
      if (fields[0] === 'Z') return []
      const [parent, group] = [Number(fields[1]), Number(fields[2])]
      return [{ pid: Number(name), parent, group, startedAt: fields[19] ?? '' }]
    } catch {
      // Ended in between, or no process.
      return []
    }
  })
}

/** The processes that a process started. Linux only. */
export function childrenOf(parent: number): readonly Process[] {
  return processes().filter((one) => one.parent === parent)
}

/** Everything that a process started, and what that started. */
export function descendantsOf(parent: number, all = processes()): readonly Process[] {
  const children = all.filter((one) => one.parent === parent)
  return children.concat(children.flatMap(({ pid }) => descendantsOf(pid, all)))
}

/** The command line of a process; empty once it has ended. */
export function argsOf({ pid }: Process): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
  } catch {
    return ''
  }
}

/** Memory of all ffmpeg processes that a service started. */
export function ffmpegMiB(servicePid: number): number {
  const programs = childrenOf(servicePid).filter((one) => argsOf(one).includes('ffmpeg'))
  return programs.reduce((sum, { pid }) => sum + residentMiB(pid), 0)
}

/**
 * Lets the stand-in, which a service started and which measures arrivals, go before everything else on this machine:
 * its own waiting would show as lateness of the packets. @returns whether the system allows it.
 */
export function preferStandIn(servicePid: number): boolean {
  const standIns = childrenOf(servicePid).filter((one) => argsOf(one).includes('sandbox'))
  try {
    for (const { pid } of standIns) setPriority(pid, -15)
    return standIns.length > 0
  } catch {
    return false
  }
}

/** The fields of /proc/PID/stat behind the name, which may hold spaces: state, parent, … */
function statOf(pid: number | string): string[] {
  return readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
}
