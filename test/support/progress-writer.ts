// Work without an end, for a test that stops it by Ctrl-C.
import { setTimeout as sleep } from 'node:timers/promises'
import { withProgress } from '../../service/admin/progress.ts'

try {
  await withProgress(process, { label: 'Working', unit: 'pieces' }, async (report, signal) => {
    for (let done = 1; ; done++) {
      report(Math.min(done, 99), 100)
      await sleep(20, undefined, { signal })
    }
  })
} catch (error) {
  process.stderr.write(`error: ${(error as Error).message}\n`)
  process.exitCode = 1
}
