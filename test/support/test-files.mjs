// Prints the files of `npm test` in the order that mocha hands them out. Those that mostly wait go between those that mostly
// compute, so that the processors are busy throughout, and no file that takes long is left for the end.
import { globSync } from 'node:fs'

const COMPUTE = [
  'test/service/*',
  'test/*',
  'test/jobs/**',
  'test/service/admin/*',
  'test/api/*',
  'test/web/dashboard/**',
  'test/service/cluster/**',
]
const WAIT = [
  // Each takes more than 30 s alone.
  'test/bot/sources/source-health',
  'test/bot/commands/request-channel',
  'test/bot/audio/remote-nodes',
  'test/bot/{sources,complaints,commands,discord,audio}/**',
]
/** Number of waiting files for each computing one: both groups come to their end together. */
const RATIO = 3

const listed = new Set()
const list = (patterns) =>
  patterns
    .flatMap((pattern) => globSync(`${pattern}${pattern.endsWith('**') ? '/*' : ''}.test.ts`).toSorted())
    .filter((file) => !listed.has(file) && listed.add(file))

const [computing, waiting, others] = [list(COMPUTE), list(WAIT), list(['test/**'])]
const order = []
while (computing.length + waiting.length > 0) order.push(...computing.splice(0, 1), ...waiting.splice(0, RATIO))
console.log([...order, ...others].join('\n'))
