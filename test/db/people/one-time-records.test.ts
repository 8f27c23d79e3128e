import { expect } from 'chai'
import { createOneTimeTokens, type OneTimeTokens } from '../../../web/http/one-time-tokens.ts'
import { createThrottle, type Throttle } from '../../../web/dashboard/auth/sign-in-throttle.ts'
import { createVault } from '../../../db/engine/vault.ts'
import { createOneTimeRecords } from '../../../db/people/one-time-records.ts'
import { createSignInTries } from '../../../db/people/sign-in-tries.ts'
import { describeOnEachEngine } from '../../support/stores.ts'
import { faultOf } from '../../support/web.ts'

const MINUTE_MS = 60_000

describeOnEachEngine('what two services know between two pages of a browser', (opened) => {
  const clock = { nowMs: 1_000_000_000 }
  const now = () => clock.nowMs
  let services: readonly [OneTimeTokens, OneTimeTokens]
  let throttles: readonly [Throttle, Throttle]
  beforeEach(() => {
    const vault = createVault({ tokenKey: '07'.repeat(32), dataDir: '' })
    const [records, tries] = [createOneTimeRecords(opened.store, vault, now), createSignInTries(opened.store, now)]
    services = [createOneTimeTokens(records, now), createOneTimeTokens(records, now)]
    throttles = [createThrottle(tries, now), createThrottle(tries, now)]
  })

  it('is a secret that either of them shows, once, to its holder alone', async () => {
    const [one, other] = services
    const id = await one.issue('shown', 'session', { of: 'key', secret: 'sealed' })
    expect(await other.take('shown', 'another session', id)).to.equal(null)
    expect(await other.take('shown', 'session', id)).to.deep.equal({ of: 'key', secret: 'sealed' })
    expect(await one.take('shown', 'session', id)).to.equal(null)
  })

  it('is no more than a bound allows, until what is there has ended', async () => {
    const records = createOneTimeRecords(opened.store, createVault({ tokenKey: '07'.repeat(32), dataDir: '' }), now)
    const add = (name: string) => records.set(name, {}, now() + MINUTE_MS, 2)
    clock.nowMs += 100 * MINUTE_MS
    for (const name of ['one', 'two']) await add(name)
    expect((await faultOf(add('three'))).code).to.equal('service_unavailable')
    clock.nowMs += MINUTE_MS
    await add('three')
    expect(await records.find('three')).to.deep.equal({})
  })

  it('shares what is begun by who begins it', async () => {
    const [one] = services
    const begin = (sharer: string) => one.issueShared('listen', 'browser', { verifier: 'v', guildId: '1' }, sharer)
    for (let at = 0; at < 20; at += 1) await begin('203.0.113.1')
    const refused = await faultOf(begin('203.0.113.1'))
    expect([refused.code, refused.retryAfterMs]).to.deep.equal(['rate_limited', 10_000])
    const id = await begin('203.0.113.2')
    expect(await services[1].take('listen', 'browser', id)).to.deep.equal({ verifier: 'v', guildId: '1' })
  })

  it('ends after ten minutes', async () => {
    const id = await services[0].issue('totp', 'session', { secret: 'a' })
    clock.nowMs += 10 * MINUTE_MS
    expect(await services[1].peek('totp', 'session', id)).to.equal(null)
  })

  it('is a form that is processed once, though each of them gets it, and again where that failed', async () => {
    const [one, other] = services
    const id = await one.issue('once', 'session', { to: '' })
    let works = 0
    const fails = one.redirectOnce('session', id, () => Promise.reject(new Error('full')))
    expect(await fails.catch(String)).to.equal('Error: full')
    const work = async () => `/made/${++works}`
    const both = await Promise.all([one.redirectOnce('session', id, work), other.redirectOnce('session', id, work)])
    expect(both).to.deep.equal(['/made/1', '/made/1'])
    expect(works).to.equal(1)
  })

  it('is how often a password was guessed', async () => {
    for (let at = 0; at < 5; at += 1) expect(await throttles[at % 2]?.attempt('mara', '203.0.113.9')).to.equal(0)
    expect(await throttles[1].attempt('mara', '203.0.113.9')).to.equal(2000)
    clock.nowMs += 2000
    expect(await throttles[0].attempt('Mara', '203.0.113.9')).to.equal(0)
    await throttles[0].succeeded('mara', '203.0.113.9')
    expect(await throttles[1].attempt('mara', '203.0.113.9')).to.equal(0)
  })
})
