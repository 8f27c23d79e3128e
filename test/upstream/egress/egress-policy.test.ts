import { expect } from 'chai'
import diagnostics from 'node:diagnostics_channel'
import { syncBuiltinESMExports } from 'node:module'
import { createServer } from 'node:net'
import os, { networkInterfaces } from 'node:os'
import { request } from 'undici'
import { Fault } from '../../../lib/errors.ts'
import { isPublicAddress } from '../../../upstream/egress/private-addresses.ts'
import { createEgress } from '../../../upstream/egress/egress-guard.ts'
import type { Lookup } from '../../../upstream/egress/dns.ts'
import { closing } from '../../support/closing.ts'
import { hostileCases, hostileZone } from '../../support/hostile-addresses.ts'
import { faultOf, listen } from '../../support/web.ts'

const HOSTILE = [
  'http://127.0.0.1/',
  'http://localhost/',
  'http://LocalHost./',
  'http://printer/',
  'http://nas.local/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f.0x0.0x0.0x1/',
  'http://0177.0.0.1/',
  'http://①②⑦.⓪.⓪.①/',
  'http://127。0。0。1/',
  'http://%31%32%37.0.0.1/',
  'http://0/',
  'http://[::]/',
  'http://[::1]/',
  'http://[::ffff:10.0.0.1]/',
  'http://[::7f00:1]/',
  'http://[::ffff:0:7f00:1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:db8::1]/',
  'http://[fd00:ec2::254]/',
  'http://[fe80::1]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://168.63.129.16/',
  'http://100.100.100.200/',
  'http://198.18.0.1/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  'http://loop.test/',
  'http://mixed.test/',
  'http://v6map.test/',
  'http://v6nat.test/',
  'http://no-such-name.test/',
  'http://10.1.2.3.nip.io/',
  'https://127.0.0.1/',
  'http://attacker.test:22/',
  'http://attacker.test:25/',
  'http://attacker.test:6379/',
  'http://user:pass@attacker.test/',
  'http://attacker.test@127.0.0.1/',
  'http://127.0.0.1\\@attacker.test/',
  'http://attacker.test/\r\nX: y',
  'file:///etc/passwd',
  'ftp://attacker.test/a.mp3',
  'data:audio/mpeg;base64,AAAA',
  'gopher://attacker.test/',
  '//attacker.test/a.mp3',
  '',
  'nonsense',
  `http://attacker.test/${'a'.repeat(2048)}`,
  `http://attacker.test/${'é'.repeat(2000)}`,
]

const interfaceOf = (address: string) => ({ address }) as os.NetworkInterfaceInfo

describe('what egress lets out', () => {
  const own = closing()
  let dials = 0
  const countDial = () => dials++

  before(() => diagnostics.subscribe('net.client.socket', countDial))
  after(() => diagnostics.unsubscribe('net.client.socket', countDial))
  beforeEach(() => {
    dials = 0
  })

  for (const url of HOSTILE) {
    it(`refuses ${JSON.stringify(url.slice(0, 60))} without opening a socket`, async () => {
      const out = own(createEgress({ allowHosts: [], lookup: hostileZone() }))
      const fault = await faultOf(out.open(url))
      expect(fault.code).to.equal('validation_error')
      expect(fault.reason).to.equal('address_refused')
      expect(dials).to.equal(0)
    })
  }

  it('lets public addresses pass, on the odd ports that internet radio uses', async () => {
    const out = own(createEgress({ allowHosts: [], lookup: hostileZone() }))
    for (const url of [
      'http://attacker.test/ok',
      'https://loop53.attacker.test:443/c',
      'http://93.184.216.34:8000/;stream.mp3',
      'http://[2606:4700::1111]:9000/',
      'http://attacker.test:18443/',
    ]) {
      expect((await out.check(url)).href).to.equal(new URL(url).href)
    }
  })

  it('refuses every blocked address of the table of hostile addresses and passes every allowed one', async () => {
    const out = own(createEgress({ allowHosts: [], lookup: hostileZone() }))
    let checked = 0
    for (const { id, via, target, expect: wanted } of hostileCases()) {
      if (via === 'page') continue
      if (target.includes('.rebind.test')) await out.check(target)
      const outcome = await out.check(target).then(
        () => 'allowed',
        (error: unknown) => (error instanceof Fault && error.code === 'validation_error' ? 'blocked' : String(error)),
      )
      expect(outcome, `${id} ${target}`).to.equal(wanted)
      if (wanted === 'blocked') expect((await faultOf(out.open(target))).code, id).to.equal('validation_error')
      checked++
    }
    expect(checked).to.be.greaterThan(80)
    expect(dials).to.equal(0)
  })

  it('never sends a packet to a private listener, neither by its dispatcher nor after a name changed its mind', async () => {
    let connections = 0
    const canary = () => createServer(() => connections++)
    const { port } = own(await listen(canary()))
    // Some machines have no IPv6; then the refusal alone is looked at.
    const onV6 = await listen(canary(), '::1').then(own, () => ({ port }))
    let answers = 0
    const lookup: Lookup = async () => [{ address: answers++ === 0 ? '93.184.216.34' : '127.0.0.1', family: 4 }]
    const out = own(createEgress({ allowHosts: [], lookup }))
    await out.check(`http://rebinding.test:${port}/`)

    for (const url of [
      `http://rebinding.test:${port}/`,
      `http://127.0.0.1:${port}/`,
      `http://[::1]:${onV6.port}/`,
      `https://[::ffff:127.0.0.1]:${port}/`,
    ]) {
      expect((await faultOf(out.open(url))).code).to.equal('validation_error')
      expect((await faultOf(request(url, { dispatcher: out.dispatcher }))).code).to.equal('validation_error')
    }
    expect([connections, dials]).to.deep.equal([0, 0])
  })

  it("refuses the machine's own addresses", () => {
    for (const { address } of Object.values(networkInterfaces()).flatMap((it) => it ?? [])) {
      expect(isPublicAddress(address)).to.equal(false)
    }
  })

  it("refuses the machine's own addresses where they are public, however they are written or reached", async () => {
    const real = os.networkInterfaces
    os.networkInterfaces = () => ({
      eth0: [interfaceOf('93.184.216.34'), interfaceOf('2606:4700::aa%eth0')],
      tun0: undefined,
    })
    syncBuiltinESMExports()
    try {
      const out = own(createEgress({ allowHosts: [], lookup: hostileZone() }))
      for (const host of ['93.184.216.34', '1572395042', 'attacker.test', '[2606:4700:0:0::00aa]']) {
        const fault = await faultOf(out.open(`http://${host}/`))
        expect(fault.message, host).to.match(/(?:has no|isn't a) public address/)
      }
      expect((await out.check('http://93.184.216.35/')).host).to.equal('93.184.216.35')
      expect((await out.check('http://[2606:4700::ab]/')).host).to.equal('[2606:4700::ab]')
      expect(dials).to.equal(0)
    } finally {
      os.networkInterfaces = real
      syncBuiltinESMExports()
    }
  })
})
