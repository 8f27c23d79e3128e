import { expect } from 'chai'
import { createShardLeases } from '../../db/shard-leases.ts'
import { describeOnEachEngine } from '../support/stores.ts'

const LIFE_MS = 3000

const claims = (token: number) => ['1:2:0', '1:2:1'].map((key) => ({ key, token }))

describeOnEachEngine('leases of shards in the database', (opened) => {
  let nowMs = 1_900_000_000_000
  const open = (serviceId: string) => createShardLeases(opened.store, { serviceId, lifeMs: LIFE_MS, now: () => nowMs })

  it('are claimed by one service, until it does not renew them for their life', async () => {
    const [a, b] = [open('a'), open('b')]
    expect([...(await a.claim(claims(1)))].toSorted()).to.deep.equal(['1:2:0', '1:2:1'])
    expect([...(await b.claim(claims(2)))]).to.deep.equal([])
    nowMs += LIFE_MS - 1
    expect([...(await a.renew(claims(1).slice(0, 1), 0)).kept]).to.deep.equal(['1:2:0'])
    nowMs += 1
    expect([...(await b.claim(claims(2)))], 'the one that was not renewed').to.deep.equal(['1:2:1'])
    expect([...(await a.renew(claims(1), 0)).kept]).to.deep.equal(['1:2:0'])
  })

  it('are free as soon as they are released, and claimed with larger tokens only', async () => {
    const [a, b] = [open('a'), open('b')]
    await a.claim(claims(5))
    await a.release({ key: '1:2:0', token: 4 })
    expect([...(await b.claim(claims(6)))], 'released with another token').to.deep.equal([])
    for (const claim of claims(5)) await a.release(claim)
    expect((await b.find(['1:2:0', '1:2:9'])).get('1:2:0')).to.deep.equal({
      token: 5,
      othersForMs: 0,
      endedForMs: null,
    })
    expect([...(await b.claim(claims(5)))]).to.deep.equal([])
    expect((await b.claim(claims(6))).size).to.equal(2)
    expect((await a.find(['1:2:0'])).get('1:2:0')).to.deep.equal({ token: 6, othersForMs: LIFE_MS, endedForMs: null })
  })

  it('say how long ago another service lost them, and not of those that it gave up or that are its own', async () => {
    const [a, b] = [open('a'), open('b')]
    await a.claim(claims(20))
    await a.release({ key: '1:2:0', token: 20 })
    nowMs += LIFE_MS + 700
    const endedForMs = async (by: typeof a) =>
      Object.fromEntries(Array.from(await by.find(['1:2:0', '1:2:1']), ([key, one]) => [key, one.endedForMs]))
    expect(await endedForMs(b)).to.deep.equal({ '1:2:0': null, '1:2:1': 700 })
    expect(await endedForMs(a)).to.deep.equal({ '1:2:0': null, '1:2:1': null })
  })

  it('say whether another service has reached Redis a moment ago', async () => {
    const [a, b] = [open('a'), open('b')]
    expect((await a.renew([], 0)).doOthersSeeRedis).to.equal(false)
    expect((await b.renew([], 10_000)).doOthersSeeRedis, 'of a').to.equal(true)
    expect((await a.renew([], 0)).doOthersSeeRedis, 'of b').to.equal(false)
    nowMs += 1500
    expect((await b.renew([], 10_000)).doOthersSeeRedis, 'of a, 1.5 s later').to.equal(false)
    await Promise.all([a.leave(), b.leave()])
  })
})
