import { Fault } from '../../lib/errors.ts'
import { createId } from '../engine/id.ts'
import { atomically, durably, type Database } from '../engine/open.ts'
import { checkedName } from '../projects/projects.ts'
import type { Vault } from '../engine/vault.ts'

/** A person who may sign in to the dashboard. */
export interface Account {
  readonly id: string
  /** What they sign in with; upper and lower case are the same. */
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

export interface CreateAccountInput {
  /** Left out: a new one. */
  readonly id?: string
  readonly name: string
  /** A hash in PHC form; null for accounts that sign in by Discord or links only. */
  readonly password?: string | null
  readonly discordId?: string | null
  readonly isOperator?: boolean
}

export interface AccountChange {
  readonly name?: string
  readonly password?: string
  readonly discordId?: string | null
  readonly language?: string
  readonly theme?: string
}

export interface Accounts {
  /** @throws {Fault} `conflict` when the name or the Discord account is taken. */
  create(input: CreateAccountInput): Account
  /** Whether any account can sign in. */
  hasAnybody(): boolean
  list(): readonly Account[]
  find(id: string): Account | null
  findByName(name: string): Account | null
  findByDiscord(discordId: string): Account | null
  /** The hash of the password, or null if there is none. */
  password(id: string): string | null
  /** The secret of the second factor, or null if it is off. */
  totpSecret(id: string): string | null
  /** Turns the second factor on with this secret, or off with null. Recovery codes of before end. */
  setTotp(id: string, secret: string | null): void
  /** Takes the code of a time step. @returns false when that code, or a later one, was used before. */
  useTotpStep(id: string, step: number): boolean
  /** @throws {Fault} `not_found`, or `conflict` when the name or the Discord account is taken. */
  change(id: string, change: AccountChange): Account
}

interface Row extends Omit<Account, 'hasPassword' | 'hasTotp' | 'isOperator'> {
  readonly hasPassword: 0 | 1
  readonly hasTotp: 0 | 1
  readonly isOperator: 0 | 1
}

const SELECT = `
  SELECT id, name, discord_id AS discordId, password IS NOT NULL AS hasPassword, sealed_totp IS NOT NULL AS hasTotp,
         is_operator AS isOperator, language, theme, created_at_ms AS createdAtMs
    FROM account`

const CHANGE = `
  UPDATE account
     SET name = :name, password = coalesce(:password, password), discord_id = :discordId, language = :language,
         theme = :theme
   WHERE id = :id`

function prepare(db: Database) {
  return {
    insert: db.prepare(`
      INSERT INTO account (id, name, password, discord_id, is_operator, created_at_ms)
      VALUES (:id, :name, :password, :discordId, :isOperator, :createdAtMs)`),
    byId: db.prepare<[string], Row>(`${SELECT} WHERE id = ?`),
    byName: db.prepare<[string], Row>(`${SELECT} WHERE name = ?`),
    byDiscord: db.prepare<[string], Row>(`${SELECT} WHERE discord_id = ?`),
    all: db.prepare<[], Row>(`${SELECT} ORDER BY created_at_ms, name`),
    anybody: db
      .prepare<[], number>('SELECT 1 FROM account WHERE password IS NOT NULL OR discord_id IS NOT NULL LIMIT 1')
      .pluck(),
    password: db.prepare<[string], string | null>('SELECT password FROM account WHERE id = ?').pluck(),
    totp: db.prepare<[string], Buffer | null>('SELECT sealed_totp FROM account WHERE id = ?').pluck(),
    setTotp: db.prepare('UPDATE account SET sealed_totp = ?, totp_step = 0 WHERE id = ?'),
    endCodes: db.prepare('DELETE FROM recovery_code WHERE account_id = ?'),
    useStep: db.prepare('UPDATE account SET totp_step = ? WHERE id = ? AND totp_step < ?'),
    change: db.prepare(CHANGE),
  }
}

export function createAccounts(
  db: Database,
  vault: Pick<Vault, 'seal' | 'open'>,
  now: () => number = Date.now,
): Accounts {
  const { insert, byId, byName, byDiscord, all, anybody, password, totp, useStep, change, ...others } = prepare(db)

  function assertFree(id: string, name: string, discordId: string | null): void {
    const other = byName.get(name)
    if (other && other.id !== id)
      throw new Fault('conflict', `Another account has the name ${name}. Choose another one.`)
    const linked = discordId === null ? undefined : byDiscord.get(discordId)
    if (linked && linked.id !== id) throw new Fault('conflict', 'Another account uses this Discord account.')
  }

  return {
    create({ id = createId('usr'), name: given, password: hash = null, discordId = null, isOperator = false }) {
      const name = checkedName(given)
      durably(db, () => {
        assertFree(id, name, discordId)
        const row = { id, name, password: hash, discordId, createdAtMs: now() }
        insert.run({ ...row, isOperator: isOperator ? 1 : 0 })
      })
      return toAccount(byId.get(id) as Row)
    },
    hasAnybody: () => anybody.get() !== undefined,
    list: () => all.all().map(toAccount),
    find: (id) => found(byId.get(id)),
    findByName: (name) => found(byName.get(name.trim())),
    findByDiscord: (discordId) => found(byDiscord.get(discordId)),
    password: (id) => password.get(id) ?? null,
    totpSecret(id) {
      const sealed = totp.get(id)
      return sealed ? vault.open(sealedFor(id), sealed) : null
    },
    setTotp(id, secret) {
      const sealed = secret === null ? null : vault.seal(sealedFor(id), secret)
      durably(db, () => {
        others.setTotp.run(sealed, id)
        others.endCodes.run(id)
      })
    },
    useTotpStep: (id, step) => atomically(db, () => useStep.run(step, id, step).changes > 0),
    change: (id, input) =>
      durably(db, () => {
        const row = byId.get(id)
        if (!row) throw new Fault('not_found', `There is no account ${id}.`)
        const name = input.name === undefined ? row.name : checkedName(input.name)
        const discordId = input.discordId === undefined ? row.discordId : input.discordId
        assertFree(id, name, discordId)
        const { language = row.language, theme = row.theme } = input
        change.run({ id, name, discordId, language, theme, password: input.password ?? null })
        return toAccount(byId.get(id) as Row)
      }),
  }
}

/** Never the id of a bot, which has digits only: what is sealed for one opens for no other. */
export function sealedFor(id: string): string {
  return `${id}:totp`
}

function found(row: Row | undefined): Account | null {
  return row ? toAccount(row) : null
}

function toAccount(row: Row): Account {
  return {
    ...row,
    hasPassword: row.hasPassword === 1,
    hasTotp: row.hasTotp === 1,
    isOperator: row.isOperator === 1,
  }
}
