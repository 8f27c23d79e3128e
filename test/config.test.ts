import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { readConfig, VARIABLES } from '../config.ts'
import { UPSTREAMS, UPSTREAM_NAMES } from '../upstream/http/addresses.ts'

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

  it('takes other addresses of outside services by name, and leaves the others where they are', () => {
    const config = readConfig({
      UPSTREAM_URLS: 'mojang-api=https://other.example/mojang/, open-meteo=http://10.0.0.2,',
    })
    const { blockGame, weather } = config.utilities
    expect(blockGame.apiUrl).to.equal('https://other.example/mojang')
    expect(blockGame.sessionUrl).to.equal(UPSTREAMS['mojang-session'].url)
    expect(weather.openMeteo.baseUrl).to.equal('http://10.0.0.2')
    expect(weather.openMeteo.geocodingUrl).to.equal(UPSTREAMS['open-meteo-geocoding'].url)
  })

  it('asks the hosts of a key that has hosts of its own, unless their addresses are set', () => {
    const keys = { OPEN_METEO_API_KEY: 'a paid key', DEEPL_API_KEY: 'a free key:fx' }
    const { weather, translation } = readConfig(keys).utilities
    expect(weather.openMeteo).to.include({
      baseUrl: 'https://customer-api.open-meteo.com',
      geocodingUrl: 'https://customer-geocoding-api.open-meteo.com',
    })
    expect(translation.deepL.baseUrl).to.equal('https://api-free.deepl.com')
    const changed = readConfig({ ...keys, UPSTREAM_URLS: 'deepl=http://10.0.0.2,open-meteo=http://10.0.0.3' }).utilities
    expect(changed.translation.deepL.baseUrl).to.equal('http://10.0.0.2')
    expect(changed.weather.openMeteo.baseUrl).to.equal('http://10.0.0.3')
  })

  it('says what is right where an address has no name that is known, a bad URL or a second one', () => {
    for (const [wrong, right] of [
      ['mojang-apy=https://other.example', 'Did you mean mojang-api?'],
      ['https://user:hush@other.example', 'name=URL'],
      ['deepl=ftp://other.example', 'deepl=https://'],
      ['deepl', 'deepl=https://'],
      ['deepl=https://a.example,deepl=https://b.example', 'deepl twice'],
    ] as const) {
      expect(() => readConfig({ UPSTREAM_URLS: wrong }), wrong)
        .to.throw(right)
        .with.property('message')
        .not.includes('hush')
    }
    for (const name of UPSTREAM_NAMES) expect(() => readConfig({ UPSTREAM_URLS: 'x=https://a.example' })).to.throw(name)
  })

  it('takes each address from the setting of its own that it once had, too, and tells how it is written now', () => {
    for (const name of UPSTREAM_NAMES) {
      const address = UPSTREAMS[name]
      if (!('was' in address)) continue
      const { was } = address
      for (const program of ['service', 'node'] as const) {
        const { formerSettings, ...config } = readConfig({ [was]: 'https://other.example/' }, program)
        const { formerSettings: none, ...same } = readConfig(
          { UPSTREAM_URLS: `${name}=https://other.example` },
          program,
        )
        expect(config, was).to.deep.equal(same)
        expect(formerSettings).to.deep.equal([{ setting: was, now: `UPSTREAM_URLS=${name}=URL` }])
        expect(none).to.deep.equal([])
      }
      expect(() => readConfig({ [was]: 'other.example' })).to.throw(was)
      expect(readConfig({ [was]: '' })).to.deep.equal(readConfig({}))
    }
    const both = readConfig({ DEEPL_BASE_URL: 'https://old.example', UPSTREAM_URLS: 'deepl=https://new.example' })
    expect(JSON.stringify(both.utilities)).to.include('https://new.example').and.not.include('https://old.example')
  })

  it('names settings that have no effect any more, with what to do instead', () => {
    const { retired, misspelled } = readConfig({ YOUTUBE_PO_TOKEN: 'once-a-token' })
    expect(retired.map(({ setting }) => setting)).to.deep.equal(['YOUTUBE_PO_TOKEN'])
    expect(retired[0]?.instead).to.include('YOUTUBE_TOKEN_PROVIDER_URL')
    expect(misspelled).to.deep.equal([])
  })

  it('names variables that mean nothing and are nearly called like one that does', () => {
    const near = { MUSIC_SOURCE: 'library', REDIS_URI: 'x', PORTS: '1', PATH: '/bin', EDITOR_OF_MINE: 'vi' }
    expect(readConfig(near).misspelled).to.deep.equal([
      { setting: 'MUSIC_SOURCE', meant: 'MUSIC_SOURCES' },
      { setting: 'REDIS_URI', meant: 'REDIS_URL' },
    ])
  })

  it('is explained in .env.example, variable by variable and address by address', () => {
    const example = readFileSync(join(import.meta.dirname, '..', '.env.example'), 'utf8')
    const listed = [...example.matchAll(/ ([a-z][a-z-]*)=(http\S+)/g)].map(([, name, url]) => [name, url])
    expect(listed).to.have.deep.members(Object.entries(UPSTREAMS).map(([name, { url }]) => [name, url]))
    const explained = [...example.matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)].map((match) => match[1])
    expect(explained).to.have.members(VARIABLES)
  })
})
