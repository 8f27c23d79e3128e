import sql, { type Sql } from 'sql-template-tag'
import { Fault } from '../../lib/errors.ts'
import { createId } from '../engine/id.ts'
import type { Store } from '../engine/store.ts'
import { checkedName } from '../projects/projects.ts'
import type { Vault } from '../engine/vault.ts'

/** A person who may sign in to the dashboard. */
export interface Account {
  readonly id: string
  /** Name for signing in; upper and lower case are the same. */
  readonly name: string
  readonly discordId: string | null
  readonly hasPassword: boolean
  readonly hasTotp: boolean
  /** May make projects and set their plans. */
  readonly isOperator: boolean
  /** Null until one was chosen. */
  readonly language: string | null
  readonly theme: string | null
  readonly createdAtMs: number
}

interface CreateAccountInput {
  /** Left out: a new one. */
  readonly id?: string
  readonly name: string
  /** A hash in PHC form; null for accounts that sign in by Discord or links only. */
  readonly password?: string | null
  readonly discordId?: string | null
  readonly isOperator?: boolean
}

interface AccountChange {
  readonly name?: string
  readonly password?: string
  readonly discordId?: string | null
  readonly language?: string
  readonly theme?: string
}

export type Accounts = ReturnType<typeof createAccounts>

/** SQLite has numbers, PostgreSQL truth values where something is compared. */
interface Row extends Omit<Account, 'hasPassword' | 'hasTotp' | 'isOperator'> {
  readonly hasPassword: number | boolean
  readonly hasTotp: number | boolean
  readonly isOperator: number
}

const SELECT = sql`
  SELECT id, name, discord_id AS "discordId", password IS NOT NULL AS "hasPassword",
         sealed_totp IS NOT NULL AS "hasTotp", is_operator AS "isOperator", language, theme,
         created_at_ms AS "createdAtMs"
    FROM account`

export function createAccounts(store: Store, vault: Pick<Vault, 'seal' | 'open'>, now: () => number = Date.now) {
  const readers = readersIn(store)

  async function get(id: string): Promise<Account> {
    const account = await readers.find(id)
    if (!account) throw new Fault('not_found', `There is no account ${id}.`)
    return account
  }

  async function assertFree(id: string, name: string, discordId: string | null): Promise<void> {
    const other = await readers.findByName(name)
    if (other && other.id !== id)
      throw new Fault('conflict', `Another account has the name ${name}. Choose another one.`)
    const linked = discordId === null ? null : await readers.findByDiscord(discordId)
    if (linked && linked.id !== id) throw new Fault('conflict', 'Another account uses this Discord account.')
  }

  return {
    ...readers,
    ...secretsIn(store, vault),
    /** @throws {Fault} `conflict` when the name or the Discord account is taken. */
    create: ({
      id = createId('usr'),
      name: given,
      password = null,
      discordId = null,
      isOperator = false,
    }: CreateAccountInput): Promise<Account> =>
      store.durably(async () => {
        const name = checkedName(given)
        await assertFree(id, name, discordId)
        await store.run(sql`
          INSERT INTO account (id, name, password, discord_id, is_operator, created_at_ms)
          VALUES (${id}, ${name}, ${password}, ${discordId}, ${isOperator ? 1 : 0}, ${now()})`)
        return get(id)
      }),
    /** Ends an account with its sessions, memberships and links. Nothing happens where there is none. */
    remove: (id: string): Promise<void> =>
      store.durably(async () => void (await store.run(sql`DELETE FROM account WHERE id = ${id}`))),
    /** @throws {Fault} `not_found`, or `conflict` when the name or the Discord account is taken. */
    change: (id: string, { password, ...input }: AccountChange): Promise<Account> =>
      store.durably(async () => {
        const before = await get(id)
        const name = input.name === undefined ? before.name : checkedName(input.name)
        const { discordId = before.discordId, language = before.language, theme = before.theme } = input
        await assertFree(id, name, discordId)
        await store.run(sql`
          UPDATE account
             SET name = ${name}, password = coalesce(${password ?? null}, password), discord_id = ${discordId},
                 language = ${language}, theme = ${theme}
           WHERE id = ${id}`)
        return get(id)
      }),
  }
}

function readersIn(store: Store) {
  async function find(where: Sql): Promise<Account | null> {
    const row = await store.find<Row>(sql`${SELECT} WHERE ${where}`)
    return row ? toAccount(row) : null
  }
  return {
    /** Whether any account can sign in. */
    async hasAnybody(): Promise<boolean> {
      const query = sql`SELECT 1 AS found FROM account WHERE password IS NOT NULL OR discord_id IS NOT NULL LIMIT 1`
      return (await store.find(query)) !== undefined
    },
    list: async (): Promise<readonly Account[]> =>
      (await store.all<Row>(sql`${SELECT} ORDER BY created_at_ms, name`)).map(toAccount),
    find: (id: string) => find(sql`id = ${id}`),
    findByName: (name: string) => find(sql`name = ${name.trim()}`),
    findByDiscord: (discordId: string) => find(sql`discord_id = ${discordId}`),
  }
}

function secretsIn(store: Store, vault: Pick<Vault, 'seal' | 'open'>) {
  return {
    /** The hash of the password, or null if there is none. */
    async password(id: string): Promise<string | null> {
      const query = sql`SELECT password FROM account WHERE id = ${id}`
      return (await store.find<{ readonly password: string | null }>(query))?.password ?? null
    },
    /** The secret of the second factor, or null if it is off. */
    async totpSecret(id: string): Promise<string | null> {
      const query = sql`SELECT sealed_totp AS sealed FROM account WHERE id = ${id}`
      const row = await store.find<{ readonly sealed: Buffer | null }>(query)
      return row?.sealed ? vault.open(sealedFor(id), row.sealed) : null
    },
    /** Turns the second factor on with this secret, or off with null. Recovery codes of before end. */
    setTotp: (id: string, secret: string | null): Promise<void> =>
      store.durably(async () => {
        const sealed = secret === null ? null : vault.seal(sealedFor(id), secret)
        await store.run(sql`UPDATE account SET sealed_totp = ${sealed}, totp_step = 0 WHERE id = ${id}`)
        await store.run(sql`DELETE FROM recovery_code WHERE account_id = ${id}`)
      }),
    /** Takes the code of a time step. @returns false when that code, or a later one, was used before. */
    async useTotpStep(id: string, step: number): Promise<boolean> {
      const use = sql`UPDATE account SET totp_step = ${step} WHERE id = ${id} AND totp_step < ${step}`
      return (await store.run(use)) > 0
    },
  }
}

/** Never the id of a bot, which has digits only: what is sealed for one opens for no other. */
export function sealedFor(id: string): string {
  return `${id}:totp`
}

function toAccount(row: Row): Account {
  return {
    ...row,
    hasPassword: Boolean(row.hasPassword),
    hasTotp: Boolean(row.hasTotp),
    isOperator: row.isOperator === 1,
  }
}
