import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { tempFolder } from '../bot/audio/folder.ts'

const SETUP = join(import.meta.dirname, '..', '..', 'scripts', 'setup')
const run = (...args: string[]) => execFileSync(process.execPath, args, { encoding: 'utf8', env: {} })

describe('an installation that is read-only', () => {
  const folder = tempFolder()

  it('starts with what npm run strip has made, and has all of its code there', () => {
    cpSync(SETUP, folder.path('scripts/setup'), { recursive: true })
    for (const name of ['lib', 'test']) mkdirSync(folder.path(name))
    writeFileSync(folder.path('lib/word.ts'), "export const WORD: string = 'as written'\n")
    writeFileSync(folder.path('main.ts'), "import { WORD } from './lib/word.ts'\nconsole.log(WORD satisfies string)\n")
    writeFileSync(folder.path('test/left-out.test.ts'), 'export {}\n')
    const stripTypes = folder.path('scripts/setup/strip-types.mjs')

    expect(run(folder.path('scripts/setup/strip-all.mjs'))).to.match(/^2 of 2 files are ready/)
    expect(run('--import', stripTypes, folder.path('main.ts'))).to.equal('as written\n')
    const kept = folder.path('node_modules/.cache/stripped')
    expect(readdirSync(kept)).to.have.length(2)
    for (const name of readdirSync(kept)) {
      const text = readFileSync(join(kept, name), 'utf8')
      writeFileSync(join(kept, name), text.replace('as written', 'as kept'))
    }
    expect(run('--import', stripTypes, folder.path('main.ts'))).to.equal('as kept\n')
  })
})
