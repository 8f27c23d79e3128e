import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { findHolder, lockDataDir } from '../../../db/engine/lock.ts'
import { Fault } from '../../../lib/errors.ts'
import { temporaryFolder } from '../../support/database.ts'

const LOCK = new URL('../../../db/engine/lock.ts', import.meta.url).href

describe('lockDataDir()', () => {
  const folder = temporaryFolder()
  after(() => folder.remove())

  async function holdInChild() {
    const script = join(folder.path, 'hold.mts')
    writeFileSync(
      script,
      `import { lockDataDir } from '${LOCK}'\nlockDataDir(${JSON.stringify(folder.path)})\nprocess.send('held')\nsetInterval(() => {}, 1000)`,
    )
    const child = fork(script)
    await once(child, 'message')
    return child
  }

  it('refuses a second service and names the first, until that is killed with -9', async () => {
    const child = await holdInChild()
    try {
      expect(() => lockDataDir(folder.path)).to.throw(
        Fault,
        new RegExp(`Another Bandstand service \\(process ${child.pid}, since \\d{4}-.*set DATA_DIR to another folder`),
      )
      expect(findHolder(folder.path)?.pid).to.equal(child.pid)
    } finally {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    expect(findHolder(folder.path)).to.equal(null)
    lockDataDir(folder.path).release()
  })

  it('lets the folder go when it is released', () => {
    const lock = lockDataDir(folder.path)
    expect(findHolder(folder.path)?.pid).to.equal(process.pid)
    expect(() => lockDataDir(folder.path)).to.throw(Fault)
    lock.release()
    expect(findHolder(folder.path)).to.equal(null)
    lockDataDir(folder.path).release()
  })

  it('knows of no holder where no service has ever run', () => {
    expect(findHolder(join(folder.path, 'nowhere'))).to.equal(null)
  })
})
