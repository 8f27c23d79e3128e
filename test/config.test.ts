import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { readConfig, VARIABLES } from '../config.ts'

describe('the configuration', () => {
  it('needs nothing', () => {
    const config = readConfig({})
    expect(config.api).to.deep.include({ host: '127.0.0.1', port: 8080 })
    expect(config.player).to.deep.include({ idleMs: 300_000, aloneMs: 60_000 })
    expect(config.sandbox.mode).to.equal('auto')
  })

  it('switches every source of music on that needs no key, songs before stations', () => {
    const { sources } = readConfig({}).music
    const all = [
      'library',
      'http',
      'soundcloud',
      'bandcamp',
      'youtube',
      'radio',
      'podcast',
      'spotify',
      'deezer',
      'apple',
    ]
    expect(sources).to.deep.equal(all)
  })

  it('takes an empty variable for one that is not set', () => {
    expect(readConfig({ PORT: '', DISCORD_TOKEN: '' })).to.deep.equal(readConfig({}))
  })

  it('tells every mistake in one message, each with the name of its variable', () => {
    const env = { PORT: 'eighty', TOKEN_KEY: 'short', LOG_LEVEL: 'loud', MUSIC_SOURCES: 'library,cassette' }
    let message = ''
    try {
      readConfig(env)
    } catch (error) {
      message = (error as Error).message
    }
    for (const name of Object.keys(env)) expect(message).to.include(name)
    expect(message).to.include('.env.example')
    expect(message, 'a secret').not.to.include('short')
  })

  it('takes a database of several services only with all that they share, and keeps its password to itself', () => {
    const url = 'postgres://bandstand:long%20password@db.example.org/bandstand'
    const shared = {
      REDIS_URL: 'redis://:another%40one@r.example.org',
      SERVICES_KEY: 'ab'.repeat(32),
      TOKEN_KEY: 'cd'.repeat(32),
    }
    for (const missing of Object.keys(shared)) {
      const env = { ...shared, DATABASE_URL: url, [missing]: '' }
      expect(() => readConfig(env), missing).to.throw(`Needs ${missing}`)
    }
    expect(() => readConfig({ ...shared, DATABASE_URL: 'mysql://db.example.org/x' })).to.throw('DATABASE_URL: Must be')
    const { database, secrets } = readConfig({ ...shared, DATABASE_URL: url })
    expect(database.url).to.equal(url)
    expect(secrets).to.include.members(['long password', 'long%20password', 'another@one', 'another%40one'])
    expect(readConfig({}).database.url).to.equal(null)
  })

  it('is explained in .env.example, variable by variable', () => {
    const example = readFileSync(join(import.meta.dirname, '..', '.env.example'), 'utf8')
    const explained = [...example.matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)].map((match) => match[1])
    expect(explained).to.have.members(VARIABLES)
  })
})
