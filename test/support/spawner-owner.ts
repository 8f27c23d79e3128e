import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'

/** A process with a spawner. It kills itself while it starts that, or has it start a child that sleeps. */
const [, , death] = process.argv
const die = () => process.kill(process.pid, 'SIGKILL')

if (death === 'at the fork') {
  childProcess.fork = die as never
  syncBuiltinESMExports()
}
const { createSpawner } = await import('../../lib/workers/spawner.ts')
const spawner = createSpawner()
if (death !== undefined) {
  spawner.warmUp()
  die()
}
// The child ignores that its streams are closed.
const { pid } = await spawner.start({ command: '/bin/sh', args: ['-c', 'exec sleep 654.2'], nice: 0 })
process.send?.(pid)
