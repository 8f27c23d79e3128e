import { readdirSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'

/** Linux counts CPU time in hundredths of a second. */
const TICKS_PER_SECOND = 100

/** CPU seconds that a process has used, its threads included, its children not. Linux only. */
export function cpuSeconds(pid: number): number {
  const fields = statOf(pid)
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/**
 * Lets the stand-in, which a service started and which measures arrivals, go before everything else on this machine:
 * its own waiting would show as lateness of the packets. @returns whether the system allows it.
 */
export function preferStandIn(servicePid: number): boolean {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isStandIn(name, servicePid))
  try {
    for (const pid of children) setPriority(Number(pid), -15)
    return children.length > 0
  } catch {
    return false
  }
}

function isStandIn(pid: string, servicePid: number): boolean {
  try {
    return Number(statOf(pid)[1]) === servicePid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('sandbox')
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
