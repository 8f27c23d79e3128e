import { setTimeout as sleep } from 'node:timers/promises'
import { openJobBench } from '../../test/support/jobs.ts'
import { HARDLY, IN_STEP, medianMs, type Dimension } from './dimension.ts'

const PROJECTS = 10

/** Jobs that wait for a worker: adding one more, and what the pages and the metrics read. */
export const jobs: Dimension = {
  name: 'jobs',
  of: 'jobs that wait',
  sizes: [20, 200, 2000],
  bound: '2,000 wait in one queue, and of one project half of what is free',
  async measure(size) {
    const bench = await openJobBench()
    try {
      const queue = await bench.queue({ capacity: 20_000 })
      let next = 0
      const add = () => bench.add(queue, `prj_${next % PROJECTS}`, { n: next++ })
      const fill = await medianMs(1, async () => {
        for (let i = 0; i < size; i += 1) await add()
      })
      const each = { unit: ' ms', atMost: HARDLY, floor: 1 }
      const added = await medianMs(20, add)
      const readings = [
        { what: 'add all of them', value: fill, ...each, atMost: IN_STEP },
        { what: 'add one more', value: added, ...each },
        {
          what: "list a project's 2 latest",
          value: await medianMs(20, () => queue.list('prj_0', { limit: 2, before: null })),
          ...each,
        },
        { what: 'count those that wait', value: await medianMs(20, () => queue.counts()), ...each },
      ]
      bench.worker({ concurrency: 4 })
      const doneMs = await medianMs(1, async () => {
        while ((await queue.counts()).some(({ pending, processing }) => pending + processing > 0)) await sleep(20)
      })
      return [...readings, { what: 'do all of them', value: doneMs, ...each, atMost: IN_STEP, floor: 100 }]
    } finally {
      await bench.close()
    }
  },
}
