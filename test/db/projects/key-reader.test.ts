import { expect } from 'chai'
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '../../../db/engine/open.ts'
import { openKeyReader } from '../../../db/projects/key-reader.ts'
import { createKeys, keyDigest } from '../../../db/projects/keys.ts'
import { createProjects } from '../../../db/projects/projects.ts'
import { Fault } from '../../../lib/errors.ts'
import { eventually } from '../../support/service.ts'
import { temporaryDatabase, temporaryFolder } from '../../support/database.ts'

describe('keys that another process reads', () => {
  it('are found with their plan, and are revoked there as soon as they are here', async () => {
    const { store, dataDir, close } = temporaryDatabase()
    const reader = openKeyReader(dataDir)
    try {
      const { id: projectId } = await createProjects(store).create({ name: 'Harbour radio', plan: 'advanced' })
      const keys = createKeys(store)
      const { id, key } = await keys.create({ projectId })
      const find = () => reader.findByDigest(keyDigest(key))
      expect(await find()).to.deep.include({ id, projectId, plan: 'advanced', revokedAtMs: null })
      await keys.revoke(projectId, id)
      await eventually(find, (key) => typeof key?.revokedAtMs === 'number')
      expect(await reader.findByDigest(keyDigest('svc.unknown'))).to.equal(null)
    } finally {
      await reader.close()
      close()
    }
  })

  it('come from the database that is there now, also where another was put in its place', async () => {
    const folder = temporaryFolder()
    const other = temporaryDatabase()
    const db = openDatabase({ dataDir: folder.path })
    const reader = openKeyReader(folder.path)
    try {
      const { id: projectId } = await createProjects(other.store).create({ name: 'Restored', plan: 'free' })
      const { key } = await createKeys(other.store).create({ projectId })
      expect(await reader.findByDigest(keyDigest(key))).to.equal(null)
      other.db.close()
      db.close()
      for (const ending of ['', '-wal', '-shm']) rmSync(join(folder.path, `bandstand.db${ending}`), { force: true })
      renameSync(join(other.dataDir, 'bandstand.db'), join(folder.path, 'bandstand.db'))
      await eventually(
        () => reader.findByDigest(keyDigest(key)),
        (found) => found?.projectId === projectId,
      )
    } finally {
      await reader.close()
      db.close()
      other.close()
      folder.remove()
    }
  })

  it('are refused with words where there is no database, or one of another program', () => {
    const folder = temporaryFolder()
    try {
      expect(() => openKeyReader(folder.path)).to.throw(Fault, 'Start the service once')
    } finally {
      folder.remove()
    }
  })
})
