import { expect } from 'chai'
import { searchPath, versesPath } from '../../support/scripture.ts'
import { startBolls, startHelloAo } from '../../support/upstreams/getbible.ts'
import type { StandIn } from '../../support/upstreams/stand-in.ts'
import { dataOf, refusalOf, startUtilityApi } from '../../support/utilities.ts'
import { upstreamUrls } from '../../../tools/stage/upstream-addresses.ts'

describe('scripture from other sources', () => {
  it('reads from helloao where the operator chose it, whose codes have a case and a stroke', async () => {
    const helloAo: StandIn = await startHelloAo()
    const other = await startUtilityApi({ BIBLE_PROVIDER: 'helloao', ...upstreamUrls({ helloao: helloAo.url }) })
    expect(await dataOf(other.call('GET', '/v1/bible/translations'))).to.deep.equal([
      { code: 'BSB', language: 'English', name: 'Berean Standard Bible', description: 'Berean Standard Bible' },
      { code: 'eng_kjv', language: 'English', name: 'King James Version', description: 'Old.' },
    ])
    expect(await dataOf(other.call('GET', versesPath('en_bsb', 'John 3:16, Jude 5')))).to.deep.equal([
      { reference: 'John 3:16', text: 'Truly this is the sixteenth.' },
      { reference: 'Jude 1:5', text: 'Text 65.1.5.' },
    ])
    expect((await refusalOf(other.call('GET', versesPath('BSB', 'John 99:1'))))[0]).to.equal(404)
    const { status, body } = await other.call('GET', searchPath('BSB', 'word'))
    expect(status).to.equal(503)
    expect(body.error.message).to.contain('scripture import')
    await other.close()
    await helloAo.close()
  })

  it('reads from bolls.life where the operator chose it, without its tags and numbers', async () => {
    const bolls: StandIn = await startBolls()
    const other = await startUtilityApi({ BIBLE_PROVIDER: 'bolls', ...upstreamUrls({ bolls: bolls.url }) })
    expect(
      (await dataOf(other.call('GET', '/v1/bible/translations'))).map(
        ({ code, language }: { code: string; language: string }) => [code, language],
      ),
    ).to.deep.equal([
      ['YLT', 'English'],
      ['WLC', 'Hebrew'],
    ])
    expect(await dataOf(other.call('GET', versesPath('en_ylt', 'Jude 1:5')))).to.deep.equal([
      { reference: 'Jude 1:5', text: 'Text 65.1.5. more' },
    ])
    expect(await dataOf(other.call('GET', searchPath('YLT', 'truly')))).to.deep.equal([
      { book: 'John', chapter: 3, verse: 16, text: 'Truly so' },
    ])
    expect(await dataOf(other.call('GET', searchPath('YLT', 'is')))).to.deep.equal([])
    expect((await refusalOf(other.call('GET', versesPath('YLT', 'John 99:1'))))[0]).to.equal(404)
    await other.close()
    await bolls.close()
  })
})
