import sql, { raw } from 'sql-template-tag'
import { sealedFor } from '../people/accounts.ts'
import type { Store } from './store.ts'
import type { Vault } from './vault.ts'

interface SealedColumn {
  readonly table: string
  readonly column: string
  /** The context that the vault bound the value of a row to. */
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
export function resealAll(store: Store, vault: Pick<Vault, 'open' | 'seal'>): Promise<number> {
  return store.durably(async () => {
    let count = 0
    for (const column of SEALED) count += await reseal(store, vault, column)
    return count
  })
}

/** Counts the secrets that none of the vault's keys opens, most likely of a backup from before a change of the key. */
export async function countUnopened(store: Store, vault: Pick<Vault, 'open'>): Promise<number> {
  let count = 0
  for (const column of SEALED) {
    const rows = await sealedIn(store, column)
    count += rows.filter(({ id, sealed }) => !opens(vault, column.boundTo(id), sealed)).length
  }
  return count
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
  store: Store,
  { table, column }: SealedColumn,
): Promise<readonly { readonly id: string; readonly sealed: Buffer }[]> {
  return store.all(sql`SELECT id, ${raw(column)} AS sealed FROM ${raw(table)} WHERE ${raw(column)} IS NOT NULL`)
}

async function reseal(store: Store, vault: Pick<Vault, 'open' | 'seal'>, sealed: SealedColumn): Promise<number> {
  const rows = await sealedIn(store, sealed)
  for (const row of rows) {
    const boundTo = sealed.boundTo(row.id)
    const fresh = vault.seal(boundTo, vault.open(boundTo, row.sealed))
    await store.run(sql`UPDATE ${raw(sealed.table)} SET ${raw(sealed.column)} = ${fresh} WHERE id = ${row.id}`)
  }
  return rows.length
}
