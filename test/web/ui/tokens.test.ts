import { expect } from 'chai'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../../lib/installation.ts'

const TOKENS = 'web/ui/assets/tokens.css'
const SANDBOX = 'packages/sandbox/page/css'
const SHARED = globSync('web/ui/assets/*.{css,js}', { cwd: ROOT })
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const named = (text: string, pattern: RegExp) => new Set([...text.matchAll(pattern)].map(([, name]) => name))

describe('The tokens of pages', () => {
  it('are the same in the sandbox, which is a package of its own', () => {
    expect(read(`${SANDBOX}/tokens.css`)).to.equal(read(TOKENS))
  })

  it('define every variable that a stylesheet uses', () => {
    for (const folder of ['web/dashboard/assets', 'web/player/assets', 'api/docs/assets', SANDBOX]) {
      const files = [...SHARED, ...globSync(`${folder}/**/*.{css,js}`, { cwd: ROOT })]
      const text = files.map(read).join('\n')
      const unknown = named(text, /var\((--[\w-]+)\)/g).difference(named(text, /(--[\w-]+)['"]?[:,] /g))
      expect([...unknown], folder).to.deep.equal([])
    }
  })

  it('stand in one place: no other stylesheet names a colour', () => {
    const styles = globSync(['{api,web}/**/*.css', `${SANDBOX}/*.css`], { cwd: ROOT })
    const others = styles.filter((path) => !path.endsWith('/tokens.css'))
    expect(others.filter((path) => /--[\w-]+: (?:light-dark|#)/.test(read(path)))).to.deep.equal([])
  })
})
