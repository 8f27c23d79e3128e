import { descendantsOf, processes, type Process } from '../../stage/process.ts'

/** Notes all that a process ever started, as long as it lives for half a second. */
export type Census = ReturnType<typeof watchChildren>

const EVERY_MS = 500

export function watchChildren(pid: number) {
  const seen = new Map<string, Process>()
  function look(): void {
    const all = processes()
    // Descendants of known processes count too: their own parent may be gone.
    const roots = [pid, ...Array.from(seen.values(), (one) => one.pid)]
    for (const root of roots) for (const one of descendantsOf(root, all)) seen.set(nameOf(one), one)
  }
  const timer = setInterval(look, EVERY_MS)
  return {
    look,
    /** Processes that still run. */
    left: (): readonly Process[] => processes().filter((one) => seen.has(nameOf(one))),
    stop: (): void => clearInterval(timer),
  }
}

function nameOf({ pid, startedAt }: Process): string {
  return `${pid} ${startedAt}`
}
