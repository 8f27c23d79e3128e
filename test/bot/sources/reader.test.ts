import { expect } from 'chai'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createReader } from '../../../bot/sources/reader.ts'
import { createLog } from '../../../log.ts'
import { makeAudio } from '../../support/audio-files.ts'
import { closing } from '../../support/closing.ts'
import { temporaryFolder } from '../../support/database.ts'
import { faultOf, serve } from '../../support/web.ts'

describe('the reader thread', () => {
  const own = closing()
  const folder = temporaryFolder()
  after(() => folder.remove())

  function reader(allowHosts: readonly string[] = []) {
    return own(createReader({ allowHosts, log: createLog('silent') }))
  }

  it('reads a file, tells what is no sound from what is not there, and goes on', async () => {
    const thread = reader()
    writeFileSync(join(folder.path, 'text.mp3'), 'no sound')
    const song = makeAudio(join(folder.path, 'song.mp3'), { tags: { title: 'Song' } })
    expect(await thread.run('readFile', { path: join(folder.path, 'text.mp3') })).to.equal(null)
    expect(await thread.run('readFile', { path: '/nowhere.mp3' }).catch((error: Error) => error.message)).to.contain(
      'ENOENT',
    )
    expect(await thread.run('readFile', { path: song })).to.include({ title: 'Song' })
  })

  it('carries faults over with the field that they name', async () => {
    const fault = await faultOf(reader().run('probe', { url: 'http://10.0.0.1/', field: 'body.query' }))
    expect(fault.details).to.deep.equal([{ field: 'body.query', message: fault.message }])
  })

  it('refuses what would be too much at once', async () => {
    const silent = own(await serve(() => {}))
    const thread = reader([`127.0.0.1:${silent.port}`])
    const caller = new AbortController()
    const probes = Array.from({ length: 201 }, () =>
      thread.run('probe', { url: silent.url, field: 'body.query' }, caller.signal),
    )
    const outcomes = Promise.allSettled(probes)
    expect((await faultOf(probes[200] as Promise<unknown>)).code).to.equal('service_unavailable')
    caller.abort(new Error('enough'))
    expect((await outcomes).filter(({ status }) => status === 'rejected')).to.have.length(201)
  })

  it('ends what is under way when it is closed', async () => {
    const silent = own(await serve(() => {}))
    const thread = reader([`127.0.0.1:${silent.port}`])
    const pending = faultOf(thread.run('probe', { url: silent.url, field: 'body.query' }))
    await thread.close()
    expect((await pending).code).to.equal('service_unavailable')
    expect((await faultOf(thread.run('readFile', { path: '/x' }))).code).to.equal('service_unavailable')
  })
})
