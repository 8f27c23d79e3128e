import { setImmediate } from 'node:timers/promises'
import { serveTasks } from '../../lib/workers/serve-tasks.ts'

/** A request to the thread of `task-thread.test.ts`. */
export interface TestTask {
  readonly kind: 'echo' | 'wait' | 'block' | 'crash'
  readonly name: string
}

const waiting = new Map<string, () => void>()

serveTasks<TestTask, string>(async ({ kind, name }, signal) => {
  // Past the first step, as code that parses what was fetched.
  await setImmediate()
  if (kind === 'block') for (;;);
  if (kind === 'crash') process.exit(3)
  if (kind === 'wait') {
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.set(name, resolve)
    signal.addEventListener('abort', () => resolve())
    await promise
  } else waiting.get(name)?.()
  return name
})
