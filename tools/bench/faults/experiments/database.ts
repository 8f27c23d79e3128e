import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { migrate } from '../../../../db/engine/migrate.ts'
import { experiment } from '../experiment.ts'
import { checkDatabase } from '../invariants.ts'
import { TRACKS } from '../music.ts'
import { areAll, inWords, startProbe } from '../probe.ts'
import { sleep, until, type Service, type Tools } from '../tools.ts'

const METERED = '/v1/tools/binary/encode?text=Hi'
const HELD_MS = 8000
/** A write waits 50 ms on the main thread; the sound has a thread of its own. */
const LONGEST_GAP_MS = 300
const ROOT = join(import.meta.dirname, '..', '..', '..', '..')
const MIGRATIONS = join(ROOT, 'migrations')

const databaseOf = ({ dataDir }: Service) => join(dataDir, 'bandstand.db')

/** Fails unless the service refuses to start with a message that says what to do. */
async function mustRefuse(tools: Tools, service: Service, words: RegExp): Promise<void> {
  const { code, words: said } = await service.startInVain()
  const text = said.replaceAll(/\s+/g, ' ').slice(0, 260)
  tools.must(code === 1 && words.test(said) && !/\n\s+at /.test(said), `code ${code}: ${text}`)
}

/** Starts it from a backup that was made before. */
async function mustComeBack(tools: Tools, service: Service, backup: string): Promise<void> {
  const { code } = await service.admin('restore', backup)
  await service.start()
  const { status } = await service.call('GET', METERED)
  tools.must(code === 0 && status === 200, `after \`restore\` it starts and answers ${status}`)
}

/** A stopped service, and a backup of its database. */
async function stopped(tools: Tools) {
  const service = await tools.service()
  const backup = join(service.dataDir, 'backup.db')
  await service.admin('backup', backup)
  await service.kill('SIGTERM')
  return { service, backup }
}

