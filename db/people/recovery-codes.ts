import { createHash, randomBytes } from 'node:crypto'
import sql, { join } from 'sql-template-tag'
import type { Store } from '../engine/store.ts'

/** Codes that pass the second factor when the phone is not there, each once. */
export type RecoveryCodes = ReturnType<typeof createRecoveryCodes>

export const RECOVERY_CODES = 10

/** Digits and letters that cannot be mistaken for each other: 5 bits each. */
const SIGNS = '23456789abcdefghijkmnpqrstuvwxyz'
const LENGTH = 16

export function createRecoveryCodes(store: Store) {
  return {
    /** New ones instead of all there were; the only time at which they are seen. */
    async make(accountId: string): Promise<readonly string[]> {
      const codes = Array.from({ length: RECOVERY_CODES }, newCode)
      const rows = codes.map((code) => sql`(${accountId}, ${digestOf(accountId, code)})`)
      await store.durably(async () => {
        await store.run(sql`DELETE FROM recovery_code WHERE account_id = ${accountId}`)
        await store.run(sql`INSERT INTO recovery_code (account_id, digest) VALUES ${join(rows)}`)
      })
      return codes
    },
    /** However it was typed. @returns false for a code that is wrong or was used. */
    async use(accountId: string, code: string): Promise<boolean> {
      const digest = digestOf(accountId, code)
      const remove = sql`DELETE FROM recovery_code WHERE account_id = ${accountId} AND digest = ${digest}`
      return store.durably(async () => (await store.run(remove)) > 0)
    },
    /** Returns the number of unused codes. */
    async count(accountId: string): Promise<number> {
      const counted = sql`SELECT count(*) AS count FROM recovery_code WHERE account_id = ${accountId}`
      return (await store.find<{ readonly count: number }>(counted))?.count ?? 0
    },
  }
}

/** `abcd-2345-efgh-6789`. */
function newCode(): string {
  const signs = [...randomBytes(LENGTH)].map((byte) => SIGNS[byte % SIGNS.length])
  return [0, 4, 8, 12].map((at) => signs.slice(at, at + 4).join('')).join('-')
}

/** One hash is enough: 80 random bits cannot be guessed at any speed. */
function digestOf(accountId: string, code: string): Buffer {
  const plain = code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  return createHash('sha256').update(`${accountId} ${plain}`).digest()
}
