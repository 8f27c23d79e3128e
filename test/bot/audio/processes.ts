import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** Whether a process of this machine has the word on its command line, which is empty while it becomes another program. */
export function isRunning(word: string): boolean {
  return readdirSync('/proc').some((name) => /^\d+$/.test(name) && commandLine(name).includes(word))
}

/** Waits until no process has the word on its command line. */
export async function untilGone(word: string): Promise<void> {
  for (let i = 0; i < 3000 && isRunning(word); i++) await sleep(20)
  if (isRunning(word)) throw new Error(`A process with ${word} is still running.`)
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    // The process ended in between.
    return ''
  }
}
