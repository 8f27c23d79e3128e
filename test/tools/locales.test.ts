import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/database.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const SANDBOX = join(ROOT, 'packages/sandbox/locales')

describe('the check of texts', () => {
  const folder = temporaryFolder()
  const german = join(folder.path, 'de', 'sandbox.json')
  beforeEach(() => cpSync(SANDBOX, folder.path, { recursive: true }))
  afterEach(() => folder.remove())

  function check(): readonly string[] {
    const program = join(ROOT, 'tools/checks/locales.ts')
    const { status, stderr } = spawnSync(process.execPath, [program, folder.path], { encoding: 'utf8' })
    const lines = stderr.split('\n').filter((line) => line !== '')
    expect(status, stderr).to.equal(lines.length === 0 ? 0 : 1)
    return lines.map((line) => line.replace(`${folder.path}/`, ''))
  }

  function edit(change: (texts: any) => void): void {
    const texts: unknown = JSON.parse(readFileSync(german, 'utf8'))
    change(texts)
    writeFileSync(german, JSON.stringify(texts))
  }

  it('accepts whole languages and empty ones', () => {
    mkdirSync(join(folder.path, 'ja'))
    expect(check()).to.deep.equal([])
    rmSync(german)
    expect(check()).to.deep.equal([])
  })

  it('names keys that are missing or not in English, and files that English does not have', () => {
    edit((texts) => {
      delete texts.listen.volume
      texts.faults.delay.pop()
      texts.hello = 'Hallo'
    })
    writeFileSync(join(folder.path, 'de', 'songs.json'), '{}')
    expect(check()).to.deep.equal([
      'de/songs.json: English has no such file.',
      'de/sandbox.json: "listen.volume" is missing.',
      'de/sandbox.json: "faults.delay.1" is missing.',
      'de/sandbox.json: "hello" is not in English.',
    ])
  })

  it('asks for the plural forms of each language', () => {
    cpSync(join(SANDBOX, 'en'), join(folder.path, 'pl'), { recursive: true })
    cpSync(join(SANDBOX, 'en'), join(folder.path, 'fr'), { recursive: true })
    const active = check().filter((line) => line.includes('"active"'))
    expect(active).to.deep.equal([
      'pl/sandbox.json: "active" lacks the form "_few".',
      'pl/sandbox.json: "active" lacks the form "_many".',
    ])
  })

  it('names other gaps, and plural forms that are missing or not of the language', () => {
    edit((texts) => {
      texts.join = '{{kanal}} beitreten'
      delete texts.active_one
      texts.typing_few = texts.typing_other
    })
    expect(check()).to.deep.equal([
      'de/sandbox.json: "join" has a gap {{kanal}} of its own.',
      'de/sandbox.json: "join" lacks the gap {{channel}} of the English text.',
      'de/sandbox.json: "typing" has a form "_few" that the language does not use.',
      'de/sandbox.json: "active" lacks the form "_one".',
    ])
  })

  it('names plain spaces at which a line would end before a sign', () => {
    for (const [language, ok, broken] of [
      ['fr', '50\u202F%\u00A0: «\u00A0Paroles\u00A0»\u202F!', 'Volume : 50'],
      ['es-ES', '50\u00A0%: ¡bien!', '50 %'],
      ['ja', '50%', '50\u00A0%'],
    ] as const) {
      const file = join(folder.path, language, 'sandbox.json')
      const texts: any = JSON.parse(readFileSync(join(SANDBOX, 'en/sandbox.json'), 'utf8'))
      Object.assign(texts.listen, { volume: ok, stop: broken })
      mkdirSync(join(folder.path, language))
      writeFileSync(file, JSON.stringify(texts))
    }
    const named = check().filter((line) => line.includes('space'))
    expect(named).to.deep.equal(
      ['es-ES', 'fr', 'ja'].map(
        (language) => `${language}/sandbox.json: "listen.stop" has a plain space where a no-break one or none belongs.`,
      ),
    )
  })
})
