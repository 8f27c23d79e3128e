import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '..', '..')
const run = promisify(execFile)

describe('the check of regular expressions', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'regexes-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  async function check(code: string): Promise<{ readonly code: number; readonly output: string }> {
    const file = join(folder, 'sample.ts')
    writeFileSync(file, code)
    try {
      const { stdout, stderr } = await run(process.execPath, [join(root, 'tools/checks/regexes.ts'), file])
      return { code: 0, output: stdout + stderr }
    } catch (error) {
      const { code: status, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
      return { code: status, output: stdout + stderr }
    }
  }

  for (const [what, expression] of [
    ['an attribute list', String.raw`/([A-Z0-9-]+)=(?:"([^"]*)"|([^",]*))/g`],
    ['a dash between two names', String.raw`/\s+[-–—]\s+/u`],
    ['a guest in a title', String.raw`/\s*[([]?\b(?:ft|feat|featuring)\b\.?\s+[^()[\]]*[)\]]?/giu`],
    ['the end of an author', String.raw`/(?:\s*VEVO|\s+Official)$/u`],
    ['a constant that is built', String.raw`new RegExp('\\s+$')`],
  ] as const)
    it(`fails on the quadratic expression for ${what}, with its place and an attack`, async () => {
      const { code, output } = await check(`\nexport const found = ${expression}\n`)
      expect(code, output).to.equal(1)
      expect(output).to.include('sample.ts:2').and.to.include(expression).and.to.include('repeat(')
    })

  it('fails on an expression that is built from what is not constant, and on one that cannot be decided', async () => {
    const { code, output } = await check('export const a = (s: string) => new RegExp(s)\nexport const b = /(a+)\\1/\n')
    expect(code).to.equal(1)
    expect(output).to.include('sample.ts:1').and.to.include('not constant')
    expect(output).to.include('sample.ts:2').and.to.include('undecided')
  })

  it('accepts a linear expression, and any other with a reason above it', async () => {
    const { code, output } = await check(
      'export const a = /^a+$/\n// linear: matched against our own constants alone.\nexport const b = /\\s+$/\n',
    )
    expect(code, output).to.equal(0)
  })

  it('fails on a reason that is not needed any more, and takes no bare mark for a reason', async () => {
    expect((await check('// linear: it is so short.\nexport const a = /a/\n')).output).to.include('remove the comment')
    expect((await check('// linear:\nexport const a = /\\s+$/\n')).code).to.equal(1)
  })
})
