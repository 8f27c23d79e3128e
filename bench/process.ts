import { readdirSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'

/** Linux counts CPU time in hundredths of a second. */
const TICKS_PER_SECOND = 100

/** CPU seconds that a process has used, its threads included, its children not. Linux only. */
export function cpuSeconds(pid: number): number {
  const fields = statOf(pid)
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** CPU seconds of its children that have ended. */
export function childCpuSeconds(pid: number): number {
  const fields = statOf(pid)
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND
}

export function residentMiB(pid: number | string): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
  return (pages * 4096) / 1024 ** 2
}

/** What all the ffmpeg that a service started take of the memory. */
export function ffmpegMiB(servicePid: number): number {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isChild(name, servicePid, 'ffmpeg'))
  return children.reduce((sum, pid) => sum + residentMiB(pid), 0)
}

/**
 * Lets the stand-in, which a service started and which measures arrivals, go before everything else on this machine:
 * its own waiting would show as lateness of the packets. @returns whether the system allows it.
 */
export function preferStandIn(servicePid: number): boolean {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isChild(name, servicePid, 'sandbox'))
  try {
    for (const pid of children) setPriority(Number(pid), -15)
    return children.length > 0
  } catch {
    return false
  }
}

/** The processes that a process started. Linux only. */
export function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
    .map(Number)
}

function parentOf(pid: string): number | null {
  try {
    return Number(statOf(pid)[1])
  } catch {
    // It ended in between.
    return null
  }
}

function isChild(pid: string, servicePid: number, word: string): boolean {
  try {
    return Number(statOf(pid)[1]) === servicePid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word)
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
