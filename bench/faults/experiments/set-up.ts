import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { experiment } from '../experiment.ts'
import { sleep, type Tools } from '../tools.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
/** Data is no one's business here, and links to the packages are quicker made than copies. */
const LEFT_OUT = new Set(['node_modules', 'data', '.git'])
const KILLED_AFTER_MS = 4000
const READY_WITHIN_MS = 240_000

/** A copy of the project as it is after a good set-up. */
function copyProject(tools: Tools): string {
  const folder = tools.own(mkdtempSync(join(tmpdir(), 'bandstand-copy-')), (it) => rmSync(it, { recursive: true }))
  cpSync(ROOT, folder, { recursive: true, filter: (path) => path === ROOT || !LEFT_OUT.has(basename(path)) })
  for (const packages of ['node_modules', 'client/node_modules']) {
    const [from, to] = [join(ROOT, packages), join(folder, packages)]
    const isLinked = spawnSync('cp', ['-al', from, to]).status === 0
    if (!isLinked) cpSync(from, to, { recursive: true, verbatimSymlinks: true })
  }
  return folder
}

function packagesOf(folder: string): readonly string[] {
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  return Object.entries(packages as Record<string, { optional?: boolean }>)
    .filter(([path, { optional }]) => path.includes('node_modules/') && !optional)
    .map(([path]) => join(folder, path))
}

const missing = (folder: string) => packagesOf(folder).filter((path) => !existsSync(join(path, 'package.json'))).length

/** The set-up in a process group of its own. */
function setUp(folder: string) {
  const child = spawn(process.execPath, ['scripts/install.mjs'], { cwd: folder, detached: true, stdio: 'ignore' })
  return { child, ended: once(child, 'exit') as Promise<[number | null]> }
}

/** What `npm start` does before it starts. */
export const SET_UP = [
  experiment({
    number: '19',
    title: `a fifth of the packages is gone although the set-up was done; the \`npm ci\` that mends it is killed after ${KILLED_AFTER_MS / 1000} s`,
    passes: 'the set-up notices both, and the next one repairs: every package is there, and the program runs',
    limitMs: READY_WITHIN_MS + 60_000,
    async run(tools) {
      const folder = copyProject(tools)
      const intactMs = performance.now()
      const [intact] = await setUp(folder).ended
      tools.must(
        intact === 0,
        `with all there it ends with ${intact} after ${Math.round(performance.now() - intactMs)} ms`,
      )
      for (const [i, path] of packagesOf(folder).entries())
        if (i % 5 === 0) rmSync(path, { recursive: true, force: true })
      const gone = missing(folder)
      const first = setUp(folder)
      await sleep(KILLED_AFTER_MS)
      const isAtWork = first.child.exitCode === null
      if (isAtWork) process.kill(-(first.child.pid ?? 0), 'SIGKILL')
      await first.ended
      tools.must(isAtWork, `${gone} packages gone: it was at work; ${missing(folder)} missing when it was killed`)
      const startMs = performance.now()
      const [code] = await setUp(folder).ended
      const seconds = ((performance.now() - startMs) / 1000).toFixed(0)
      tools.must(
        code === 0 && missing(folder) === 0,
        `the next one: ${code} after ${seconds} s, ${missing(folder)} missing`,
      )
      const node = join(folder, 'node_modules', '.bin', 'node')
      const env = { ...process.env, DATA_DIR: join(folder, 'data-of-the-test') }
      const { status, stderr } = spawnSync(node, ['admin/main.ts', 'project', 'list', '--json'], {
        cwd: folder,
        env,
        encoding: 'utf8',
      })
      tools.must(status === 0, `the admin program ends with ${status} ${stderr.slice(0, 200)}`.trim())
    },
  }),
]
