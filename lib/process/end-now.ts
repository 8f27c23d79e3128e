/** Kills a process, or with a negative number the group of that number. Nothing happens where it has ended already. */
export function endNow(target: number): void {
  try {
    process.kill(target, 'SIGKILL')
  } catch {
    // The process has ended already.
  }
}
