import { expect } from 'chai'
import { startUtilityApi, type UtilityApi } from '../../support/utilities.ts'

describe('the utilities that need no network', () => {
  let api: UtilityApi
  before(async () => {
    api = await startUtilityApi({})
  })
  after(() => api.close())

  const refusal = async (path: string) => {
    const { status, body } = await api.call('GET', path)
    return [status, body.error.code, body.error.details?.map(({ field }: { field: string }) => field).join()]
  }

  describe('GET /v1/translation/detect', () => {
    it('tells the language of a text', async () => {
      const text = encodeURIComponent('Guten Morgen, wie geht es dir heute?')
      const { status, body, headers } = await api.call('GET', `/v1/translation/detect?text=${text}`)
      expect(status).to.equal(200)
      expect(headers.get('x-ratelimit-class')).to.equal('fetch')
      expect(body.success).to.equal(true)
      expect(body.data).to.include({ language: 'de', name: 'German' })
    })

    it('answers und where there are no words, and 422 where there is no text', async () => {
      expect((await api.call('GET', '/v1/translation/detect?text=123')).body.data.language).to.equal('und')
      for (const query of ['', '?text=', `?text=${'x'.repeat(5001)}`, '?text=a&text=b']) {
        expect(await refusal(`/v1/translation/detect${query}`)).to.deep.equal([422, 'validation_error', 'query.text'])
      }
    })

    it('takes the longest text that is allowed, in letters of three bytes', async () => {
      const { body } = await api.call('GET', `/v1/translation/detect?text=${encodeURIComponent('ก'.repeat(5000))}`)
      expect(body.data?.language, JSON.stringify(body)).to.equal('th')
    })
  })

  describe('GET /v1/holidays', () => {
    it('lists countries, and answers 304 to who has the list already', async () => {
      const { status, body, headers } = await api.call('GET', '/v1/holidays/countries')
      expect(status).to.equal(200)
      expect(headers.get('x-ratelimit-class')).to.equal('cheap')
      expect(body.success).to.equal(true)
      const etag = headers.get('etag') ?? ''
      const again = await api.call('GET', '/v1/holidays/countries', { headers: { 'if-none-match': etag } })
      expect(again.status).to.equal(304)
    })

    it('lists the holidays of a country and its state in a year, narrowed and named as wished', async () => {
      const { body } = await api.call('GET', '/v1/holidays/de?year=2026&state=by&lang=fr&type=public')
      expect(body.success).to.equal(true)
      expect(body.data).to.deep.include({
        date: '2026-01-06',
        name: 'l’Épiphanie',
        localName: 'Heilige Drei Könige',
        type: 'public',
        start: '2026-01-05T23:00:00.000Z',
        end: '2026-01-06T23:00:00.000Z',
        states: null,
      })
    })

    it('answers 404 for a country or state that does not exist', async () => {
      for (const path of ['XX', 'EN', 'DE?state=XX', 'MC?state=A']) {
        expect((await refusal(`/v1/holidays/${path}`)).slice(0, 2), path).to.deep.equal([404, 'not_found'])
      }
    })

    it('answers 422 for what cannot be a country, a year, a state, a language or a type', async () => {
      for (const country of ['DEU', 'D', '__proto__', 'constructor', '12', 'D%00']) {
        expect((await refusal(`/v1/holidays/${country}`)).slice(1), country).to.deep.equal([
          'validation_error',
          'path.country',
        ])
      }
      for (const year of ['1969', '2101', '2026.0', '1e3', '%202026', '-2026', '', 'abc', 'NaN']) {
        expect((await refusal(`/v1/holidays/DE?year=${year}`)).slice(1), year).to.deep.equal([
          'validation_error',
          'query.year',
        ])
      }
      for (const query of ['state=..%2f', 'lang=x', 'type=bogus', 'type=__proto__']) {
        expect((await refusal(`/v1/holidays/DE?${query}`))[0], query).to.equal(422)
      }
    })
  })
})
