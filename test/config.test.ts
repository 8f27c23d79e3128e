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

  it('is explained in .env.example, variable by variable', () => {
    const example = readFileSync(join(import.meta.dirname, '..', '.env.example'), 'utf8')
    const explained = [...example.matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)].map((match) => match[1])
    expect(explained).to.have.members(VARIABLES)
  })
})
