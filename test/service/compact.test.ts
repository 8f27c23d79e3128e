import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { expect } from 'chai'
import { parseSync } from 'oxc-parser'
import { compact } from '../../scripts/setup/compact.mjs'
import { tempFolder } from '../bot/audio/folder.ts'

const ROOT = join(import.meta.dirname, '..', '..')
const OURS = ['admin', 'api', 'bot', 'cluster', 'dashboard', 'db', 'jobs', 'lavalink', 'lib', 'sandbox', 'service']
OURS.push('telemetry', 'upstream', 'web-player', 'webhooks')
const PACKAGES = ['@discordjs', '@koa', 'discord.js', 'ioredis', 'koa', 'p-queue', 'undici', 'ws', 'zod/v4']

/** What a parser reads: each node and value with its line. `raw` is how a value is written, which may change. */
function programOf(text: string): string {
  const { program, errors } = parseSync('file.js', text, { astType: 'js' })
  const lineOf = linesOf(text)
  const told = JSON.stringify([program, errors], (key, value: unknown) => {
    if (key === 'start') return lineOf(value as number)
    if (key === 'end' || key === 'raw') return undefined
    return typeof value === 'bigint' ? String(value) : value
  })
  // Where a comment or the file ends does not matter.
  return told.replace(/"type":"Program","start":\d+/, '')
}

function linesOf(text: string): (offset: number) => number {
  const ends = Array.from(text.matchAll(/\n/g), ({ index }) => index)
  return (offset) => {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (ends[middle]! < offset) low = middle + 1
      else high = middle
    }
    return low + 1
  }
}

function filesIn(folder: string, name: RegExp): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => name.test(path) && !path.includes('node_modules'))
    .map((path) => join(ROOT, folder, path))
}

function stripped(path: string): string {
  return stripTypeScriptTypes(readFileSync(path, 'utf8'))
}

/** Files that would be another program. */
function changedOf(paths: readonly string[], read: (path: string) => string): string[] {
  return paths.filter((path) => {
    const text = read(path)
    return programOf(compact(text)) !== programOf(text)
  })
}

describe('code without comments', () => {
  const folder = tempFolder()

  it('is the same program in the same lines, for each file of ours', () => {
    const paths = OURS.flatMap((name) => filesIn(name, /(?<!\.d)\.ts$/))
    expect(changedOf(paths, stripped)).to.deep.equal([])
    expect(paths.length).to.be.above(900)
  }).timeout(60_000)

  it('is the same program in the same lines, for packages that take most of the memory', () => {
    const paths = PACKAGES.flatMap((name) => filesIn(`node_modules/${name}`, /\.[cm]?js$/))
    expect(changedOf(paths, (path) => readFileSync(path, 'utf8'))).to.deep.equal([])
    expect(paths.length).to.be.above(500)
  }).timeout(60_000)

  it('is less than two thirds of it, and one byte a character', () => {
    const texts = filesIn('bot', /(?<!\.d)\.ts$/).map(stripped)
    const short = texts.map(compact)
    expect(short.join('').length).to.be.below((texts.join('').length * 2) / 3)
    const wide = short.filter((text) => /[^\0-\xff]/.test(text))
    expect(wide.length).to.be.below(texts.length / 50)
  })

  const same: Readonly<Record<string, readonly [string, string]>> = {
    'comments leave their lines': ['a /* x\n y */ + b // z\n  + c\n', 'a\n+ b\n+ c\n'],
    'what looks like a comment in a string, a template or an expression stays': [
      "x = '// a' + `/* b ${'}' + `//c`} */` + /[/*]\\//.source // d",
      "x='// a' + `/* b ${'}' + `//c`} */` + /[/*]\\//.source",
    ],
    'a slash divides after an operand': ['a = b / c / d; e = i++ / f.in / 2', 'a=b / c / d;e=i++ / f.in / 2'],
    'a slash begins an expression after an operator': ['return /"\\//g.test(a)', 'return /"\\//g.test(a)'],
    'blanks stay where tokens would join': ['typeof  a - -b +  +c', 'typeof a - -b + +c'],
    'escapes stand for what Latin-1 lacks': [
      "'… é \\…' + `→${'😀'}`",
      "'\\u2026 é \\u2026' + `\\u2192${'\\ud83d\\ude00'}`",
    ],
    'a raw template and an expression stay as they are': [
      'String.raw`→\\n${a}→` + /→/u',
      'String.raw`→\\n${a}→` + /→/u',
    ],
  }
  for (const [what, [before, after]] of Object.entries(same)) {
    it(what, () => expect(compact(before).trimEnd()).to.equal(after.trimEnd()))
  }

  it('gives stack traces that name the lines of the files as written, ours and those of packages', () => {
    const setup = join(ROOT, 'scripts', 'setup', 'strip-types.mjs')
    const inner = folder.path('node_modules/inner')
    mkdirSync(inner, { recursive: true })
    writeFileSync(
      join(inner, 'index.js'),
      "/**\n * Fails.\n */\nexports.fail = () => {\n    // It does.\n    throw new Error('…')\n}\n",
    )
    writeFileSync(
      folder.path('main.ts'),
      "import { fail } from 'inner'\n\n/* So\n   it goes. */\ninterface A {\n  a: string\n}\n\nfunction run(_: A): void {\n  fail() // …\n}\nrun({ a: `\n` })\n",
    )
    const failing = () =>
      execFileSync(process.execPath, ['--import', setup, folder.path('main.ts')], {
        encoding: 'utf8',
        stdio: 'pipe',
        env: {},
      })
    // The second start finds what the first has kept.
    for (let start = 0; start < 2; start++) {
      expect(failing).to.throw(
        /Error: …\n\s+at .*inner.index\.js:6:\d+\)?\n\s+at run \(.*main\.ts:10:\d+\)\n\s+at .*main\.ts:12:\d/,
      )
    }
  })
})
