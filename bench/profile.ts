import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Profile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  }[]
  /** Microseconds on the clock of `process.hrtime`. */
  readonly startTime: number
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

const SHOWN = 30

/**
 * Prints the time that each part and each function of the busiest thread took on its own since `fromMicros`, idle time
 * left out.
 */
export function printProfile(folder: string, root: string, fromMicros: number): void {
  const busiest = readdirSync(folder)
    .map((file) => selfTimes(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Profile, root, fromMicros))
    .toSorted((a, b) => b.totalMicros - a.totalMicros)[0]
  if (!busiest) throw new Error('No profile was written.')
  for (const [what, times] of [
    ['part', busiest.byPart],
    ['function', busiest.byFunction],
  ] as const) {
    console.log(`\n| ${what} | share of busy time |\n|---|---|`)
    const sorted = [...times].toSorted(([, a], [, b]) => b - a).slice(0, SHOWN)
    for (const [name, micros] of sorted) {
      console.log(`| ${name} | ${((micros / busiest.totalMicros) * 100).toFixed(1)} % |`)
    }
  }
}

function selfTimes({ nodes, startTime, samples, timeDeltas }: Profile, root: string, fromMicros: number) {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const byPart = new Map<string, number>()
  const byFunction = new Map<string, number>()
  let totalMicros = 0
  let atMicros = startTime
  for (const [i, id] of samples.entries()) {
    const frame = frames.get(id)
    const micros = timeDeltas[i] ?? 0
    atMicros += micros
    if (atMicros < fromMicros) continue
    if (!frame || frame.functionName === '(idle)') continue
    totalMicros += micros
    const part = partOf(frame.url, frame.functionName, root)
    byPart.set(part, (byPart.get(part) ?? 0) + micros)
    const name = `${frame.functionName || '(anonymous)'} · ${part}`
    byFunction.set(name, (byFunction.get(name) ?? 0) + micros)
  }
  return { byPart, byFunction, totalMicros }
}

/** A file of ours, a package, a module of Node, or the machine below. */
function partOf(url: string, functionName: string, root: string): string {
  if (url === '') return functionName.startsWith('(') ? functionName : 'native'
  if (!url.startsWith('file:')) return url
  const path = relative(root, fileURLToPath(url))
  const inPackage = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]
  return inPackage ?? path
}
