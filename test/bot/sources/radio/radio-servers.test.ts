import { expect } from 'chai'
import { createRadioBrowser } from '../../../../bot/sources/radio/radio-browser.ts'
import { closing } from '../../../support/closing.ts'
import { createTestContext, failureOf, type TestContext } from '../../../support/upstreams/context.ts'
import { STATION_ID, startRadioBrowser, type RadioBrowserStandIn } from '../../../support/upstreams/radio-browser.ts'

const askedOf = ({ received }: RadioBrowserStandIn): number => received.length
const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0)

describe('the servers of the radio directory', () => {
  const own = closing()
  let list: RadioBrowserStandIn
  let servers: RadioBrowserStandIn[]
  let context: TestContext

  beforeEach(async () => {
    list = own(await startRadioBrowser())
    servers = [own(await startRadioBrowser()), own(await startRadioBrowser())]
    // Each stands in the list twice: once for each kind of address.
    list.servers = servers.flatMap(({ url }) => [new URL(url).host, new URL(url).host])
    context = own(createTestContext())
  })

  const directory = () =>
    createRadioBrowser(context, { baseUrl: null, listUrl: list.url, timeoutMs: 500, cacheMax: 10 })

  it('are looked up once, and one of them is asked', async () => {
    const radios = directory()
    expect(await radios.search({ name: 'harbour' }, 3)).to.have.length(3)
    expect(await radios.addressOf(STATION_ID)).to.equal('http://radio.example.org:8000/live')
    expect(list.received.map(({ path }) => path)).to.deep.equal(['/json/servers'])
    expect(servers.map(askedOf)).to.have.members([0, 2])
  })

  for (const how of ['hang', 'status 500', 'HTML', 'cut connection'] as const) {
    it(`are asked in turn where one fails, which is then not the first any more: ${how}`, async () => {
      const radios = directory()
      for (const server of servers) {
        for (const each of servers) each.misbehave(each === server ? how : null)
        expect(await radios.search({ name: `harbour ${servers.indexOf(server)}` }, 3)).to.have.length(3)
      }
      const before = servers.map(askedOf)
      expect(await radios.search({ name: 'another' }, 3)).to.have.length(3)
      expect(sum(servers.map(askedOf)), 'one question').to.equal(sum(before) + 1)
    })
  }

  it('say what is wrong where none answers', async () => {
    for (const server of servers) server.misbehave('status 500')
    expect((await failureOf(directory().search({ name: 'harbour' }, 3))).kind).to.equal('broken')
  })

  it('are done without where their list cannot be had: its own name answers as well', async () => {
    list.servers = []
    const radios = directory()
    list.answerAll({ status: 502, text: 'Bad Gateway' })
    expect((await failureOf(radios.search({ name: 'harbour' }, 3))).kind).to.equal('broken')
    list.answerAll(null)
    expect(await radios.search({ name: 'harbour' }, 3)).to.have.length(3)
  })
})
