import { expect } from 'chai'
import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { searchInOrder } from '../../../bot/sources/fallback-search.ts'
import type { Source } from '../../../bot/sources/source.ts'
import { Fault } from '../../../lib/errors.ts'
import { createLog } from '../../../lib/log.ts'
import { trackNamed } from '../../support/stage.ts'
import { faultOf } from '../../support/web.ts'

const { signal } = new AbortController()

const refuse = async () => {
  throw new Error('not asked for')
}

function source(name: string, search: Source['search']): Source {
  return {
    name: name as Source['name'],
    sourceName: name,
    claims: () => false,
    resolve: refuse,
    open: refuse,
    search,
    close: () => undefined,
  }
}

const knowing = (name: string, ...titles: readonly string[]) =>
  source(name, async (_text, limit) => titles.slice(0, limit).map(trackNamed))
const failing = (name: string, error: Error) => source(name, () => Promise.reject(error))
const down = new Fault('service_unavailable', 'The place is down.')

describe('a search in several sources', () => {
  let lines = ''
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines += chunk.toString()
      done()
    },
  })
  const log = createLog('warn', stream)
  const ask = (sources: readonly Source[], limit = 3) => searchInOrder(sources, 'x', { limit, signal, log })

  beforeEach(() => {
    lines = ''
  })

  it('asks them in their order for what is missing, and says who found what', async () => {
    const found = await ask([knowing('one', 'a', 'b'), knowing('two', 'c', 'd', 'e'), failing('three', down)])
    expect(found.map(({ title, source: by }) => `${by} ${title}`)).to.deep.equal(['one a', 'one b', 'two c'])
    expect(lines).to.equal('')
  })

  it('passes over what fails, bugs included, with a line in the log', async () => {
    const found = await ask([failing('one', down), failing('two', new TypeError('bug')), knowing('three', 'a')])
    expect(found.map(({ source: by }) => by)).to.deep.equal(['three'])
    expect(
      lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).source),
    ).to.deep.equal(['one', 'two'])
  })

  it('passes over what hangs', async function () {
    this.timeout(20_000)
    const hanging = source('slow', () => new Promise(() => undefined))
    expect((await ask([hanging, knowing('two', 'a')])).map(({ source: by }) => by)).to.deep.equal(['two'])
    expect(lines).to.include('"source":"slow"')
  })

  it('gives what others have as soon as one has been silent for three seconds, however long it may take', async function () {
    this.timeout(20_000)
    const hanging = { ...source('slow', () => new Promise(() => undefined)), patienceMs: 60_000 }
    const startedAt = performance.now()
    const found = await ask([hanging, knowing('two', 'a', 'b', 'c')])
    expect(found.map(({ source: by }) => by)).to.deep.equal(['two', 'two', 'two'])
    expect(performance.now() - startedAt).to.be.below(12_000)
  })

  it('waits for one that is slow where the others have less than was asked for, and keeps the order', async function () {
    this.timeout(20_000)
    const slow = { ...source('slow', () => sleep(3300, [trackNamed('late')])), patienceMs: 12_000 }
    const found = await ask([slow, knowing('two', 'a')])
    expect(found.map(({ title }) => title)).to.deep.equal(['late', 'a'])
  })

  it('asks those that fail only where the others found nothing', async () => {
    const asked: string[] = []
    const watched = (name: string, ...titles: readonly string[]) =>
      source(name, async () => {
        asked.push(name)
        return titles.map(trackNamed)
      })
    const health = {
      failureOf: (name: string) => (name === 'ill' ? 'refused' : null),
      isDoubtful: () => false,
    } as const
    const search = (sources: readonly Source[]) => searchInOrder(sources, 'x', { limit: 3, signal, log, health })
    expect((await search([watched('ill', 'a'), watched('well', 'b')])).map(({ title }) => title)).to.deep.equal(['b'])
    expect(asked).to.deep.equal(['well'])
    expect((await search([watched('ill', 'a'), watched('well')])).map(({ title }) => title)).to.deep.equal(['a'])
    expect((await search([watched('ill', 'a')])).map(({ title }) => title)).to.deep.equal(['a'])
  })

  it('tells the failure when no one found anything and not everybody could be asked', async () => {
    expect((await faultOf(ask([knowing('one'), failing('two', down)]))).message).to.equal('The place is down.')
    expect(await ask([knowing('one'), knowing('two')])).to.deep.equal([])
  })

  it('names all that could not be asked, and says that they refuse only where all of them do', async () => {
    const refused = new Fault('service_unavailable', 'Quay refuses.', { reason: 'source_refused' })
    const mixed = await faultOf(ask([failing('one', refused), failing('two', new TypeError('bug'))]))
    expect([mixed.code, mixed.reason]).to.deep.equal(['service_unavailable', 'unreachable'])
    expect(mixed.message).to.match(/Quay refuses\. The source two didn't respond/)
    expect((await faultOf(ask([failing('one', refused), failing('two', refused)]))).reason).to.equal('source_refused')
  })
})
