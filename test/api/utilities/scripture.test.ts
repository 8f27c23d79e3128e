import { expect } from 'chai'
import { searchPath, versesPath } from '../../support/scripture.ts'
import { itCopesWithEveryFailure } from '../../support/upstreams/failing.ts'
import { startGetBible, type Bible } from '../../support/upstreams/getbible.ts'
import { dataOf, refusalOf, startUtilityApi, type UtilityApi } from '../../support/utilities.ts'
import { upstreamUrls } from '../../../tools/stage/upstream-addresses.ts'

describe('GET /v1/bible', () => {
  let service: Bible
  let api: UtilityApi
  beforeEach(async () => {
    service = await startGetBible()
    api = await startUtilityApi({
      ...upstreamUrls({ getbible: `${service.url}/v2`, 'getbible-search': `${service.url}/search/v2` }),
      UPSTREAM_TIMEOUT_MS: '1000',
    })
  })
  afterEach(async () => {
    await api.close()
    await service.close()
  })

  const verses = (refs: string, translation = 'kjv') => dataOf(api.call('GET', versesPath(translation, refs)))
  const search = (q: string) => dataOf(api.call('GET', searchPath('kjv', q)))

  describe('/translations', () => {
    it('lists those that may be shared freely, each with a language', async () => {
      const { body, headers } = await api.call('GET', '/v1/bible/translations')
      expect(headers.get('x-ratelimit-class')).to.equal('cheap')
      expect(body).to.deep.equal({
        data: [
          { code: 'kjv', language: 'English', name: 'The kjv Version', description: 'About kjv' },
          { code: 'cuvs', language: 'Simplified Chinese', name: 'The cuvs Version', description: 'The cuvs Version' },
          { code: 'by', language: 'English', name: 'The by Version', description: 'About by' },
        ],
      })
    })

    it('asks once a day, and serves the old list when it cannot be asked', async () => {
      const { data } = (await api.call('GET', '/v1/bible/translations')).body
      service.misbehave('status 500')
      api.clock.nowMs += 86_400_000
      expect(await dataOf(api.call('GET', '/v1/bible/translations'))).to.deep.equal(data)
      expect(service.received).to.have.length(2)
    })

    itCopesWithEveryFailure(it, {
      service: () => service,
      ask: () => api.call('GET', '/v1/bible/translations'),
      status: 503,
      code: 'service_unavailable',
      words: /^The scripture source \(127\.0\.0\.1:\d+\) /,
      wait: () => (api.clock.nowMs += 60_000),
    })
  })

  describe('/{translation}', () => {
    it('takes a code in any case, and a language before it in any of its forms', async () => {
      for (const code of ['kjv', 'KJV', 'en_kjv', 'EN_KJV', 'eng_kjv']) await verses('John 3:16', code)
      for (const code of ['cuvs', 'zh-Hans_cuvs', 'zh_cuvs', 'zho_cuvs']) await verses('John 3:16', code)
    })

    it('answers 404 for an unknown one, one of another language, and one that is not to be shared', async () => {
      for (const code of [
        'xyz',
        'de_kjv',
        'zh-Hant_cuvs',
        '_kjv',
        'kjv_',
        'bought',
        'nd',
        '__proto__',
        'constructor',
        'toString',
        '../kjv',
        '..%2fkjv',
        'k\u0000',
        'x'.repeat(80),
      ]) {
        expect(await refusalOf(api.call('GET', versesPath(code, 'John 3:16'))), code).to.deep.equal([
          404,
          'not_found',
          undefined,
        ])
        expect((await refusalOf(api.call('GET', searchPath(code, 'x'))))[0], code).to.equal(404)
      }
      expect(service.received.map(({ path }) => path)).to.deep.equal(['/v2/translations.json'])
    })
  })

  describe('/{translation}/verses', () => {
    it('answers one result for each reference, in order, doubles kept, the text tidied', async () => {
      expect(await verses('John 3:17, Jude 1:5,John 3:16,John 3:16')).to.deep.equal([
        { reference: 'John 3:17', text: "Don't say Señor, say sir." },
        { reference: 'Jude 1:5', text: 'Text 65.1.5.' },
        { reference: 'John 3:16', text: 'Truly this is the sixteenth.' },
        { reference: 'John 3:16', text: 'Truly this is the sixteenth.' },
      ])
      const chapters = service.received.filter(({ path }) => /\/\d+\/\d+\.json$/.test(path))
      expect(chapters).to.have.length(2)
    })

    it('knows the names, numbers and abbreviations of books in all their forms', async () => {
      const written: Record<string, string> = {
        '1 John 1:2': '1 John 1:2',
        '1John 1:2': '1 John 1:2',
        'I John 1:2': '1 John 1:2',
        'First John 1:2': '1 John 1:2',
        '1st John 1:2': '1 John 1:2',
        '1 Jn. 1:2': '1 John 1:2',
        '1John1:2': '1 John 1:2',
        'Jn 1:2': 'John 1:2',
        'jn 1.2': 'John 1:2',
        'John\u00A01：2': 'John 1:2',
        'Phlm 1:2': 'Philemon 1:2',
        'Jude 5': 'Jude 1:5',
        'Song of Songs 1:2': 'Song of Solomon 1:2',
        'Canticles 1:2': 'Song of Solomon 1:2',
        'Psalm 2:3': 'Psalms 2:3',
        'ps 2:3': 'Psalms 2:3',
        'GEN 1:1a': 'Genesis 1:1',
        'Tobit 1:1': 'Tobit 1:1',
      }
      for (const [refs, reference] of Object.entries(written)) {
        expect((await verses(refs))[0].reference, refs).to.equal(reference)
      }
      const plus = await api.call('GET', '/v1/bible/kjv/verses?refs=John+3%3A16%2CJohn%203:17')
      expect(plus.body.data).to.have.length(2)
    })

    it('takes ranges, also across chapters, to the end of one, and whole chapters', async () => {
      expect(await verses('John 3:16-17')).to.deep.equal([
        { reference: 'John 3:16-17', text: "Truly this is the sixteenth. Don't say Señor, say sir." },
      ])
      const [across, open, whole, two, single] = await verses(
        'Genesis 2:24–3:1, Gen 1:30ff, Ps 1, Psalms 1-2, John 3:16-16',
      )
      expect(across).to.deep.equal({ reference: 'Genesis 2:24-3:1', text: 'Text 1.2.24. Text 1.2.25. Text 1.3.1.' })
      expect(open).to.deep.equal({ reference: 'Genesis 1:30-31', text: 'Text 1.1.30. Text 1.1.31.' })
      expect(whole.reference).to.equal('Psalms 1')
      expect(two).to.include({ reference: 'Psalms 1-2' })
      expect(two.text).to.match(/^Text 19\.1\.1\..*Text 19\.2\.12\.$/)
      expect(single.reference).to.equal('John 3:16')
    })

    it('takes what follows without a book to be in the book before it', async () => {
      const references = async (refs: string, more = '') =>
        ((await dataOf(api.call('GET', versesPath('kjv', refs) + more))) as { reference: string }[]).map(
          ({ reference }) => reference,
        )
      expect(await references('John 3:16,18-19, 21ff; 4:2;1 John 1:2,Ps 1,2')).to.deep.equal([
        'John 3:16',
        'John 3:18-19',
        'John 3:21-36',
        'John 4:2',
        '1 John 1:2',
        'Psalms 1',
        'Psalms 2',
      ])
      expect(await references('Jude 5, 7; 9')).to.deep.equal(['Jude 1:5', 'Jude 1:7', 'Jude 1:9'])
      expect(await references('John 3,16-17,18; 2', '&lang=de')).to.deep.equal(['John 3:16-17', 'John 3:18', 'John 2'])
      const { status, body } = await api.call('GET', versesPath('kjv', 'John 3:16,99'))
      expect([status, body.error.message]).to.deep.equal([404, 'There is no John 3:99 in this translation.'])
    })

    it('knows books by their names in the language of the translation and in that of the reader', async () => {
      const named: readonly (readonly [string, string, string])[] = [
        ['1. Mose 1,1', 'de', 'Genesis 1:1'],
        ['Offb 1,1', 'de', ''],
        ['1.Joh 1,8', 'de-AT', '1 John 1:8'],
        ['Hohelied 1,2', 'de', 'Song of Solomon 1:2'],
        ['Jean 3, 16', 'fr', 'John 3:16'],
        ['Génesis 1:1', 'es', 'Genesis 1:1'],
        ['João 3:16', 'pt-BR', 'John 3:16'],
        ['ヨハネ3章16節', 'ja', 'John 3:16'],
        ['John 3:16', 'de', 'John 3:16'],
      ]
      for (const [refs, lang, reference] of named) {
        const { status, body } = await api.call('GET', `${versesPath('kjv', refs)}&lang=${lang}`)
        // Known as a book which this translation of the test does not have.
        if (reference === '') expect(status, refs).to.equal(404)
        else expect(body.data?.[0]?.reference, refs).to.equal(reference)
      }
      expect((await verses('约翰福音 3:16', 'cuvs'))[0].reference).to.equal('John 3:16')
      expect((await refusalOf(api.call('GET', versesPath('kjv', 'Hohelied 1:2'))))[0]).to.equal(422)
    })

    it('answers 404 that names the reference which does not exist in the translation', async () => {
      for (const reference of [
        'John 99:1',
        'John 3:99',
        'Gen 1:0',
        'John 3:30-40',
        'Acts 8:37',
        'Matthew 1:1',
        'Jude 2:1',
        'Jude 26',
      ]) {
        const { status, body } = await api.call('GET', versesPath('kjv', `John 3:16,${reference}`))
        expect([status, body.error.code], reference).to.deep.equal([404, 'not_found'])
        expect(body.error.message).to.contain(reference)
      }
      expect((await verses('Acts 8:36-38'))[0].text).to.equal('Text 44.8.36. Text 44.8.38.')
    })

    it('answers 422 for what is no reference, and for too many', async () => {
      const bad = [
        '',
        ' ',
        ',',
        'John 3:16,',
        '18',
        'John 3:16,18:',
        'John 3:16,;17',
        'John',
        '3:16',
        'foo 3:16',
        'see John 3:16 there',
        'John 3:18-16',
        'John 4:1-3:2',
        'John 3:16;DROP',
        'Gen 1-30',
        'x'.repeat(101),
        '１：１',
        '😀 1:1',
      ]
      for (const refs of bad) {
        expect(await refusalOf(api.call('GET', versesPath('kjv', refs))), refs).to.deep.equal([
          422,
          'validation_error',
          'query.refs',
        ])
      }
      expect((await refusalOf(api.call('GET', '/v1/bible/kjv/verses')))[0]).to.equal(422)
      expect(
        (await refusalOf(api.call('GET', versesPath('kjv', Array.from({ length: 51 }, () => 'John 3:16').join()))))[0],
      ).to.equal(422)
      expect(
        (await refusalOf(api.call('GET', versesPath('kjv', 'John 1, John 2, John 3, Acts 1, Acts 2, Acts 3'))))[0],
      ).to.equal(422)
    })

    it('answers 503 when a chapter cannot be had, and asks once for a hundred at once', async () => {
      await verses('John 3:16')
      const before = service.received.length
      await Promise.all(Array.from({ length: 100 }, () => verses('John 4:1')))
      await verses('Jn 4:2')
      expect(service.received).to.have.length(before + 1)
      for (const how of ['status 500', 'HTML', 'truncated JSON', 'hang'] as const) {
        service.misbehave(how)
        expect((await refusalOf(api.call('GET', versesPath('kjv', 'John 2:1')))).slice(0, 2)).to.deep.equal([
          503,
          'service_unavailable',
        ])
        expect((await verses('John 3:16'))[0].text).to.contain('sixteenth')
      }
    })
  })

  describe('/{translation}/search', () => {
    it('answers verses with whole numbers and tidy text, and an empty list for no hit', async () => {
      expect(await search('Truly')).to.deep.equal([
        { book: 'John', chapter: 3, verse: 16, text: 'Truly this is the sixteenth.' },
      ])
      expect(await search('nothing like it')).to.deep.equal([])
      expect(await search('"NEAR" * ( Señor')).to.deep.equal([])
    })

    it('gives the verse of a search that is a reference, and nothing for one that does not exist', async () => {
      expect(await search('John 3:17')).to.have.length(1)
      expect(await search('John 99:1')).to.deep.equal([])
    })

    it('answers 422 without words to look for', async () => {
      for (const query of ['', '?q=', '?q=%20%09', `?q=${'x'.repeat(201)}`, '?q=a&q=b']) {
        expect(await refusalOf(api.call('GET', `/v1/bible/kjv/search${query}`)), query).to.deep.equal([
          422,
          'validation_error',
          'query.q',
        ])
      }
    })

    it('answers 503 when the search is busy, and never another translation by a redirect', async () => {
      expect((await refusalOf(api.call('GET', searchPath('kjv', 'busy'))))[0]).to.equal(503)
      api.clock.nowMs += 60_000
      service.next = { status: 301, headers: { location: '/search/v2/other?q=x' } }
      expect((await refusalOf(api.call('GET', searchPath('kjv', 'redirected'))))[0]).to.equal(503)
    })
  })
})
