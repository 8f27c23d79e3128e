import { expect } from 'chai'
import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../../lib/errors.ts'
import { createLog } from '../../../lib/log.ts'
import { createLocalWorker } from '../../../upstream/local/worker-handle.ts'

const log = createLog('silent')
const task = { task: 'detect', text: 'สวัสดี', model: 'extrasmall' } as const

describe('the thread for local data', () => {
  it('starts again after it was idle', async () => {
    const worker = createLocalWorker({ log, idleMs: 1 })
    expect(await worker.ask(task)).to.have.length(1)
    await sleep(50)
    expect(await worker.ask(task)).to.have.length(1)
    await worker.close()
  })

  it('fails what takes too long and works again afterwards', async () => {
    const worker = createLocalWorker({ log, timeoutMs: 1 })
    // Works out for some hundred milliseconds, and loads nothing. A busy machine may sleep until the answer is there.
    const ask = () => worker.ask({ task: 'countries' }).catch((error: unknown) => error)
    let refused = await ask()
    for (let asked = 1; asked < 20 && !(refused instanceof Fault); asked++) refused = await ask()
    expect(refused).to.be.instanceOf(Fault).and.to.include({ code: 'service_unavailable' })
    await worker.close()
  })

  it('counts neither its start nor the loading of a model as the time of a task, and ends no other task by them', async () => {
    const worker = createLocalWorker({ log, timeoutMs: 700 })
    const [detected] = await Promise.all([
      worker.ask({ task: 'detect', text: 'Guten Morgen, wie geht es dir?', model: 'large' }),
      worker.ask(task),
    ])
    expect(detected[0]).to.include({ language: 'de' })
    expect(worker.health()).to.include({ restarts: 0 })
    await worker.close()
  })

  it('turns away what is too much at once, and lets go of all when it closes', async () => {
    const worker = createLocalWorker({ log })
    const asked = Array.from({ length: 201 }, () => worker.ask(task).catch((error: unknown) => error))
    expect(await asked[200]).to.be.instanceOf(Fault)
    await worker.close()
    for (const answer of await Promise.all(asked)) expect(answer).to.be.instanceOf(Fault)
  })

  it('passes the failure of one task on without failing the others', async () => {
    const worker = createLocalWorker({ log })
    const bad = worker
      .ask({ task: 'detect', text: 'hola amigos', model: 'none' as 'large' })
      .catch((error: unknown) => error)
    expect(await worker.ask(task)).to.have.length(1)
    expect(await bad).to.be.instanceOf(Error)
    await worker.close()
  })
})
