import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import own from '../../packages/sandbox/package.json' with { type: 'json' }

const ROOT = join(import.meta.dirname, '../..')
const DIST = join(ROOT, 'packages/sandbox/dist')
/** Packages that the examples need beside ours, as a separate project would have them. */
const RUNNERS = ['discord.js', 'mocha', 'vitest']

const EXAMPLES = [
  { runner: 'mocha', args: ['node_modules/mocha/bin/mocha.js', 'mocha.test.mjs'], says: '2 passing' },
  { runner: 'vitest', args: ['node_modules/vitest/vitest.mjs', 'run', 'vitest.test.mjs'], says: '2 passed' },
  { runner: 'node:test', args: ['--test', 'node.test.mjs'], says: 'pass 2' },
]

/** Finds a package's folder: this folder has the versions of the foreign ones. */
function findPackage(name: string): string {
  const from = createRequire(join(import.meta.dirname, 'package.json'))
  const folder = from.resolve
    .paths(name)
    ?.map((path) => join(path, name))
    .find((path) => readable(join(path, 'package.json')))
  if (folder === undefined) throw new Error(`${name} is not installed.`)
  return folder
}

function readable(file: string): boolean {
  try {
    return readFileSync(file).length > 0
  } catch {
    return false
  }
}

describe('the examples of the package, from its tarball in an empty folder', () => {
  let folder: string

  before(() => {
    execFileSync(process.execPath, [join(ROOT, 'packages/sandbox/build.ts')], { stdio: 'pipe' })
    folder = mkdtempSync(join(tmpdir(), 'bandstand-examples-'))
    const pack = ['pack', DIST, '--pack-destination', folder, '--loglevel=error']
    const tarball = execFileSync('npm', pack, { encoding: 'utf8' }).trim().split('\n').at(-1)!
    const installed = join(folder, 'node_modules/bandstand-sandbox')
    mkdirSync(installed, { recursive: true })
    execFileSync('tar', ['-xzf', join(folder, tarball), '--strip-components=1', '-C', installed])
    const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>
    }
    // Only what the package declares: an import of anything else fails, as it would for those who install it.
    for (const name of [...Object.keys(dependencies), ...RUNNERS]) {
      const link = join(folder, 'node_modules', name)
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(findPackage(name), link)
    }
    cpSync(join(installed, 'examples'), folder, { recursive: true })
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  for (const { runner, args, says } of EXAMPLES)
    it(`pass in ${runner}`, () => {
      const { PATH = '' } = process.env
      const run = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env: { PATH, NO_COLOR: '1' } })
      expect(run.status, run.stdout + run.stderr).to.equal(0)
      expect(run.stdout).to.contain(says)
    })

  it('and its command says its version', () => {
    const installed = join(folder, 'node_modules/bandstand-sandbox')
    const { bin } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    const run = spawnSync(join(installed, bin['bandstand-sandbox']), ['--version'], { encoding: 'utf8' })
    expect(run.stdout.trim()).to.equal(own.version)
  })
})
