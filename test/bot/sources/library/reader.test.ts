import { expect } from 'chai'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createReader } from '../../../../bot/sources/library/reader.ts'
import { createLog } from '../../../../lib/log.ts'
import { runForProject } from '../../../../lib/request-context.ts'
import { makeAudio } from '../../../support/audio-files.ts'
import { closing } from '../../../support/closing.ts'
import { temporaryFolder } from '../../../support/database.ts'
import { eventually } from '../../../support/service.ts'
import { faultOf, serve } from '../../../support/web.ts'

describe('the reader thread', () => {
  const own = closing()
  const folder = temporaryFolder()
  after(() => folder.remove())

  function reader(allowHosts: readonly string[] = [], options = {}) {
    return own(createReader({ allowHosts, log: createLog('silent'), ...options }))
  }

  it('reads a file, tells what is no sound from what is not there, and continues', async () => {
    const thread = reader()
    writeFileSync(join(folder.path, 'text.mp3'), 'no sound')
    const song = makeAudio(join(folder.path, 'song.mp3'), { tags: { title: 'Song' } })
    expect(await thread.run('readFile', { path: join(folder.path, 'text.mp3'), modifiedAtMs: 0 })).to.equal(null)
    expect(
      await thread.run('readFile', { path: '/nowhere.mp3', modifiedAtMs: 0 }).catch((error: Error) => error.message),
    ).to.contain('ENOENT')
    expect(await thread.run('readFile', { path: song, modifiedAtMs: 0 })).to.include({ title: 'Song' })
  })

  it('carries faults over with their reason', async () => {
    const fault = await faultOf(reader().run('probe', { url: 'http://10.0.0.1/', outgoing: null }))
    expect([fault.code, fault.reason]).to.deep.equal(['validation_error', 'address_refused'])
  })

  it('refuses a project that is over its share, and probes for another one', async () => {
    const web = own(await serve(({ url }, response) => void (url === '/' || response.end('no sound'))))
    const thread = reader([`127.0.0.1:${web.port}`])
    const caller = new AbortController()
    const probe = (url: string) => thread.run('probe', { url, outgoing: null }, caller.signal)
    const probes = await runForProject('prj_a', async () => Array.from({ length: 210 }, () => probe(web.url)))
    const outcomes = Promise.allSettled(probes)
    const refused = await faultOf(probes[209] as Promise<unknown>)
    expect(refused).to.include({ code: 'service_unavailable', retryAfterMs: 2000 })
    expect(refused.message).to.contain('Too many concurrent audio reads in your project.')
    const other = await runForProject('prj_b', () => faultOf(probe(`${web.url}/text`)))
    expect(other.message).to.contain('not audio')
    caller.abort(new Error('enough'))
    expect((await outcomes).filter(({ status }) => status === 'rejected')).to.have.length(210)
  })

  it('ends when it has nothing to do, still tells of changes, and reads again', async () => {
    const thread = reader([], { idleMs: 1 })
    const song = makeAudio(join(folder.path, 'later.mp3'), { tags: { title: 'Later' } })
    const read = () => thread.run('readFile', { path: song, modifiedAtMs: 0 })
    expect(await read()).to.include({ title: 'Later' })
    await eventually(
      () => thread.health().state,
      (state) => state === 'idle',
    )
    const changed = new Promise<void>((resolve) => thread.onChanged(resolve))
    thread.watch([folder.path])
    writeFileSync(join(folder.path, 'new.mp3'), 'no sound')
    await changed
    expect(thread.health().state).to.equal('idle')
    expect(await read()).to.include({ title: 'Later' })
  })

  it('ends what is under way when it is closed', async () => {
    const silent = own(await serve(() => {}))
    const thread = reader([`127.0.0.1:${silent.port}`])
    const pending = faultOf(thread.run('probe', { url: silent.url, outgoing: null }))
    await thread.close()
    expect((await pending).code).to.equal('service_unavailable')
    expect((await faultOf(thread.run('readFile', { path: '/x', modifiedAtMs: 0 }))).code).to.equal(
      'service_unavailable',
    )
  })
})
