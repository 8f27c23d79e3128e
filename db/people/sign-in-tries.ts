import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Store } from '../engine/store.ts'

/** Tries to sign in, by what they have in common, such as an address. */
interface SignInTry {
  readonly count: number
  /** Until then the next one waits. */
  readonly untilMs: number
}

export type SignInTries = ReturnType<typeof createSignInTries>

const FORGOTTEN_AFTER_MS = 60 * 60_000
const UNKNOWN: SignInTry = { count: 0, untilMs: 0 }

export function createSignInTries(store: Store, now: () => number = Date.now) {
  const find = async (digest: Buffer) =>
    (await store.find<SignInTry>(
      sql`SELECT count, until_ms AS "untilMs" FROM sign_in_try
           WHERE digest = ${digest} AND until_ms > ${now() - FORGOTTEN_AFTER_MS}`,
    )) ?? UNKNOWN

  return {
    /** Changes several at once: `change` gets what is known of each (0 tries where nothing is), null leaves it. */
    async update(names: readonly string[], change: (known: readonly SignInTry[]) => readonly SignInTry[] | null) {
      const digests = names.map((name) => createHash('sha256').update(name).digest())
      await store.atomically(async () => {
        const known: SignInTry[] = []
        for (const digest of digests) known.push(await find(digest))
        const changed = change(known)
        if (!changed) return
        await store.run(sql`DELETE FROM sign_in_try WHERE until_ms <= ${now() - FORGOTTEN_AFTER_MS}`)
        for (const [at, { count, untilMs }] of changed.entries()) {
          await store.run(sql`
            INSERT INTO sign_in_try (digest, count, until_ms) VALUES (${digests[at]}, ${count}, ${untilMs})
            ON CONFLICT (digest) DO UPDATE SET count = excluded.count, until_ms = excluded.until_ms`)
        }
      })
    },
  }
}