/** SQLite in trouble. */
export const DATABASE = [
  experiment('8a', {
    title: 'another process holds the write lock of the database for 8 s, under requests and with sound going on',
    passes:
      'no gap in the sound; reads answer 200; a new key is refused; what was queued meanwhile is answered 503 as not saved, and saved after it, and usage is counted',
    limitMs: 120_000,
    async run(tools) {
      const service = await tools.service()
      const ear = await (await tools.discord()).listen()
      await service.music('POST', '/play', { query: TRACKS.noise, channelId: service.channelId })
      const other = tools.own(new Sqlite(databaseOf(service)), (it) => it.close())
      const startMs = performance.now()
      const probe = startProbe(tools, service, { path: METERED })
      other.exec('BEGIN IMMEDIATE')
      await sleep(1000)
      const body = { query: TRACKS.tone, channelId: service.channelId }
      const queued = await service.call('POST', `/v1/music/guilds/${service.guildId}/play`, { body })
      const said: string = queued.body.error?.message ?? ''
      tools.must(queued.status === 503 && /is not saved/.test(said), `a track is queued: ${queued.status} ${said}`)
      await sleep(HELD_MS - 1000)
      other.exec('ROLLBACK')
      const report = probe.report()
      const gapMs = ear.longestGapMs(startMs)
      tools.must(gapMs < LONGEST_GAP_MS, `longest gap ${gapMs} ms`)
      tools.must(areAll(report, 200), `metered: ${inWords(report)}`)
      await until('usage was written', () => service.output().includes('usage counts recovered'), 5000)
      await sleep(4000)
      await service.kill('SIGKILL')
      await service.start()
      await until('the player is back', () => ear.firstSince(performance.now() - 500) !== undefined, 15_000)
      const { queue } = await service.music('GET', '/player')
      tools.must(queue.length === 1, `queued while it was locked and still there after kill -9: ${queue.length} of 1`)
    },
  }),
  experiment('8b', {
    title: 'the database file is replaced by garbage',
    passes: 'the start is refused in one sentence that says what to do; a backup brings everything back',
    limitMs: 120_000,
    async run(tools) {
      const { service, backup } = await stopped(tools)
      for (const end of ['-wal', '-shm']) rmSync(databaseOf(service) + end, { force: true })
      writeFileSync(databaseOf(service), Buffer.alloc(64 * 1024, 'garbage'))
      await mustRefuse(tools, service, /corrupt or not an SQLite database.*restore/i)
      await mustComeBack(tools, service, backup)
    },
  }),
  experiment('8c', {
    title: 'bytes of the database are flipped, in its middle',
    passes: 'the start is refused in words, nothing is repaired silently; a backup brings everything back',
    limitMs: 120_000,
    async run(tools) {
      const { service, backup } = await stopped(tools)
      const bytes = readFileSync(databaseOf(service))
      for (let at = 4096 * 3; at < bytes.length; at += 4096) bytes.fill(0xa5, at, at + 64)
      writeFileSync(databaseOf(service), bytes)
      await mustRefuse(tools, service, /is corrupt.*restore/i)
      tools.must(readFileSync(databaseOf(service)).equals(bytes), 'the file was left as it was')
      await mustComeBack(tools, service, backup)
    },
  }),
  experiment('8d', {
    title: 'the database is one of a newer version',
    passes: 'the start is refused in words; without that migration it starts as before',
    limitMs: 120_000,
    async run(tools) {
      const { service } = await stopped(tools)
      const withDatabase = (sql: string) => {
        const db = new Sqlite(databaseOf(service))
        db.exec(sql)
        db.close()
      }
      withDatabase("INSERT INTO migration VALUES (9999, '9999_future.sql', 'x', 0)")
      await mustRefuse(tools, service, /newer than this version.*restore/i)
      withDatabase('DELETE FROM migration WHERE number = 9999')
      await service.start()
      tools.must((await service.call('GET', METERED)).status === 200, 'then it starts')
    },
  }),
  experiment('8e', {
    title: 'each migration fails behind each of its statements, over a database of the version before',
    passes: 'it is undone to the byte of the schema each time, and goes through once it is mended',
    limitMs: 120_000,
    async run(tools) {
      const folder = tools.own(mkdtempSync(join(tmpdir(), 'bandstand-migrations-')), (it) =>
        rmSync(it, { recursive: true, force: true }),
      )
      const names = readdirSync(MIGRATIONS).toSorted()
      let [failures, wrong] = [0, 0]
      for (const [i, name] of names.entries()) {
        const sql = readFileSync(join(MIGRATIONS, name), 'utf8')
        const statements = statementsOf(sql)
        const place = join(folder, String(i))
        mkdirSync(place)
        for (const before of names.slice(0, i)) copyFileSync(join(MIGRATIONS, before), join(place, before))
        for (let after = 0; after <= statements.length; after++) {
          const db = new Sqlite(':memory:')
          migrate(db, place)
          const was = schemaOf(db)
          const broken = join(folder, `${i}-${after}`)
          cpSync(place, broken, { recursive: true })
          const failing = [...statements.slice(0, after), 'SELECT * FROM nowhere;', ...statements.slice(after)]
          writeFileSync(join(broken, name), failing.join('\n'))
          const isRefused = isThrown(() => migrate(db, broken))
          failures++
          if (!isRefused || schemaOf(db) !== was) wrong++
          migrate(db, MIGRATIONS)
          db.close()
        }
      }
      tools.must(
        wrong === 0 && failures > names.length,
        `${failures} failures in ${names.length} migrations, ${wrong} left something behind`,
      )
    },
  }),
  experiment('18', {
    title: 'a second service is started on the same DATA_DIR while the first one plays',
    passes: 'the second ends with code 1 and words that name the first; the first plays on',
    limitMs: 120_000,
    async run(tools) {
      const service = await tools.service()
      const ear = await (await tools.discord()).listen()
      await service.music('POST', '/play', { query: TRACKS.noise, channelId: service.channelId })
      await until('it plays', () => ear.count > 25, 10_000)
      const startMs = performance.now()
      const env = { ...process.env, DATA_DIR: service.dataDir, SANDBOX: 'off', PORT: '0' }
      const second = promisify(execFile)(process.execPath, ['main.ts'], { cwd: ROOT, env, timeout: 60_000 })
      const { code, stderr: words } = (await second.catch((error: unknown) => error)) as {
        code?: number
        stderr: string
      }
      const isNamed = words.includes(`process ${service.pid}`)
      tools.must(code === 1 && isNamed, `code ${code}: ${words.replaceAll(/\s+/g, ' ').slice(0, 200)}`)
      const gapMs = ear.longestGapMs(startMs)
      tools.must(gapMs < LONGEST_GAP_MS && service.isRunning, `longest gap of the first ${gapMs} ms`)
      tools.must(checkDatabase(service).length === 0, 'the database is whole')
    },
  }),
] as const

/** Splits SQL into statements as SQLite itself does. */
function statementsOf(sql: string): readonly string[] {
  const statements: string[] = []
  let rest = ''
  for (const line of sql.split('\n')) {
    rest += `${line}\n`
    if (!line.trimEnd().endsWith(';') || !isComplete(rest)) continue
    statements.push(rest)
    rest = ''
  }
  return statements
}

/** Triggers have statements in them. */
function isComplete(sql: string): boolean {
  const bare = sql.replaceAll(/--.*$/gm, '').trim()
  return !/^CREATE TRIGGER/i.test(bare) || /END;$/i.test(bare)
}

function schemaOf(db: Sqlite.Database): string {
  return JSON.stringify(db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all())
}

function isThrown(work: () => unknown): boolean {
  try {
    work()
    return false
  } catch {
    return true
  }
}
