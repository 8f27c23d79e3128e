import { createHash, randomBytes } from 'node:crypto'
import { durably, type Database } from '../engine/open.ts'

/** Codes that pass the second factor when the phone is not there, each once. */
export interface RecoveryCodes {
  /** New ones instead of all there were; the only time at which they are seen. */
  make(accountId: string): readonly string[]
  /** However it was typed. @returns false for a code that is wrong or was used. */
  use(accountId: string, code: string): boolean
  /** How many are left. */
  count(accountId: string): number
}

export const RECOVERY_CODES = 10

/** Digits and letters that cannot be mistaken for each other: 5 bits each. */
const SIGNS = '23456789abcdefghijkmnpqrstuvwxyz'
const LENGTH = 16

export function createRecoveryCodes(db: Database): RecoveryCodes {
  const clear = db.prepare('DELETE FROM recovery_code WHERE account_id = ?')
  const insert = db.prepare('INSERT INTO recovery_code (account_id, digest) VALUES (?, ?)')
  const use = db.prepare('DELETE FROM recovery_code WHERE account_id = ? AND digest = ?')
  const count = db.prepare<[string], number>('SELECT count(*) FROM recovery_code WHERE account_id = ?').pluck()

  return {
    make(accountId) {
      const codes = Array.from({ length: RECOVERY_CODES }, newCode)
      durably(db, () => {
        clear.run(accountId)
        for (const code of codes) insert.run(accountId, digestOf(accountId, code))
      })
      return codes
    },
    use: (accountId, code) => durably(db, () => use.run(accountId, digestOf(accountId, code)).changes > 0),
    count: (accountId) => count.get(accountId) ?? 0,
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
