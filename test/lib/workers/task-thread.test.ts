import { assert } from 'chai'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from '../../../lib/errors.ts'
import { TaskThread } from '../../../lib/workers/task-thread.ts'
import { createLog } from '../../../lib/log.ts'
import { closing } from '../../support/closing.ts'
import type { TestTask } from '../../support/task-runner.ts'
import { assetFile } from '../../../lib/installation.ts'

describe('task thread', () => {
  const own = closing()
  const open = (taskMs = 30_000, other: { readonly file?: string; readonly loadMs?: number } = {}) =>
    own(
      new TaskThread<TestTask, string, null>({
        file: assetFile('test/support/task-runner.ts'),
        name: 'test',
        log: createLog('silent'),
        data: null,
        heapMb: 64,
        taskMs,
        subjectOf: ({ name }) => ({
          identity: name,
          groups: [{ id: name.replace(/:.*/, ''), what: 'Files of host have', most: 3 }],
        }),
        ...other,
      }),
    )
  it('replaces a thread that hangs although the caller has left, and refuses its subject from then on', async () => {
    const thread = open()
    assert.equal(await thread.run({ kind: 'echo', name: 'first' }), 'first')
    const caller = new AbortController()
    const hanging = failureOf(thread.run({ kind: 'block', name: 'bomb' }, caller.signal))
    const other = thread.run({ kind: 'wait', name: 'other' })
    await sleep(50)
    caller.abort(new Error('left'))
    assert.equal((await hanging).message, 'left')
    const startedAtMs = performance.now()
    assert.equal(await thread.run({ kind: 'echo', name: 'waits for the new thread' }), 'waits for the new thread')
    assert.isBelow(performance.now() - startedAtMs, 9000)
    assert.equal(await thread.run({ kind: 'echo', name: 'other' }), 'other')
    assert.equal(await other, 'other')
    const refusal = await failureOf(thread.run({ kind: 'block', name: 'bomb' }))
    assert.deepEqual([refusal.code, refusal.reason], ['validation_error', 'unplayable'])
    assert.deepInclude(thread.health(), { state: 'running', busy: 0, restarts: 1, quarantined: 1 })
  })

  it('blames the task that ran when the thread crashed, and runs the others once more', async () => {
    const thread = open()
    const other = thread.run({ kind: 'wait', name: 'other' })
    const refusal = await failureOf(thread.run({ kind: 'crash', name: 'bomb' }))
    assert.equal(refusal.code, 'validation_error')
    await thread.run({ kind: 'echo', name: 'other' })
    assert.equal(await other, 'other')
  })

  it('refuses a whole group after three of its subjects crashed the thread', async () => {
    const thread = open()
    for (const path of ['1', '2', '3']) await failureOf(thread.run({ kind: 'crash', name: `host:${path}` }))
    const refusal = await failureOf(thread.run({ kind: 'echo', name: 'host:4' }))
    assert.match(refusal.message, /^Files of host /)
    assert.equal(await thread.run({ kind: 'echo', name: 'elsewhere' }), 'elsewhere')
  }).timeout(10_000)

  it('fails a task that never ends, and every task when it is closed', async () => {
    const thread = open(300)
    assert.equal((await failureOf(thread.run({ kind: 'wait', name: 'endless' }))).code, 'service_unavailable')
    assert.deepInclude(thread.health(), { busy: 0, restarts: 0, quarantined: 0 })
    const pending = failureOf(thread.run({ kind: 'wait', name: 'pending' }))
    await thread.close()
    assert.equal((await pending).code, 'service_unavailable')
  })

  it('gives up on a thread whose start never ends, and counts that start as the time of no task', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'task-thread-')), 'endless.mjs')
    writeFileSync(file, 'for (;;);')
    const thread = open(10, { file, loadMs: 1000 })
    assert.equal((await failureOf(thread.run({ kind: 'echo', name: 'waiting' }))).code, 'service_unavailable')
    assert.deepInclude(thread.health(), { busy: 0, restarts: 2 })
    rmSync(dirname(file), { recursive: true })
  }).timeout(10_000)
})

function failureOf(work: Promise<unknown>): Promise<Fault> {
  return work.then(
    () => assert.fail('This task succeeded.'),
    (error: unknown) => error as Fault,
  )
}
