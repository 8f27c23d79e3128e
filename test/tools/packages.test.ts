import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packagesOfSmall } from '../../tools/setup/packages.mjs'

describe('a small installation', () => {
  const root = join(import.meta.dirname, '..', '..')
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const small: ReadonlySet<string> = packagesOfSmall(packages)

  it('has every package of the service and its stand-in, with their builds for this system', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    for (const name of [...Object.keys(dependencies), 'bandstand-sandbox', '@snazzah/davey', 'selfsigned']) {
      expect(small, name).to.include(`node_modules/${name}`)
    }
    const builds = [...small].filter((path) => /@img\/sharp-.*linux-x64|@napi-rs\/image-linux-x64/.test(path))
    expect(builds).to.have.length.greaterThan(1)
  })

  it('has none that an operator may leave out, nor what only tests need', () => {
    const { optionalDependencies } = packages['']
    expect(Object.keys(optionalDependencies)).to.include('date-holidays')
    for (const name of [...Object.keys(optionalDependencies), 'mocha', 'typescript']) {
      expect(small, name).not.to.include(`node_modules/${name}`)
    }
  })
})
