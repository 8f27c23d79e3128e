import { upstreamUrls } from '../../../tools/stage/upstream-addresses.ts'
import { expect } from 'chai'
import { itCopesWithEveryFailure } from '../../support/upstreams/failing.ts'
import {
  startDeepL,
  startGoogleTranslate,
  startLibreTranslate,
  type Translator,
} from '../../support/upstreams/translators.ts'
import { dataOf, startUtilityApi, type UtilityApi } from '../../support/utilities.ts'

const ask = (api: UtilityApi, query: Readonly<Record<string, string>>) =>
  api.call('GET', `/v1/translation/translate?${new URLSearchParams(query).toString()}`)

const translated = (api: UtilityApi, query: Readonly<Record<string, string>>) => dataOf(ask(api, query))

describe('the keyed translation services', () => {
  for (const { name, start, upstream, key } of [
    { name: 'DeepL', start: startDeepL, upstream: 'deepl', key: 'DEEPL_API_KEY' },
    {
      name: 'Google',
      start: startGoogleTranslate,
      upstream: 'google-translate',
      key: 'GOOGLE_TRANSLATE_API_KEY',
    },
  ]) {
    describe(`by ${name}`, () => {
      let service: Translator
      let api: UtilityApi
      beforeEach(async () => {
        service = await start('a-key')
        api = await startUtilityApi({
          ...upstreamUrls({ [upstream]: service.url }),
          [key]: 'a-key',
          UPSTREAM_TIMEOUT_MS: '600',
        })
      })
      afterEach(async () => {
        await api.close()
        await service.close()
      })

      it('translates, finds the source out, and keeps what no translator should touch', async () => {
        const text = `Guten Morgen <@123456789012345678>,\n"Danke"  it's &amp;`
        expect(await translated(api, { text, to: 'en' })).to.deep.equal({
          originalText: text,
          translatedText: `Good morning <@123456789012345678>,\n"Thanks"  it's &amp;`,
          sourceLanguage: 'de',
          targetLanguage: 'en',
        })
        expect(await translated(api, { text: 'Danke', to: 'zh-TW', from: 'pt-BR' })).to.include({
          sourceLanguage: 'pt-BR',
        })
      })

      it('lists its languages in our codes, each once, by name', async () => {
        const { languages } = (await api.call('GET', '/v1/translation/languages')).body.data
        expect(languages).to.have.length.above(2)
        const names = languages.map((each: { name: string }) => each.name)
        expect(names).to.deep.equal(names.toSorted((a: string, b: string) => a.localeCompare(b, 'en')))
        expect(languages.map((each: { code: string }) => each.code)).not.to.include('iw')
      })

      it('keeps its key out of addresses, and answers 500 when it is refused or used up', async () => {
        const wrong = await startUtilityApi({ ...upstreamUrls({ [upstream]: service.url }), [key]: 'hush' })
        const { status, body } = await ask(wrong, { text: 'Hallo', to: 'en' })
        expect(status).to.equal(500)
        expect(JSON.stringify(body)).not.to.contain('hush')
        expect(service.received[0]?.rawUrl).not.to.contain('hush')
        await wrong.close()
        service.next = { status: 456, json: { message: 'Quota Exceeded' } }
        expect((await ask(api, { text: 'Hallo', to: 'en' })).status).to.equal(500)
      })

      it('answers 400 when it refuses the pair', async () => {
        service.next = { status: 400, json: { message: "Value for 'target_lang' not supported." } }
        expect((await ask(api, { text: 'Hallo', to: 'sw' })).status).to.equal(400)
      })

      itCopesWithEveryFailure(it, {
        service: () => service,
        ask: () => ask(api, { text: 'Hallo', to: 'en' }),
        status: 500,
        code: 'internal_error',
        words: /^The translation service /,
        wait: () => (api.clock.nowMs += 60_000),
      })
    })
  }
})

describe('GET /v1/translation/languages', () => {
  it('lists what the provider has in English and in our codes, once a day, and without auto', async () => {
    const service = await startLibreTranslate()
    const api = await startUtilityApi({ LIBRETRANSLATE_URL: service.url, UPSTREAM_TIMEOUT_MS: '250' })
    const list = () => api.call('GET', '/v1/translation/languages')
    const { body, headers } = await list()
    expect(headers.get('x-ratelimit-class')).to.equal('cheap')
    expect(body.data.languages).to.deep.equal([
      { code: 'zh', name: 'Chinese' },
      { code: 'zh-CN', name: 'Chinese (Simplified)' },
      { code: 'zh-TW', name: 'Chinese (Traditional)' },
      { code: 'en', name: 'English' },
      { code: 'de', name: 'German' },
      { code: 'pt-BR', name: 'Portuguese (Brazil)' },
    ])
    await list()
    expect(service.received).to.have.length(1)
    service.misbehave('status 500')
    api.clock.nowMs += 86_400_000
    expect((await list()).body.data).to.deep.equal(body.data)
    await api.close()
    await service.close()
  })

  it('gives the built-in list where the provider was never reached, no matter what it does', async () => {
    const service = await startLibreTranslate()
    for (const how of ['hang', 'HTML', 'wrong shape', 'cut connection'] as const) {
      service.misbehave(how)
      const api = await startUtilityApi({ LIBRETRANSLATE_URL: service.url, UPSTREAM_TIMEOUT_MS: '250' })
      const { status, body } = await api.call('GET', '/v1/translation/languages')
      expect(status).to.equal(200)
      expect(body.data.languages).to.have.length.above(90)
      await api.close()
    }
    await service.close()
  })
})
