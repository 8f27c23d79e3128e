import sql from 'sql-template-tag'
import type { Store } from '../../db/engine/store.ts'

/** A project and its bots, as rows that others refer to. */
export async function insertProject(store: Store, id: string, botIds: readonly string[] = []): Promise<void> {
  await store.run(sql`INSERT INTO project (id, name, plan, created_at_ms) VALUES (${id}, ${id}, 'free', 0)`)
  for (const botId of botIds) await insertBot(store, id, botId)
}

export async function insertBot(store: Store, projectId: string, id: string): Promise<void> {
  await store.run(sql`
    INSERT INTO bot (id, project_id, name, sealed_token, created_at_ms)
    VALUES (${id}, ${projectId}, 'Band', ${Buffer.from('sealed')}, 0)`)
}

export async function removeBot(store: Store, id: string): Promise<void> {
  await store.run(sql`DELETE FROM bot WHERE id = ${id}`)
}
