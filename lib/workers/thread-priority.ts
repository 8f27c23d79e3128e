import { setPriority } from 'node:os'

/**
 * Sets the priority of the thread that calls, from -20 (first) to 19 (last), where the system allows it; to step back
 * needs no privilege. On Linux a priority belongs to a thread, elsewhere to the process, which is left alone.
 */
export function setThreadPriority(nice: number): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(nice)
  } catch {
    // Not allowed here: all threads stay equal.
  }
}
