import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import { Fault } from '../../lib/errors.ts'
import type { Store } from '../engine/store.ts'
import type { Vault } from '../engine/vault.ts'

/** Short-lived values by names that are secrets themselves; of the names only digests are kept, and the values are sealed. */
export type OneTimeRecords = ReturnType<typeof createOneTimeRecords>

interface Row {
  readonly value: Buffer
}

export function createOneTimeRecords(store: Store, vault: Vault, now: () => number = Date.now) {
  const read = (name: string, row: Row | undefined): unknown =>
    row === undefined ? null : JSON.parse(vault.open(purposeOf(name), row.value))

  return {
    /** @param most how many there may be before. @throws {Fault} `service_unavailable` where there are more. */
    async set(name: string, value: unknown, untilMs: number, most: number = Infinity) {
      const sealed = vault.seal(purposeOf(name), JSON.stringify(value))
      await store.atomically(async () => {
        await store.run(sql`DELETE FROM one_time_token WHERE until_ms <= ${now()}`)
        if (most < Infinity) await assertRoom(store, most)
        await store.run(sql`
          INSERT INTO one_time_token (digest, value, until_ms) VALUES (${digestOf(name)}, ${sealed}, ${untilMs})
          ON CONFLICT (digest) DO UPDATE SET value = excluded.value, until_ms = excluded.until_ms, taken = 0`)
      })
    },
    /** Null if there is none any more. */
    find: async (name: string): Promise<unknown> =>
      read(
        name,
        await store.find<Row>(
          sql`SELECT value FROM one_time_token WHERE digest = ${digestOf(name)} AND until_ms > ${now()}`,
        ),
      ),
    /** Like `find`, and it is gone: of several that do it at once, one has it. */
    remove: async (name: string): Promise<unknown> =>
      read(
        name,
        await store.find<Row>(
          sql`DELETE FROM one_time_token WHERE digest = ${digestOf(name)} AND until_ms > ${now()} RETURNING value`,
        ),
      ),
    /** @returns whether this call is the one that processes it; the others wait. */
    async take(name: string): Promise<boolean> {
      const taken = await store.find(sql`
        UPDATE one_time_token SET taken = 1
         WHERE digest = ${digestOf(name)} AND taken = 0 AND until_ms > ${now()} RETURNING until_ms`)
      return taken !== undefined
    },
    /** Processing it has failed: another call may take it. */
    untake: async (name: string) =>
      void (await store.run(sql`UPDATE one_time_token SET taken = 0 WHERE digest = ${digestOf(name)}`)),
  }
}

async function assertRoom(store: Store, most: number): Promise<void> {
  const counted = await store.find<{ readonly count: number }>(sql`SELECT count(*) AS count FROM one_time_token`)
  if ((counted?.count ?? 0) < most) return
  throw new Fault('service_unavailable', 'Too many sign-ins are under way. Try again in a few minutes.', {
    retryAfterMs: 60_000,
  })
}

function digestOf(name: string): Buffer {
  return createHash('sha256').update(name).digest()
}

/** The purpose that the vault binds a sealed value to. */
function purposeOf(name: string): string {
  return `one-time ${digestOf(name).toString('hex')}`
}
