import { expect } from 'chai'
import { createRequire } from 'node:module'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { loadInTurns } from '../../../lib/process/load-in-turns.ts'

/** Packages whose files write down when they were loaded, and in which turn. */
const FILES: Readonly<Record<string, string>> = {
  'outer/package.json': '{ "main": "./lib/index.js", "dependencies": { "inner": "1" } }',
  'outer/lib/index.js': `const a = require('./a')\nconst inner = require('inner')\nconst late = () => require('./late')\nmodule.exports = { a, inner, late }`,
  'outer/lib/a.js': `var b = require("./b");\nexports.name = 'a of ' + b.name`,
  // These two need each other, and the first must be begun first.
  'outer/lib/b.js': `exports.name = 'b'\nconst c = require('./c')\nexports.ofC = c.name`,
  'outer/lib/c.js': `const b = require('./b')\nexports.name = 'c of ' + b.name`,
  'outer/lib/late.js': ``,
  'inner/package.json': '{ "main": "./index.js" }',
  'inner/index.js': ``,
}

describe('a package that is loaded in turns', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bandstand-turns-'))
  after(() => rmSync(folder, { recursive: true }))

  it('gives each file a turn after those it needs, and leaves files that need each other in their order', async () => {
    const loaded: [name: string, turn: number][] = []
    let turn = 0
    const scope = globalThis as { noteLoaded?: (name: string) => void }
    scope.noteLoaded = (name) => void loaded.push([name, turn])
    for (const [name, text] of Object.entries(FILES)) {
      const file = join(folder, 'node_modules', name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, name.endsWith('.json') ? text : `${text}\nnoteLoaded('${name}')`)
    }
    const next = (): void => {
      turn++
      immediate = setImmediate(next)
    }
    let immediate = setImmediate(next)
    const from = pathToFileURL(join(folder, 'from.js'))
    try {
      await loadInTurns(from.href, 'outer')
    } finally {
      clearImmediate(immediate)
      delete scope.noteLoaded
    }
    const order = loaded.map(([name]) => name)
    expect(order).to.deep.equal([
      'inner/index.js',
      'outer/lib/c.js',
      'outer/lib/b.js',
      'outer/lib/a.js',
      'outer/lib/index.js',
    ])
    // Only what needs each other shares a turn.
    expect(new Set(loaded.map(([, at]) => at)).size).to.equal(4)
    expect(createRequire(from)('outer').a.name).to.equal('a of b')
    expect(createRequire(from)(join(folder, 'node_modules/outer/lib/b.js')).ofC).to.equal('c of b')
  })

  it('passes over a package that is not there', async () => {
    await loadInTurns(import.meta.url, 'bandstand-has-no-such-package')
  })
})
