import { readdirSync, readFileSync } from 'node:fs'

export interface ProcessFacts {
  readonly pid: number
  readonly command: string
}

/** All processes that a process has started, and those that they have started. */
export function descendantsOf(pid: number): readonly ProcessFacts[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const stat = read(name, 'stat')
    // The state and the parent follow the name, which is in brackets and may hold anything.
    parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
  }
  const isBelow = (one: number): boolean => {
    const parent = parents.get(one)
    return parent !== undefined && parent > 0 && (parent === pid || isBelow(parent))
  }
  const below = [...parents.keys()].filter(isBelow)
  return below.map((one) => ({ pid: one, command: read(String(one), 'cmdline').replaceAll('\0', ' ') }))
}

function read(pid: string, file: 'stat' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    // The process ended in between.
    return ''
  }
}
