import { expect } from 'chai'
import { readConfig } from '../../../../config.ts'
import { createNamedKeys } from '../../../../service/lavalink-node/named-keys.ts'

const anywhere = () => undefined

describe('the settings of the audio node', () => {
  it('have the port that clients expect, and no key, above all not the one that Lavalink comes with', async () => {
    const { lavalink } = readConfig({})
    expect(lavalink).to.deep.include({ isOn: true, port: 2333, keys: [], takesServiceKeys: false })
    expect(await createNamedKeys(lavalink.keys).find('youshallnotpass', anywhere)).to.equal(null)
  })

  it('make a tenant of each key, with a ceiling of its own', async () => {
    const env = { LAVALINK_PASSWORD: 'a pass: word', LAVALINK_KEYS: 'shop:7d1c2f0a9b, radio:5e8b44c1d7:20' }
    const { keys } = readConfig(env).lavalink
    expect(keys.map(({ name, players }) => [name, players])).to.deep.equal([
      ['default', null],
      ['shop', null],
      ['radio', 20],
    ])
    const named = createNamedKeys(keys)
    const found = ['a pass: word', '7d1c2f0a9b', '5e8b44c1d7'].map((secret) => named.find(secret, anywhere))
    const tenants = (await Promise.all(found)).map((caller) => caller?.projectId)
    expect(new Set(tenants).size).to.equal(3)
    expect(tenants).not.to.include(undefined)
    expect(await named.find('shop:7d1c2f0a9b', anywhere)).to.equal(null)
  })

  it('refuse keys that are short, malformed or given twice, and never repeat a secret', () => {
    const wrong = ['shop:short', 'shop', ':7d1c2f0a9b', 'shop:7d1c2f0a9b:many', 'a:7d1c2f0a9b,a:8d1c2f0a9b']
    for (const text of [...wrong, 'a:7d1c2f0a9b,b:7d1c2f0a9b', 'default:7d1c2f0a9b']) {
      expect(() => readConfig({ LAVALINK_KEYS: text }), text).to.throw(/LAVALINK_KEYS: (?!.*7d1c2f0a9b)/)
    }
    expect(() => readConfig({ LAVALINK_PASSWORD: 'short' })).to.throw(/LAVALINK_PASSWORD: must have 8/)
  })

  it('count every secret among those that no log line shows', () => {
    const { secrets } = readConfig({ LAVALINK_KEYS: 'shop:7d1c2f0a9b', LAVALINK_PASSWORD: 'a pass: word' })
    expect(secrets).to.include.members(['7d1c2f0a9b', 'a pass: word'])
  })
})
