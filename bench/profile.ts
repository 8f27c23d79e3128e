import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Profile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
    readonly children?: readonly number[]
  }[]
  /** Microseconds on the clock of `process.hrtime`. */
  readonly startTime: number
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

const SHOWN = 30

/**
 * Prints the time that each part and each function of the busiest thread took on its own since `fromMicros`, and each function
 * of ours with all that it called, idle time left out. What continues after an `await` is no longer a part of its caller.
 */
export function printProfile(folder: string, root: string, fromMicros: number): void {
  const busiest = readdirSync(folder)
    .map((file) => selfTimes(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Profile, root, fromMicros))
    .toSorted((a, b) => b.totalMicros - a.totalMicros)[0]
  if (!busiest) throw new Error('No profile was written.')
  for (const [what, times] of [
    ['part', busiest.byPart],
    ['function', busiest.byFunction],
    ['function with what it calls', busiest.inclusive],
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
  const ownMicros = new Map<number, number>()
  let totalMicros = 0
  let atMicros = startTime
  for (const [i, id] of samples.entries()) {
    const frame = frames.get(id)
    const micros = timeDeltas[i] ?? 0
    atMicros += micros
    if (atMicros < fromMicros) continue
    if (!frame || frame.functionName === '(idle)') continue
    totalMicros += micros
    ownMicros.set(id, (ownMicros.get(id) ?? 0) + micros)
    const part = partOf(frame.url, frame.functionName, root)
    byPart.set(part, (byPart.get(part) ?? 0) + micros)
    const name = `${frame.functionName || '(anonymous)'} · ${part}`
    byFunction.set(name, (byFunction.get(name) ?? 0) + micros)
  }
  return { byPart, byFunction, inclusive: inclusiveTimes(nodes, ownMicros, root), totalMicros }
}

/** Of the functions of this repository; one that calls itself counts once. */
function inclusiveTimes(nodes: Profile['nodes'], ownMicros: ReadonlyMap<number, number>, root: string) {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const times = new Map<string, number>()
  const visit = (id: number, above: ReadonlySet<string>): number => {
    const node = byId.get(id)
    if (!node) return 0
    const name = ownNameOf(node.callFrame, root)
    const inside = name === null || above.has(name) ? above : new Set([...above, name])
    const micros = (node.children ?? []).reduce((sum, child) => sum + visit(child, inside), ownMicros.get(id) ?? 0)
    if (inside !== above && name !== null) times.set(name, (times.get(name) ?? 0) + micros)
    return micros
  }
  const first = nodes[0]
  if (first) visit(first.id, new Set())
  return times
}

function ownNameOf({ functionName, url, lineNumber }: Profile['nodes'][number]['callFrame'], root: string) {
  const part = partOf(url, functionName, root)
  return part.endsWith('.ts') ? `${functionName || '(anonymous)'} · ${part}:${lineNumber + 1}` : null
}

/** A file of ours, a package, a module of Node, or the machine below. */
function partOf(url: string, functionName: string, root: string): string {
  if (url === '') return functionName.startsWith('(') ? functionName : 'native'
  if (!url.startsWith('file:')) return url
  const path = relative(root, fileURLToPath(url))
  const inPackage = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]
  return inPackage ?? path
}
