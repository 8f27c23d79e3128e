import { randomBytes } from 'node:crypto'
import { createKeys } from '../../db/projects/keys.ts'
import { temporaryDatabase } from '../../test/support/database.ts'
import { HARDLY, medianMs, type Dimension } from './dimension.ts'

const EACH = 20

/** Keys of many projects: looking one up that is not remembered, and listing those of a project. */
export const keys: Dimension = {
  name: 'keys',
  of: 'API keys',
  sizes: [1000, 100_000, 1_000_000],
  async measure(size) {
    const { db, store, close } = temporaryDatabase()
    try {
      db.pragma('synchronous = OFF')
      // Counts a project's keys at each insert, which is not what is measured.
      db.exec('DROP TRIGGER api_key_room_for_a_new_one')
      const insert = db.prepare(
        `INSERT INTO api_key (id, project_id, prefix, digest, created_at_ms) VALUES (?, ?, '01234567', ?, 0)`,
      )
      const project = db.prepare(`INSERT INTO project (id, name, plan, created_at_ms) VALUES (?, 'Growth', 'scale', 0)`)
      const digests: Buffer[] = []
      db.transaction(() => {
        for (let i = 0; i < size; i += 1) {
          const projectId = `prj_${Math.floor(i / EACH)}`
          if (i % EACH === 0) project.run(projectId)
          const digest = randomBytes(32)
          if (i % Math.ceil(size / 1000) === 0) digests.push(digest)
          insert.run(`key_${i}`, projectId, digest)
        }
      })()
      const found = createKeys(store)
      const each = { unit: ' ms', atMost: HARDLY, floor: 0.05 }
      return [
        { what: 'look a key up', value: await medianMs(500, (i) => found.findByDigest(digests[i]!)), ...each },
        {
          what: 'refuse an unknown key',
          value: await medianMs(500, () => found.findByDigest(randomBytes(32))),
          ...each,
        },
        { what: 'list the keys of a project', value: await medianMs(50, (i) => found.list(`prj_${i}`)), ...each },
      ]
    } finally {
      close()
    }
  },
}
