import { expect } from 'chai'
import { createStreams } from '../../../web/http/event-streams.ts'
import { createSignInTries } from '../../../db/people/sign-in-tries.ts'
import { temporaryDatabase } from '../../support/database.ts'
import { createThrottle } from '../../../web/dashboard/auth/sign-in-throttle.ts'

describe('the throttle of guesses', () => {
  it('knows one /64 of IPv6 however an address is written, and an IPv4 address that is mapped into IPv6', async () => {
    const database = temporaryDatabase()
    for (const [first, same, other] of [
      ['2001:db8::1', '2001:db8:0:0:a:b:c:d', '2001:db8:0:1::1'],
      ['2001:db8::a:0:0:1', '2001:DB8::2', '2001:db8:1::1'],
      ['203.0.113.9', '::ffff:cb00:7109', '::ffff:203.0.113.10'],
    ] as const) {
      const throttle = createThrottle(
        createSignInTries(database.store, () => 0),
        () => 0,
      )
      // The twentieth guess of an address makes it wait.
      for (let at = 0; at < 20; at++) await throttle.attempt(`name ${at}`, first)
      expect(await throttle.attempt('one more', same), same).to.be.greaterThan(0)
      expect(await throttle.attempt('one more', other), other).to.equal(0)
    }
    database.close()
  })
})

describe('the live pages of one account', () => {
  it('are 50 at most, so that other accounts find room', () => {
    const stopping = new AbortController()
    const streams = createStreams(stopping.signal)
    const opened = Array.from({ length: 51 }, () => streams.open('one'))
    expect(opened.map((stream) => stream !== null)).to.deep.equal([...Array.from({ length: 50 }, () => true), false])
    const two = streams.open('two')
    expect(two).not.to.equal(null)
    stopping.abort()
    expect(streams.open('three')).to.equal(null)
    for (const stream of [...opened, two]) stream?.readable.destroy()
  })
})
