import { expect } from 'chai'
import { createLog } from '../../../lib/log.ts'
import { createDetection, type Detection } from '../../../upstream/translation/detection.ts'
import { createLocalWorker, type LocalWorker } from '../../../upstream/local/worker-handle.ts'

/** Texts of our own, short and long, that the weights were not fitted to. */
const HELD_OUT: Readonly<Record<string, readonly string[]>> = {
  en: [
    'music',
    'rainy evening',
    'We missed the last train and had to walk home along the river.',
    'Turn it up a little',
  ],
  de: ['Regen', 'später vielleicht', 'Am Abend sitzen wir gern noch lange auf dem Balkon.', 'Mach bitte leiser'],
  fr: [
    'bonjour',
    'demain matin',
    'Nous avons raté le dernier train et marché le long du fleuve.',
    'Baisse un peu le son',
  ],
  es: [
    'lluvia',
    'mañana temprano',
    'Perdimos el último tren y volvimos andando por la orilla.',
    'Sube un poco el volumen',
  ],
  it: [
    'pioggia',
    'domani mattina',
    'Abbiamo perso il treno e siamo tornati a piedi lungo il fiume.',
    'Alza un po’ il volume',
  ],
  nl: [
    'regen',
    'morgen vroeg',
    'We misten de laatste trein en liepen langs de rivier naar huis.',
    'Zet het wat zachter',
  ],
  pl: [
    'deszcz',
    'jutro rano',
    'Spóźniliśmy się na ostatni pociąg i wracaliśmy pieszo wzdłuż rzeki.',
    'Zrób trochę głośniej',
  ],
  fi: [
    'sade',
    'huomenna aamulla',
    'Myöhästyimme viimeisestä junasta ja kävelimme kotiin jokea pitkin.',
    'Hiljennä vähän',
  ],
}

describe('language detection', () => {
  let worker: LocalWorker
  let detection: Detection
  before(() => {
    worker = createLocalWorker({ log: createLog('silent') })
    detection = createDetection(worker, 'extrasmall')
  })
  after(() => worker.close())

  const language = async (text: string) => (await detection.detect(text)).language

  it('says undetermined, never a guess, where a text has no words', async () => {
    for (const text of [
      '123 456',
      '😀🎉👨‍👩‍👧',
      '?!…',
      'https://example.org/hola',
      '<@123456789012345678> <:wave:123456789012345678>',
    ]) {
      expect(await detection.detect(text), text).to.deep.equal({
        language: 'und',
        name: 'Undetermined',
        confidence: 0,
        candidates: [],
      })
    }
  })

  it('says undetermined with a low confidence where a text is too short or means nothing', async () => {
    for (const text of ['hello', 'ok', 'lol', 'haha', 'asdfgh', 'qwrt zxcv', 'xD', 'hmm']) {
      const found = await detection.detect(text)
      expect([found.language, found.name], text).to.deep.equal(['und', 'Undetermined'])
      expect(found.confidence, text).to.be.below(0.5)
      expect(found.confidence, text).to.equal(found.candidates[0]?.confidence ?? 0)
    }
  })

  it('is right where its confidence is high, and less often where it is not', async () => {
    const guesses = await Promise.all(
      Object.entries(HELD_OUT).flatMap(([code, texts]) =>
        texts.map(async (text) => {
          const { candidates } = await detection.detect(text)
          return { isRight: candidates[0]?.language === code, confidence: candidates[0]?.confidence ?? 0 }
        }),
      ),
    )
    const shareRight = (of: typeof guesses) => of.filter(({ isRight }) => isRight).length / of.length
    const sure = guesses.filter(({ confidence }) => confidence >= 0.8)
    expect(sure.length, 'sentences among them').to.be.at.least(Object.keys(HELD_OUT).length)
    expect(shareRight(sure)).to.be.at.least(0.95)
    expect(shareRight(guesses.filter(({ confidence }) => confidence < 0.8))).to.be.below(0.9)
  })

  it('decides by script where a script has one language', async () => {
    const texts: Record<string, string> = {
      ko: '안녕하세요, 오늘 날씨가 좋네요',
      ja: '世界中のみなさん、こんにちは',
      zh: '你好，今天天气很好',
      th: 'สวัสดีครับ',
      el: 'Καλημέρα σας',
      he: 'שלום עולם',
      ka: 'გამარჯობა',
      hy: 'Բարեւ ձեզ',
      km: 'សួស្តី',
      my: 'မင်္ဂလာပါ',
      lo: 'ສະບາຍດີ',
      si: 'ආයුබෝවන්',
      am: 'ሰላም',
      ta: 'வணக்கம்',
      te: 'నమస్కారం',
      kn: 'ನಮಸ್ಕಾರ',
      ml: 'നമസ്കാരം',
      gu: 'નમસ્તે',
      pa: 'ਸਤ ਸ੍ਰੀ ਅਕਾਲ',
      bn: 'নমস্কার',
    }
    for (const [code, text] of Object.entries(texts)) expect(await language(text), text).to.equal(code)
  })

  it('tells languages of one script apart', async () => {
    expect(await language('Guten Morgen, wie geht es dir heute?')).to.equal('de')
    expect(await language('El gato duerme encima de la mesa de la cocina')).to.equal('es')
    expect(await language('Сегодня на улице очень хорошая погода, пойдём гулять')).to.equal('ru')
    expect(await language('The quick brown fox jumps over the lazy dog')).to.equal('en')
  })

  it('is not led astray by links, mentions, emoji and quoted words of another script', async () => {
    expect(
      await language('<@123456789012345678> merci beaucoup mes amis 🎉 https://example.org/the/quick/brown'),
    ).to.equal('fr')
    expect(await language('the song that is called 世界 is really very good')).to.equal('en')
  })

  it('names the language and lists the candidates, best first, with confidences from 0 to 1', async () => {
    const found = await detection.detect('Buenos días a todos, ¿cómo están ustedes?')
    expect(found.name).to.equal('Spanish')
    expect(found.candidates[0]).to.deep.equal({ language: 'es', confidence: found.confidence })
    const confidences = found.candidates.map(({ confidence }) => confidence)
    expect(confidences).to.deep.equal(confidences.toSorted((a, b) => b - a))
    for (const each of confidences) expect(each).to.be.within(0, 1)
  })

  it('takes text that is decomposed like text that is composed', async () => {
    const text = 'Các bạn có khỏe không, hôm nay trời rất đẹp'
    expect(await detection.detect(text.normalize('NFD'))).to.deep.equal(await detection.detect(text))
  })
})
