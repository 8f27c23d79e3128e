import { join } from 'node:path'
import Sqlite, { type Database, type Statement } from 'better-sqlite3'
import { createLru, type LRUCache } from '../../../lib/sharing/lru.ts'
import { serveTasks, threadData } from '../../../lib/workers/serve-tasks.ts'

export interface ReaderThreadData {
  readonly dataDir: string
}

export interface ReaderQuery {
  readonly text: string
  readonly values: readonly unknown[]
}

/** Null if the file cannot be opened now. */
export type ReaderRows = readonly unknown[] | null

interface OpenFile {
  readonly db: Database
  readonly statements: LRUCache<string, Statement>
}

const BUSY_MS = 1000
const MAX_STATEMENTS = 100

const { dataDir } = threadData() as ReaderThreadData
let open: OpenFile | null = null

function openFile(): OpenFile | null {
  try {
    const db = new Sqlite(join(dataDir, 'bandstand.db'), { readonly: true, fileMustExist: true, timeout: BUSY_MS })
    // Opening alone reads nothing.
    db.pragma('schema_version')
    return { db, statements: createLru(MAX_STATEMENTS) }
  } catch {
    return null
  }
}

function prepare({ db, statements }: OpenFile, text: string): Statement {
  let statement = statements.get(text)
  if (!statement) statements.set(text, (statement = db.prepare(text)))
  return statement
}

serveTasks<ReaderQuery, ReaderRows>(({ text, values }) => {
  open ??= openFile()
  return open && prepare(open, text).all(...values)
})
