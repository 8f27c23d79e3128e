import { sealedFor } from '../people/accounts.ts'
import { durably, type Database } from './open.ts'
import type { Vault } from './vault.ts'

interface SealedColumn {
  readonly table: string
  readonly column: string
  /** What the vault bound the value of a row to. */
  readonly boundTo: (id: string) => string
}

/** Every column that holds what `db/engine/vault.ts` sealed; each is named `sealed_…`, and its table has an `id`. */
export const SEALED: readonly SealedColumn[] = [
  { table: 'bot', column: 'sealed_token', boundTo: (id) => id },
  { table: 'account', column: 'sealed_totp', boundTo: sealedFor },
  { table: 'webhook', column: 'sealed_secret', boundTo: (id) => id },
  { table: 'webhook', column: 'sealed_former', boundTo: (id) => id },
]

/**
 * Seals all secrets of the database with the vault's newest key, all or none.
 * @returns how many.
 * @throws {Fault} when one cannot be opened.
 */
export function resealAll(db: Database, vault: Pick<Vault, 'open' | 'seal'>): number {
  return durably(db, () => SEALED.reduce((count, column) => count + reseal(db, vault, column), 0))
}

/** How many secrets of the database none of the vault's keys opens: a backup of before a change of the key, most likely. */
export function countUnopened(db: Database, vault: Pick<Vault, 'open'>): number {
  return SEALED.reduce((count, { table, column, boundTo }) => {
    const rows = sealedIn(db, { table, column })
    return count + rows.filter(({ id, sealed }) => !opens(vault, boundTo(id), sealed)).length
  }, 0)
}

function opens(vault: Pick<Vault, 'open'>, boundTo: string, sealed: Buffer): boolean {
  try {
    vault.open(boundTo, sealed)
    return true
  } catch {
    return false
  }
}

function sealedIn(
  db: Database,
  { table, column }: Pick<SealedColumn, 'table' | 'column'>,
): readonly { readonly id: string; readonly sealed: Buffer }[] {
  return db
    .prepare<[], { id: string; sealed: Buffer }>(
      `SELECT id, ${column} AS sealed FROM ${table} WHERE ${column} NOT NULL`,
    )
    .all()
}

function reseal(db: Database, vault: Pick<Vault, 'open' | 'seal'>, { table, column, boundTo }: SealedColumn): number {
  const rows = sealedIn(db, { table, column })
  const write = db.prepare(`UPDATE ${table} SET ${column} = ? WHERE id = ?`)
  for (const { id, sealed } of rows) write.run(vault.seal(boundTo(id), vault.open(boundTo(id), sealed)), id)
  return rows.length
}
