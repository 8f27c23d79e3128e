import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { withProgress } from '../../../service/admin/progress.ts'
import { DEMO_TRACKS, ensureDemoTracks } from '../../../service/demo/demo-tracks.ts'
import { createLog } from '../../../lib/log.ts'
import { admin } from '../../support/admin.ts'
import { temporaryFolder } from '../../support/database.ts'
import { eventually } from '../../support/service.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const SHOW_CURSOR = '\u{1b}[?25h'

/** Runs a program of ours as a person does: `script` gives it a terminal. */
function inTerminal(program: string, env: Readonly<Record<string, string>> = {}) {
  // Replaces the shell, which would report its own end at Ctrl-C.
  const command = `exec ${process.execPath} ${program}`
  const child = spawn('script', ['-qec', command, '/dev/null'], { cwd: ROOT, env: { ...process.env, ...env } })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return { child, output: () => output, ended: once(child, 'close') as Promise<[number | null]> }
}

describe('progress of long work', () => {
  const folder = temporaryFolder()
  const dataDir = join(folder.path, 'data')
  before(() => admin(['project', 'create', 'One'], { dataDir }))
  after(() => folder.remove())

  it('is a bar in a terminal, which goes when the work is done and gives the cursor back', async () => {
    const file = join(mkdtempSync(join(folder.path, 'copy-')), 'monday.db')
    const { output, ended } = inTerminal(`service/admin/main.ts backup ${file}`, { DATA_DIR: dataDir, SANDBOX: 'off' })
    expect((await ended)[0]).to.equal(0)
    const shown = output()
    expect(shown).to.match(/Backing up \[.{24}\] \d+% · \d+\/\d+ pages · \S+ left/)
    const [bar, result] = [shown.lastIndexOf('Backing up ['), shown.indexOf('monday.db')]
    expect(shown.indexOf(SHOW_CURSOR, bar)).to.be.within(bar, result)
    expect(shown.slice(bar, result)).to.include('\u{1b}[0K')
  })

  it('ends at Ctrl-C, with the cursor and a message in place of the bar', async () => {
    const { child, output, ended } = inTerminal('test/support/progress-writer.ts')
    await eventually(output, (shown) => /Working \[.+\] [1-9]\d*%/.test(shown))
    child.stdin.write('\u{3}')
    expect((await ended)[0]).to.equal(1)
    const rest = output().slice(output().lastIndexOf('Working ['))
    expect(rest).to.include(SHOW_CURSOR)
    expect(rest).to.include('error: Cancelled.')
  })

  it('is a line now and then where there is no terminal', async () => {
    const stderr = new PassThrough()
    let nowMs = 0
    const clock = { now: () => nowMs }
    const done = withProgress(
      { stderr },
      { label: 'Importing', unit: 'verses' },
      async (report) => {
        for (nowMs = 0; nowMs <= 12_000; nowMs += 1000) report(nowMs / 100, 120)
        return 'done'
      },
      clock,
    )
    expect(await done).to.equal('done')
    stderr.end()
    expect(await text(stderr)).to.equal('Importing: 50 of 120 verses (41%)\nImporting: 100 of 120 verses (83%)\n')
  })

  it('follows a scan of the library, which says how many files it read', async () => {
    const library = mkdtempSync(join(folder.path, 'music-'))
    const demo = join(folder.path, 'demo')
    await ensureDemoTracks(demo, createLog('silent'))
    const file = DEMO_TRACKS[0]?.file ?? ''
    copyFileSync(join(demo, file), join(library, file))
    const env = { LIBRARY_DIR: library, SANDBOX: 'off' }
    const own = `${library}-data`
    const scan = () => admin(['library', 'scan', '--json'], { dataDir: own, env })
    expect((await scan()).json).to.deep.equal({ folder: library, tracks: 1, read: 1, unreadable: 0 })
    expect((await scan()).json).to.deep.equal({ folder: library, tracks: 1, read: 0, unreadable: 0 })
  })
})
