import { expect } from 'chai'
import { itCopesWithEveryFailure } from '../../support/upstreams/failing.ts'
import { startMyMemory, type Translator } from '../../support/upstreams/translators.ts'
import { startUtilityApi, type UtilityApi } from '../../support/utilities.ts'
import { upstreamUrls } from '../../../tools/stage/upstream-addresses.ts'

describe('GET /v1/translation/translate where nothing is set up', () => {
  let service: Translator
  let api: UtilityApi
  beforeEach(async () => {
    service = await startMyMemory()
    api = await startUtilityApi({ ...upstreamUrls({ mymemory: service.url }), UPSTREAM_TIMEOUT_MS: '500' })
  })
  afterEach(async () => {
    await api.close()
    await service.close()
  })

  const ask = (query: Readonly<Record<string, string>>) =>
    api.call('GET', `/v1/translation/translate?${new URLSearchParams(query).toString()}`)

  it('translates by MyMemory, and says in headers who did and how much is left for today', async () => {
    const { status, body, headers } = await ask({ text: 'Guten Morgen, liebe Welt, wie geht es euch?', to: 'en' })
    expect([status, body.data?.sourceLanguage], JSON.stringify(body)).to.deep.equal([200, 'de'])
    expect(body.data.translatedText).to.equal('Good morning, liebe world, wie geht es euch?')
    expect(headers.get('x-translation-provider')).to.equal('mymemory')
    expect(headers.get('x-translation-remaining')).to.equal(String(5000 - 43))
    expect(service.received[0]?.query.get('langpair')).to.equal('de|en')
    expect(service.received[0]?.query.has('de')).to.equal(false)
  })

  it('leaves the source to the service where a text is too short to tell', async () => {
    const { body } = await ask({ text: 'Wlt', to: 'en' })
    expect([body.data.sourceLanguage, body.data.translatedText]).to.deep.equal(['de', 'Wlt'])
    expect(service.received[0]?.query.get('langpair')).to.equal('Autodetect|en')
  })

  it('asks nothing where the text is in the wanted language already', async () => {
    const text = 'Turn the music up a little, please.'
    const { body } = await ask({ text, to: 'en' })
    expect([body.data.translatedText, body.data.sourceLanguage]).to.deep.equal([text, 'en'])
    expect(service.received).to.have.length(0)
  })

  it('sends a long text in parts of at most 500 bytes, and puts them together as they were', async () => {
    const text = 'Übermorgen sagt die ganze Welt wieder Danke. '.repeat(40).trim()
    const { body } = await ask({ text, to: 'en', from: 'de' })
    expect(body.data.translatedText).to.equal(text.replaceAll('Welt', 'world').replaceAll('Danke', 'Thanks'))
    for (const [part = ''] of service.asked) expect(Buffer.byteLength(part)).to.be.at.most(500)
    expect(service.asked.length).to.be.within(4, 8)
  })

  it('answers 400 for a language that it does not know', async () => {
    const { status, body } = await ask({ text: 'Guten Morgen', to: 'yo', from: 'de' })
    expect([status, body.error?.code]).to.deep.equal([400, 'bad_request'])
  })

  it('answers 500 with what the operator can do when the characters of the day are used up, and continues tomorrow', async () => {
    const long = 'Danke Welt. '.repeat(400).trim()
    expect((await ask({ text: long, to: 'en', from: 'de' })).status).to.equal(200)
    const { status, body, headers } = await ask({ text: 'Guten Morgen. '.repeat(30), to: 'en', from: 'de' })
    expect([status, body.error?.code]).to.deep.equal([500, 'internal_error'])
    expect(body.error.message).to.contain('5,000 characters per day').and.to.contain('LIBRETRANSLATE_URL')
    expect(headers.has('x-translation-provider')).to.equal(false)
    api.clock.nowMs += 86_400_000
    expect(
      (await ask({ text: 'Guten Tag, Welt', to: 'en', from: 'de' })).headers.get('x-translation-remaining'),
    ).to.equal(String(5000 - 15))
  })

  it('takes the service at its word when others of the same address used the day up', async () => {
    const warning = 'MYMEMORY WARNING: YOU USED ALL AVAILABLE FREE TRANSLATIONS FOR TODAY. NEXT AVAILABLE IN  02 HOURS'
    service.next = { status: 429, json: { responseData: { translatedText: warning }, responseStatus: 429 } }
    const { status, body } = await ask({ text: 'Guten Morgen', to: 'en', from: 'de' })
    expect([status, body.error?.message]).to.deep.equal([500, body.error?.message])
    expect(body.error.message).to.contain('too few are left today')
    const { length } = service.received
    expect((await ask({ text: 'Danke', to: 'en', from: 'de' })).status).to.equal(500)
    expect(service.received, 'asked again on the same day').to.have.length(length)
  })

  it('has ten times as much with an address', async () => {
    const other = await startUtilityApi({
      ...upstreamUrls({ mymemory: service.url }),
      MYMEMORY_EMAIL: 'bots@example.org',
    })
    const path = '/v1/translation/translate?text=Danke&to=en&from=de'
    expect((await other.call('GET', path)).headers.get('x-translation-remaining')).to.equal(String(50_000 - 5))
    expect(service.received[0]?.query.get('de')).to.equal('bots@example.org')
    await other.close()
  })

  itCopesWithEveryFailure(it, {
    service: () => service,
    ask: () => ask({ text: `Guten Morgen ${Math.random()}`, to: 'en', from: 'de' }),
    status: 500,
    code: 'internal_error',
    words: /^The translation service \(127\.0\.0\.1:\d+\) /,
    wait: () => (api.clock.nowMs += 60_000),
  })
})
