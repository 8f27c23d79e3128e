import { chmodSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createVault } from '../../../db/engine/vault.ts'
import { Fault } from '../../../lib/errors.ts'
import { temporaryFolder } from '../../support/database.ts'

const TOKEN = 'MTE.aaaaaa.secret-token'
const KEY = 'ab'.repeat(32)

describe('vault', () => {
  const folder = temporaryFolder()
  const dataDir = (name: string) => join(folder.path, name)
  const file = (name: string) => join(dataDir(name), 'token.key')
  after(() => folder.remove())

  it('makes its key file once, readable by the owner alone, and reads it ever after', () => {
    const sealed = createVault({ tokenKey: null, dataDir: dataDir('a') }).seal('1', TOKEN)
    expect(statSync(file('a')).mode & 0o777).to.equal(0o600)
    expect(readFileSync(file('a'), 'utf8')).to.match(/^[0-9a-f]{64}\n$/)
    expect(readdirSync(dataDir('a')), 'no draft is left').to.deep.equal(['token.key'])
    expect(createVault({ tokenKey: null, dataDir: dataDir('a') }).open('1', sealed)).to.equal(TOKEN)
  })

  it('seals the same token differently each time', () => {
    const vault = createVault({ tokenKey: KEY, dataDir: dataDir('b') })
    expect(vault.seal('1', TOKEN).equals(vault.seal('1', TOKEN))).to.equal(false)
    expect(vault.seal('1', TOKEN).includes(TOKEN)).to.equal(false)
  })

  it('opens for the bot that it was sealed for only', () => {
    const vault = createVault({ tokenKey: KEY, dataDir: dataDir('b') })
    const sealed = vault.seal('1', TOKEN)
    expect(() => vault.open('2', sealed)).to.throw(Fault, /has changed in the database or belongs to another bot/)
  })

  it('opens nothing in which a single bit was changed', () => {
    const vault = createVault({ tokenKey: KEY, dataDir: dataDir('b') })
    const sealed = vault.seal('1', TOKEN)
    for (let i = 0; i < sealed.length; i++) {
      const changed = Buffer.from(sealed)
      changed[i] = (changed[i] ?? 0) ^ 1
      expect(() => vault.open('1', changed), `byte ${i}`).to.throw(Fault)
    }
    for (let length = 0; length < sealed.length; length++) {
      expect(() => vault.open('1', sealed.subarray(0, length)), `${length} bytes`).to.throw(Fault)
    }
  })

  it('says of a wrong key that it is another key, and names neither secret', () => {
    const sealed = createVault({ tokenKey: KEY, dataDir: dataDir('b') }).seal('1', TOKEN)
    const other = createVault({ tokenKey: 'cd'.repeat(32), dataDir: dataDir('b') })
    expect(() => other.open('1', sealed)).to.throw(Fault, /encrypted with another key \([0-9a-f]{8}\).*bot add/)
  })

  it('still opens what the key file sealed once TOKEN_KEY is set, and seals with TOKEN_KEY', () => {
    const before = createVault({ tokenKey: null, dataDir: dataDir('c') })
    const sealed = before.seal('1', TOKEN)
    const now = createVault({ tokenKey: KEY, dataDir: dataDir('c') })
    expect(now.open('1', sealed)).to.equal(TOKEN)
    expect(now.keyId).not.to.equal(before.keyId)
    expect(() => before.open('1', now.seal('1', TOKEN))).to.throw(Fault)
  })

  it('makes no key file where TOKEN_KEY is set', () => {
    createVault({ tokenKey: KEY, dataDir: dataDir('d') })
    expect(statSync(file('d'), { throwIfNoEntry: false })).to.equal(undefined)
  })

  it('refuses a key file that others may read, or that holds something else', () => {
    mkdirSync(dataDir('e'))
    writeFileSync(file('e'), `${KEY}\n`, { mode: 0o644 })
    expect(() => createVault({ tokenKey: null, dataDir: dataDir('e') })).to.throw(Fault, /chmod 600/)
    chmodSync(file('e'), 0o600)
    expect(createVault({ tokenKey: null, dataDir: dataDir('e') }).keyId).to.match(/^[0-9a-f]{8}$/)
    for (const content of ['', 'not a key', 'ab'.repeat(31)]) {
      writeFileSync(file('e'), content)
      expect(() => createVault({ tokenKey: null, dataDir: dataDir('e') })).to.throw(Fault, /64 hex digits/)
    }
  })
})
