import { once } from 'node:events'
import { expect } from 'chai'
import * as fc from 'fast-check'
import { WebSocket } from 'ws'
import type { Sandbox } from 'bandstand-sandbox'
import { decodeEtf, encodeEtf, EtfError } from '../gateway/etf.ts'
import { openSandbox } from './stage.ts'

/** `erlpack.pack(…)` of the package erlpack 0.1.4, which Dysnomia and Oceanic use where it is installed. */
const PACKED =
  '8374000000026d000000026f7061086d000000016474000000076d000000086775696c645f69646d00000013313435363037343434333938303830303030316d0000000571756572796d000000006d000000056c696d697461006d0000000970726573656e636573730566616c73656d000000056e6f6e636573036e696c6d00000005726174696f46bff80000000000006d000000036964736c000000046101620000012c62fffffff94641f2a05f200000006a'
const UNPACKED = {
  op: 8,
  d: {
    guild_id: '1456074443980800001',
    query: '',
    limit: 0,
    presences: false,
    nonce: null,
    ratio: -1.5,
    ids: [1, 300, -7, 5_000_000_000],
  },
}

describe('the ETF encoding of the gateway', () => {
  it('reads what erlpack writes', () => {
    expect(decodeEtf(Buffer.from(PACKED, 'hex'))).to.deep.equal(UNPACKED)
  })

  it('reads back what it writes, with IDs as integers of 64 bits', () => {
    const bytes = encodeEtf({ id: '1456074443980800001', content: '1456074443980800001' })
    // A SMALL_BIG of eight bytes, and text.
    expect(bytes.includes(Buffer.from([110, 8, 0]))).to.equal(true)
    expect(decodeEtf(bytes)).to.deep.equal({ id: '1456074443980800001', content: '1456074443980800001' })
    const leaf = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.boolean(),
      fc.constant(null),
      fc.integer(),
      fc.integer({ min: -(2 ** 49), max: 2 ** 49 }),
      fc.double({ noNaN: true }).filter((value) => !Number.isInteger(value)),
    )
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 5 }, leaf, fc.array(tie('value')), fc.dictionary(fc.string(), tie('value'))),
    }))
    fc.assert(
      fc.property(value, (given) => {
        const json = JSON.parse(JSON.stringify(given)) as unknown
        expect(decodeEtf(encodeEtf(json))).to.deep.equal(json)
      }),
      { numRuns: 200, seed: 7 },
    )
  })

  it('writes atoms as Discord does, with a length of 16 bits', () => {
    const bytes = encodeEtf([null, true, false])
    const expected = ['nil', 'true', 'false'].map((name) => `\x64\0${String.fromCharCode(name.length)}${name}`).join('')
    expect(bytes.toString('latin1')).to.equal(`\x83\x6c\0\0\0\x03${expected}\x6a`)
  })

  it('lets broken bytes end in EtfError and nothing else', () => {
    const whole = encodeEtf({ op: 2, d: { token: 'x', shard: [0, 1], presence: { since: null } } })
    const spoilt = fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 0, max: 255 }), fc.nat(whole.length))
    fc.assert(
      fc.property(spoilt, ([at, byte, end]) => {
        const bytes = Buffer.from(whole)
        bytes[at] = byte
        readOrRefuse(bytes.subarray(0, end))
      }),
      { numRuns: 2000, seed: 11 },
    )
    const deep = Buffer.concat([
      Buffer.from([131]),
      ...Array.from({ length: 500 }, () => Buffer.from([104, 1])),
      Buffer.from([106]),
    ])
    expect(() => decodeEtf(deep)).to.throw(EtfError, 'nested too deeply')
  })

  describe('on a socket', () => {
    let sandbox: Sandbox
    before(async () => {
      sandbox = await openSandbox({ demoMember: false })
    })
    after(() => sandbox.close())

    it('logs a bot in, and closes on what is no payload', async () => {
      const socket = new WebSocket(`${sandbox.url.replace('http', 'ws')}/?v=10&encoding=etf`)
      const ready = Promise.withResolvers<any>()
      socket.on('message', (data: Buffer) => {
        const payload = decodeEtf(data) as any
        if (payload.op === 10) {
          const d = { token: sandbox.demo.botToken, intents: 1, properties: {} }
          socket.send(encodeEtf({ op: 2, d }))
        }
        if (payload.t === 'READY') ready.resolve(payload)
      })
      const { d, s } = await ready.promise
      expect([d.user.id, d.v, s]).to.deep.equal([sandbox.demo.applicationId, 10, 1])
      const closed = once(socket, 'close')
      socket.send(Buffer.from('{"op":1,"d":null}'))
      expect((await closed)[0]).to.equal(4002)
    })
  })
})

function readOrRefuse(bytes: Buffer): void {
  try {
    decodeEtf(bytes)
  } catch (error) {
    if (!(error instanceof EtfError)) throw error
  }
}
