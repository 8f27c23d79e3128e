import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createLog } from '../../../lib/log.ts'
import { closing } from '../../support/closing.ts'
import { eventually } from '../../support/service.ts'
import { loggedRequest } from '../../support/example-requests.ts'
import { projects } from '../../support/projects.ts'
import { temporaryRequestLog } from '../../support/request-log.ts'

describe('the request log', () => {
  const close = closing()

  it('takes a burst, leaves out what is too much of one project, counts it, and writes the rest', async () => {
    const { requests } = close(temporaryRequestLog({ bounds: { rowsPerProject: 100_000, rowsInAll: 100_000 } }))
    const ask = (projectId: string, status = 200) => {
      const isAdmitted = requests.admits(projectId, status)
      if (isAdmitted) requests.add(loggedRequest({ id: requests.nextId(), projectId, status }))
      return isAdmitted
    }
    let admitted = 0
    for (let i = 0; i < 12_000; i++) if (ask('flood')) admitted++
    expect(admitted).to.equal(10_000)
    expect(requests.dropped).to.equal(2000)
    expect(ask('other')).to.equal(true)
    const [newest] = await requests.list({ projectId: 'flood', limit: 1 })
    expect(newest?.projectId).to.equal('flood')
    expect(requests.waiting).to.be.lessThan(10_001)
  })

  it('keeps room for refusals and failures when successes have filled the rest', () => {
    const { requests } = close(temporaryRequestLog())
    for (let i = 0; i < 20_000; i++) {
      const projectId = `project ${i % 4}`
      if (requests.admits(projectId, 200)) requests.add(loggedRequest({ id: requests.nextId(), projectId }))
    }
    expect(requests.waiting).to.equal(15_000)
    expect(requests.admits('project 0', 200)).to.equal(false)
    expect(requests.admits('project 0', 503)).to.equal(true)
  })

  it('gives each project its own requests alone, however it is asked', async () => {
    const { requests } = close(temporaryRequestLog())
    for (const projectId of ['one', 'two', "two' OR '1'='1"]) {
      requests.add(loggedRequest({ id: requests.nextId(), projectId, requestId: `of ${projectId}`, keyId: 'same' }))
    }
    const found = await requests.list({ projectId: 'two', keyId: 'same', limit: 10 })
    expect(found.map(({ requestId }) => requestId)).to.deep.equal(['of two'])
    expect(await requests.list({ projectId: 'two', requestId: 'of one', limit: 10 })).to.deep.equal([])
  })

  it('writes what waits when it is closed', async () => {
    const log = close(temporaryRequestLog())
    const { requests } = log
    for (let i = 0; i < 300; i++) requests.add(loggedRequest({ id: requests.nextId(), requestId: `n${i}` }))
    await requests.close()
    const again = close(log.reopen())
    expect(await again.list({ projectId: projects.one, limit: 5000 })).to.have.length(300)
  })

  it('is deleted where it is switched off, with the file that former versions kept, and refuses to be read', async () => {
    const log = close(temporaryRequestLog())
    const file = join(log.dataDir, 'requests.db')
    log.requests.add(loggedRequest({ id: log.requests.nextId() }))
    await log.requests.close()
    for (const end of ['', '-wal']) writeFileSync(file + end, '')
    const off = close(log.reopen(false))
    expect(existsSync(file) || existsSync(`${file}-wal`)).to.equal(false)
    expect([off.isOn, off.admits('one', 500)]).to.deep.equal([false, false])
    const refused = await off.list({ projectId: projects.one, limit: 1 }).catch((error: unknown) => error)
    expect(refused).to.deep.include({ code: 'service_unavailable', reason: 'not_configured' })
    const on = close(log.reopen())
    expect(await on.list({ projectId: projects.one, limit: 1 })).to.deep.equal([])
  })

  it('says that it cannot be read or saved, keeps what waits, and continues when it can again', async () => {
    const lines: { msg: string }[] = []
    const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
    const { requests, db } = close(temporaryRequestLog({ log }))
    db.exec('ALTER TABLE logged_request RENAME TO away')
    requests.add(loggedRequest({ id: requests.nextId() }))
    const refused = await requests.list({ projectId: projects.one, limit: 1 }).catch((error: unknown) => error)
    expect(refused).to.deep.include({ code: 'service_unavailable' })
    expect(requests.waiting).to.equal(1)
    const said = () => lines.map(({ msg }) => msg).join()
    await eventually(said, (all) => /writing request log failed.*reading request log failed/.test(all))
    db.exec('ALTER TABLE away RENAME TO logged_request')
    await eventually(
      async () => requests.waiting,
      (waiting) => waiting === 0,
    )
    expect(said()).to.contain('request log recovered')
    expect(await requests.list({ projectId: projects.one, limit: 10 })).to.have.length(1)
  })
})
