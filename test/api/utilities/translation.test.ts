import { expect } from 'chai'
import { readConfig } from '../../../config.ts'
import { itCopesWithEveryFailure } from '../../support/upstreams/failing.ts'
import { startLibreTranslate, type Translator } from '../../support/upstreams/translators.ts'
import { dataOf, refusalOf, startUtilityApi, type UtilityApi } from '../../support/utilities.ts'

const ask = (api: UtilityApi, query: Readonly<Record<string, string>>) =>
  api.call('GET', `/v1/translation/translate?${new URLSearchParams(query).toString()}`)

const translated = (api: UtilityApi, query: Readonly<Record<string, string>>) => dataOf(ask(api, query))

describe('GET /v1/translation/translate', () => {
  describe('by LibreTranslate', () => {
    let service: Translator
    let api: UtilityApi
    beforeEach(async () => {
      service = await startLibreTranslate()
      api = await startUtilityApi({ LIBRETRANSLATE_URL: service.url, UPSTREAM_TIMEOUT_MS: '250' })
    })
    afterEach(async () => {
      await api.close()
      await service.close()
    })

    it('answers the text in both languages, with the request id', async () => {
      const { body, headers } = await ask(api, { text: 'Guten Morgen', to: 'en' })
      expect(headers.get('x-ratelimit-class')).to.equal('fetch')
      expect(body).to.deep.equal({
        success: true,
        data: {
          originalText: 'Guten Morgen',
          translatedText: 'Good morning',
          sourceLanguage: 'de',
          targetLanguage: 'en',
        },
        requestId: headers.get('x-request-id'),
      })
    })

    it('says the source that was named, which the service then does not tell', async () => {
      expect(await translated(api, { text: 'Danke', to: 'en', from: 'DE' })).to.include({ sourceLanguage: 'de' })
      expect(JSON.parse(service.received[0]?.body ?? '')).to.include({ source: 'de', target: 'en', format: 'text' })
    })

    it('takes codes in every customary form and answers in one', async () => {
      const codes: Record<string, [sent: string, answered: string]> = {
        'EN-us': ['en', 'en'],
        pt_BR: ['pb', 'pt-BR'],
        zh: ['zh', 'zh'],
        'zh-Hans': ['zh', 'zh-CN'],
        zh_tw: ['zt', 'zh-TW'],
        zt: ['zt', 'zh-TW'],
        nb: ['nb', 'no'],
      }
      for (const [to, [sent, answered]] of Object.entries(codes)) {
        expect((await translated(api, { text: 'Danke', to })).targetLanguage, to).to.equal(answered)
        expect(JSON.parse(service.received.at(-1)?.body ?? '').target).to.equal(sent)
      }
    })

    it('answers 400 before it asks anybody, when text or languages make no sense', async () => {
      const text = 'Hallo'
      const cases: [Record<string, string>, string][] = [
        [{ to: 'en' }, 'query.text'],
        [{ text: '', to: 'en' }, 'query.text'],
        [{ text: ' \n\t ', to: 'en' }, 'query.text'],
        [{ text: 'x'.repeat(5001), to: 'en' }, 'query.text'],
        [{ text }, 'query.to'],
        [{ text, to: '' }, 'query.to'],
        [{ text, to: 'auto' }, 'query.to'],
        [{ text, to: 'tlh' }, 'query.to'],
        [{ text, to: '__proto__' }, 'query.to'],
        [{ text, to: 'en', from: 'constructor' }, 'query.from'],
      ]
      for (const [query, field] of cases) {
        expect(await refusalOf(ask(api, query)), JSON.stringify(query).slice(0, 80)).to.deep.equal([
          400,
          'bad_request',
          field,
        ])
      }
      expect(service.received).to.have.length(0)
    })

    it('answers 400 for a pair that the service does not know', async () => {
      expect(await refusalOf(ask(api, { text: 'Hallo', to: 'sw' }))).to.deep.equal([400, 'bad_request', 'query.to'])
      service.next = { status: 400, json: { error: 'Invalid request: request (5000) exceeds text limit (2000)' } }
      expect(await refusalOf(ask(api, { text: 'Hallo', to: 'en' }))).to.deep.equal([400, 'bad_request', 'query.text'])
    })

    it('needs no call where there is nothing to translate', async () => {
      for (const [query, sourceLanguage] of [
        [{ text: ' Hallo ', to: 'de', from: 'de' }, 'de'],
        [{ text: '😀 123 👨‍👩‍👧', to: 'en' }, 'und'],
        [{ text: '<@123456789012345678> https://example.org/Morgen', to: 'en' }, 'und'],
      ] as const) {
        expect(await translated(api, query)).to.include({
          translatedText: query.text,
          originalText: query.text,
          sourceLanguage,
        })
      }
      expect(service.received).to.have.length(0)
    })

    it('keeps every space, tab and line break where it was', async () => {
      const text = '\n  Guten Morgen\t\tHallo  Welt \r\n\r\n- Danke\n'
      expect((await translated(api, { text, to: 'en' })).translatedText).to.equal(
        '\n  Good morning\t\tHello  world \r\n\r\n- Thanks\n',
      )
      expect(service.asked).to.deep.equal([['Guten Morgen', 'Hallo', 'Welt', '- Danke']])
    })

    it('sends no more texts at once than services take, however many lines there are', async () => {
      const text = Array.from({ length: 450 }, (_, i) => `Hallo ${i}`).join('\n')
      const { translatedText } = await translated(api, { text, to: 'en' })
      expect(service.asked[0]).to.have.length.within(30, 50)
      expect(translatedText.match(/Hello/g)).to.have.length(450)
    })

    for (const marks of ['kept', 'spaced', 'lost'] as const) {
      it(`brings mentions, links, code, placeholders and entities through where the service's marks are ${marks}`, async () => {
        service.marks = marks
        const text =
          'Hallo <@123456789012345678>, <:hallo:123456789012345678> Welt https://example.org/Hallo?q=Welt `Hallo` {Hallo} ' +
          '{{0}} &lt;b&gt; R&amp;D ```js\nHallo  Welt\n``` Danke'
        expect((await translated(api, { text, to: 'en' })).translatedText).to.equal(
          'Hello <@123456789012345678>, <:hallo:123456789012345678> world https://example.org/Hallo?q=Welt `Hallo` {Hallo} ' +
            '{{0}} &lt;b&gt; R&amp;D ```js\nHallo  Welt\n``` Thanks',
        )
        expect(service.asked).to.have.length(marks === 'lost' ? 2 : 1)
      })
    }

    it('carries plus signs, emoji, marks of direction and combining characters as they are', async () => {
      for (const text of ['Hallo 1+1=2', 'Hallo 👩🏽‍🚀\u200F!', 'Ünï'.normalize('NFD'), 'Don\'t "quote" <b>Hallo</b>']) {
        const { translatedText, originalText } = await translated(api, { text, to: 'en' })
        expect(originalText).to.equal(text)
        expect(translatedText).to.equal(text.replaceAll('Hallo', 'Hello'))
      }
      const { body } = await api.call('GET', '/v1/translation/translate?text=Hallo%20%ED%A0%BD&to=en')
      expect(body.error?.code ?? 'fine').to.be.oneOf(['fine', 'bad_request'])
    })

    it('gives an equal text back as a translation: names are', async () => {
      expect((await translated(api, { text: 'Berlin', to: 'en' })).translatedText).to.equal('Berlin')
    })

    it('takes 5,000 letters of two bytes', async () => {
      expect((await translated(api, { text: 'ш'.repeat(5000), to: 'en' })).translatedText).to.have.length(5000)
    })

    it('asks once for a hundred identical requests at once, and not again within the hour', async () => {
      const query = { text: 'Guten Morgen', to: 'en' }
      await Promise.all(Array.from({ length: 100 }, () => translated(api, query)))
      await translated(api, query)
      expect(service.received).to.have.length(1)
      await translated(api, { ...query, to: 'fr' })
      api.clock.nowMs += 3_600_000
      await translated(api, query)
      expect(service.received).to.have.length(3)
    })

    itCopesWithEveryFailure(it, {
      service: () => service,
      ask: () => ask(api, { text: 'Hallo', to: 'en' }),
      status: 500,
      code: 'internal_error',
      words: /^The translation service \(127\.0\.0\.1:\d+\) /,
      wait: () => (api.clock.nowMs += 60_000),
    })

    it('answers 500 when fewer texts come back than were sent', async () => {
      service.next = { json: { translatedText: [] } }
      expect((await ask(api, { text: 'Hallo', to: 'en' })).status).to.equal(500)
    })
  })

  it('answers 500, not 400, when the key is missing or wrong, and shows none', async () => {
    const service = await startLibreTranslate('hush')
    for (const key of ['', 'hush-hush']) {
      const api = await startUtilityApi({ LIBRETRANSLATE_URL: service.url, LIBRETRANSLATE_API_KEY: key })
      const { status, body } = await ask(api, { text: 'Hallo', to: 'en' })
      expect(status).to.equal(500)
      expect(JSON.stringify(body)).not.to.match(/hush|Visit/)
      await api.close()
    }
    await service.close()
  })

  it('tells the operator what to set where there is no provider, while the languages are listed', async () => {
    const api = await startUtilityApi({ TRANSLATE_PROVIDER: 'none' })
    const { status, body } = await ask(api, { text: 'Hallo', to: 'en' })
    expect([status, body.error.code]).to.deep.equal([500, 'internal_error'])
    expect(body.error.message).to.contain('LIBRETRANSLATE_URL').and.contain('DEEPL_API_KEY')
    const { data } = (await api.call('GET', '/v1/translation/languages')).body
    expect(data.languages).to.deep.include.members([
      { code: 'de', name: 'German' },
      { code: 'pt-BR', name: 'Brazilian Portuguese' },
    ])
    await api.close()
  })

  it('cannot choose a provider without what it needs', () => {
    expect(() => readConfig({ TRANSLATE_PROVIDER: 'deepl' })).to.throw('DEEPL_API_KEY')
    expect(() => readConfig({ TRANSLATE_PROVIDER: 'libretranslate' })).to.throw('LIBRETRANSLATE_URL')
    const { translation } = readConfig({ DEEPL_API_KEY: 'abc:fx' }).utilities
    expect(translation.deepL.baseUrl).to.equal('https://api-free.deepl.com')
    expect(readConfig({ TRANSLATE_PROVIDER: 'none', DEEPL_API_KEY: 'x' }).utilities.translation.provider).to.equal(
      'none',
    )
  })
})
