import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Command } from 'commander'
import { backUp } from '../../../db/engine/backup.ts'
import { countUnopened } from '../../../db/engine/reseal.ts'
import { keyFileOf, readKeyFile } from '../../../db/engine/token-keys.ts'
import { openDataDir, openPostgresSide, type OpenSide } from '../../../db/engine/transfer/open.ts'
import { transfer, type MovedContent } from '../../../db/engine/transfer/transfer.ts'
import { Fault } from '../../../lib/errors.ts'
import type { AdminContext, Json } from '../context.ts'
import { table } from '../words.ts'
import { counted } from '../../../lib/text.ts'

interface Options extends Json {
  readonly to: string
  readonly replace?: true
}

interface Move {
  /** The folder of the SQLite database, at whichever end it is. */
  readonly dataDir: string
  readonly url: string
  readonly isToPostgres: boolean
}

const HELP = `
Targets:
  postgres://USER:PASSWORD@HOST/NAME   moves the database in DATA_DIR to this PostgreSQL database
  postgres                             the same, to the one of DATABASE_URL
  sqlite                               moves the database of DATABASE_URL to DATA_DIR
  a folder                             the same, to a new DATA_DIR

Stop all services first. The source isn't changed. The target gets all records in one transaction, or none.`

/** Moves all records between SQLite and PostgreSQL. */
export function migrateCommand(context: AdminContext): Command {
  return new Command('migrate')
    .description('move all records from SQLite to PostgreSQL, or back; stop all services first')
    .requiredOption('--to <target>', 'postgres://… or postgres, sqlite or a folder')
    .option('--replace', 'delete the records that the target has')
    .addHelpText('after', HELP)
    .action(async (options: Options) => {
      const move = readMove(options.to, context)
      await using opened = new AsyncDisposableStack()
      const local = opened.adopt(openDataDir(move.dataDir), (it) => it.close())
      const shared = opened.adopt(await openPostgresSide(move.url), (it) => it.close())
      const [from, to] = move.isToPostgres ? ([local, shared] as const) : ([shared, local] as const)
      const former = move.isToPostgres || !options.replace ? null : await keepFormer(local, move.dataDir)
      const moved = await context.withProgress({ label: 'Copying and checking', unit: 'rows' }, (onProgress, signal) =>
        transfer({ from: from.store, to: to.store, isReplacing: options.replace === true, onProgress, signal }),
      )
      const rows = moved.reduce((sum, { source }) => sum + source.rows, 0)
      const result = { from: from.name, to: to.name, rows, former, tables: moved }
      context.show(options, result, [`from  ${from.name}`, `to    ${to.name}`, '', ...lines(moved, rows)])
      if (former) context.note(`The previous database is ${former}.`)
      for (const note of await nextSteps(context, move, to)) context.note(note)
    })
}

/** @throws {Fault} when an end is missing. */
function readMove(to: string, context: AdminContext): Move {
  const { dataDir, database } = context.config()
  if (/^postgres(?:ql)?:\/\//.test(to)) return { dataDir, url: to, isToPostgres: true }
  if (database.url === null) {
    const advice = 'Set DATABASE_URL to the PostgreSQL database, or use --to postgres://….'
    throw new Fault('validation_error', `DATABASE_URL isn't set. ${advice}`)
  }
  if (to === 'postgres') return { dataDir, url: database.url, isToPostgres: true }
  return { dataDir: to === 'sqlite' ? dataDir : resolve(to), url: database.url, isToPostgres: false }
}

async function keepFormer({ database }: ReturnType<typeof openDataDir>, dataDir: string): Promise<string> {
  const file = join(dataDir, `bandstand.db.before-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`)
  await backUp(database, file)
  return file
}

function lines(moved: readonly MovedContent[], rows: number): readonly string[] {
  const list = moved.map(({ table: name, source, target, replaced }) => [
    name,
    source.rows,
    source.checksum,
    target.rows,
    target.checksum,
    replaced,
  ])
  return [
    ...table(['table', 'rows', 'checksum', 'rows there', 'checksum there', 'deleted there'], list),
    '',
    `${counted(rows, 'row')} moved; all tables are equal.`,
  ]
}

/** The operator's next steps, for the keys and files that are no records. */
async function nextSteps(context: AdminContext, move: Move, to: OpenSide): Promise<readonly string[]> {
  const { tokenKey } = context.config()
  const keys = readKeyFile(move.dataDir) ?? []
  const notes: string[] = []
  if (tokenKey !== null || keys.length > 0) {
    const unread = await countUnopened(to.store, context.vault())
    if (unread === 0) notes.push('TOKEN_KEY or token.key decrypts all secrets.')
    else
      notes.push(
        `${counted(unread, 'secret')} had another key. Add that key to ${keyFileOf(move.dataDir)} as its own line.`,
      )
  }
  if (!move.isToPostgres) return [...notes, 'Next: remove DATABASE_URL, then start one service on this folder.']
  if (tokenKey === null && keys.length > 0)
    notes.push(`Set TOKEN_KEY on all services to the first line of ${keyFileOf(move.dataDir)}.`)
  if (tokenKey === null && keys.length > 1)
    notes.push('token.key has several keys. Run `token-key rotate` after that, before services start elsewhere.')
  return [...notes, ...fileNotes(move.dataDir), 'Next: set DATABASE_URL, then start the services.']
}

const FILES: Readonly<Record<string, string>> = {
  'bandstand.db':
    'keeps the index of the library and imported scripture. Its other records, and the request log until now, are a backup.',
  library: 'is your music. Other machines need a copy of it, or LIBRARY_DIR on a shared disk.',
  tracks: 'is a cache. Each machine has its own.',
  uploads: 'holds attached files of queued tracks, for this machine only.',
}

function fileNotes(dataDir: string): readonly string[] {
  return Object.entries(FILES)
    .filter(([name]) => existsSync(join(dataDir, name)))
    .map(([name, what]) => `${join(dataDir, name)} ${what}`)
}
