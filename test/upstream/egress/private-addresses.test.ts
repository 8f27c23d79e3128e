import { expect } from 'chai'
import { isPublicAddress, isPublicName } from '../../../upstream/egress/private-addresses.ts'

const long = (length: number) => `${'a'.repeat(length - 4)}.com`

describe('public addresses and names', () => {
  it('are told from texts that are no address, from zones, and from the edges of IPv6', () => {
    const answers = {
      '93.184.216.34': true,
      '2606:4700::1111': true,
      '2606:4700::1111%eth0': false,
      'example.com': false,
      '': false,
      '168.63.129.15': true,
      '168.63.129.16': false,
      '168.63.129.17': true,
      '1fff::1': false,
      '3fff:ffff::1': true,
      '4000::1': false,
      '8000::1': false,
      'c000::1': false,
    }
    const seen = Object.keys(answers).map((text) => [text, isPublicAddress(text)])
    expect(Object.fromEntries(seen)).to.deep.equal(answers)
  })

  it('are told from names of inside, and from names that are too long', () => {
    const names = ['example.com', long(253), 'lan.com', 'mylan.de', 'home.arpa.com']
    expect(names.filter((name) => !isPublicName(name))).to.deep.equal([])
    const inside = ['localhost', 'home.arpa', 'nas.home.arpa', 'a.local', 'a.lan', 'x.onion', 'a.b.internal', long(254)]
    expect(inside.filter(isPublicName)).to.deep.equal([])
  })
})
