import { expect } from 'chai'
import { Writable } from 'node:stream'
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
  return { name, sourceName: name, claims: () => false, resolve: refuse, open: refuse, search, close: () => undefined }
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
    this.timeout(6000)
    const hanging = source('slow', () => new Promise(() => undefined))
    expect((await ask([hanging, knowing('two', 'a')])).map(({ source: by }) => by)).to.deep.equal(['two'])
    expect(lines).to.include('"source":"slow"')
  })

  it('tells the failure when nobody found anything and not everybody could be asked', async () => {
    expect((await faultOf(ask([knowing('one'), failing('two', down)]))).message).to.equal('The place is down.')
    expect(await ask([knowing('one'), knowing('two')])).to.deep.equal([])
  })
})
