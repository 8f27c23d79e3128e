/**
 * How costs grow: each dimension at three sizes, and the exponent of the growth, 1 where twice as much costs twice as much. Goals
 * are exponents. All of it takes half an hour; one dimension takes one to five minutes.
 *
 *     npm run bench:growth [-- --only keys,usage] [--sizes 1000,10000,100000]
 */
import { parseArgs } from 'node:util'
import { exponentOf, type Dimension, type Reading } from './growth/dimension.ts'
import { numberInWords, report } from './report.ts'

const NAMES = [
  'players',
  'queue',
  'library',
  'guilds',
  'keys',
  'usage',
  'sockets',
  'dashboards',
  'jobs',
  'webhooks',
] as const

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, sizes: { type: 'string', default: '' } },
})
const only = values.only === '' ? NAMES : values.only.split(',')
const sizes = values.sizes === '' ? null : values.sizes.split(',').map(Number)

async function load(name: string): Promise<Dimension> {
  const found = NAMES.find((known) => known === name)
  if (!found) throw new Error(`There is no dimension ${name}: ${NAMES.join(', ')}.`)
  const module = (await import(`./growth/${found}.ts`)) as Readonly<Record<string, Dimension>>
  return module[found]!
}

async function run(dimension: Dimension): Promise<void> {
  const { name, of, bound } = dimension
  console.log(`\n## ${name}: ${of}${bound === undefined ? '' : ` (${bound})`}`)
  const measured: { readonly size: number; readonly readings: readonly Reading[] }[] = []
  for (const size of sizes ?? dimension.sizes) {
    const startedMs = performance.now()
    const readings = await dimension.measure(size)
    const list = readings.map(({ what, value, unit }) => `${what} ${numberInWords(value)}${unit}`).join('; ')
    console.log(`${size.toLocaleString('en')}: ${list} (${((performance.now() - startedMs) / 1000).toFixed(0)} s)`)
    measured.push({ size, readings })
  }
  for (const [at, { what, atMost, unit }] of measured[0]?.readings.entries() ?? []) {
    const points = measured.map(({ size, readings }) => {
      const { value, floor } = readings[at]!
      return { size, value: Math.max(value, floor) }
    })
    const own = exponentOf(points)
    const [first, last] = [measured[0]!, measured.at(-1)!]
    const range = `${numberInWords(first.readings[at]!.value)} to ${numberInWords(last.readings[at]!.value)}${unit}`
    const from = `${first.size.toLocaleString('en')} to ${last.size.toLocaleString('en')} ${of}`
    report({ what: `${what}, ${from}: ${range}; exponent`, own, unit: '', beside: null, goal: { of: 'own', atMost } })
    console.log(own <= atMost ? '  PASS' : '  FAIL')
    if (own > atMost) process.exitCode = 1
  }
}

for (const name of only) await run(await load(name))
