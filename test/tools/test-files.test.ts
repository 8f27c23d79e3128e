import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'

const root = join(import.meta.dirname, '..', '..')
const WAITING = /^test\/bot\/(?:sources|complaints|commands|discord|audio)\//

describe('the files of npm test', () => {
  const files = execFileSync(process.execPath, ['test/support/test-files.mjs'], { cwd: root })
    .toString()
    .trim()
    .split('\n')

  it('are all that hold tests, each once', () => {
    expect(files.toSorted()).to.deep.equal(globSync('test/**/*.test.ts', { cwd: root }).toSorted())
  })

  it('mix those that compute with those that wait until neither is left', () => {
    const places = files.flatMap((file, at) => (WAITING.test(file) ? [at] : []))
    expect(places[0]).to.be.at.most(1)
    for (const [at, place] of places.entries()) expect(place - (places[at - 1] ?? 0)).to.be.at.most(2)
  })
})
