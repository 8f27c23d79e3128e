import { expect } from 'chai'
import { bodyHash, createRequestSignature } from '../../../../service/cluster/forwarding/request-signature.ts'
import { createSigning } from '../../../../service/cluster/signing.ts'

const parts = {
  method: 'POST',
  path: '/v1/music/guilds/1/play?a=b',
  headers: { 'if-match': '"1"' },
  body: '{"query":"night"}',
}
const caller = { keyId: 'key_1', projectId: 'prj_1', plan: 'scale', botId: '1', poolId: null, botIds: ['1'] }
const identity = { address: '192.0.2.7', caller, target: { botId: '1', guildId: '2' } }

describe('the signature of a request between services', () => {
  const clock = { nowMs: 1_000_000 }
  const service = (serviceId: string, key = '5e') =>
    createRequestSignature({ signing: createSigning(key.repeat(32)), serviceId, now: () => clock.nowMs })

  it('tells the receiver who sent the request and what is known of its caller', () => {
    const headers = {
      ...parts.headers,
      ...service('a').sign('b', parts, identity),
      'idempotency-key': 'added on the way',
    }
    const body = { bytes: parts.body.length, hash: bodyHash(parts.body) }
    const told = { from: 'a', identity, headers: parts.headers, body }
    expect(service('b').verify(headers, parts)).to.deep.equal(told)
  })

  it('holds for no other receiver, method, path, header, body or identity, and needs the key', () => {
    const headers = { ...parts.headers, ...service('a').sign('b', parts, identity) }
    const forged = Buffer.from(JSON.stringify({ ...identity, address: '192.0.2.8' })).toString('base64url')
    const refused = { refused: 'signature' }
    expect(service('c').verify(headers, parts)).to.deep.equal(refused)
    expect(service('b', '6f').verify(headers, parts)).to.deep.equal(refused)
    for (const change of [{ method: 'GET' }, { path: '/v1/music/guilds/3/play?a=b' }])
      expect(service('b').verify(headers, { ...parts, ...change })).to.deep.equal(refused)
    expect(service('b').verify({ ...headers, 'bandstand-identity': forged }, parts)).to.deep.equal(refused)
    for (const other of [{ 'if-match': '"2"' }, { 'if-match': undefined }, { 'bandstand-signed': '2 x if-match' }])
      expect(service('b').verify({ ...headers, ...other }, parts)).to.deep.equal(refused)
    expect(service('b').verify({}, parts)).to.deep.equal(refused)
  })

  it('holds once, in whatever order requests arrive', () => {
    const [a, b] = [service('a'), service('b')]
    const all = Array.from({ length: 300 }, () => ({ ...parts.headers, ...a.sign('b', parts, identity) }))
    for (const headers of all.toReversed()) expect(b.verify(headers, parts)).to.have.property('from', 'a')
    for (const headers of all) expect(b.verify(headers, parts)).to.deep.equal({ refused: 'replay' })
  })

  it('holds for half a minute', () => {
    const headers = { ...parts.headers, ...service('a').sign('b', parts, identity) }
    clock.nowMs += 30_001
    expect(service('b').verify(headers, parts)).to.deep.equal({ refused: 'clock' })
    clock.nowMs -= 30_001
  })
})
