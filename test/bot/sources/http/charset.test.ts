import { execFileSync } from 'node:child_process'
import { expect } from 'chai'
import { decodeText } from '../../../../bot/sources/http/text.ts'
import { IcyStripper } from '../../../../bot/audio/containers/shoutcast-metadata.ts'

/** Texts of stations and files worldwide, in the encodings of their software. */
const SAID: Readonly<Record<string, readonly string[]>> = {
  cp1252: [
    'Björk - Jóga',
    'Süße Nacht',
    'größte',
    'Édith Piaf - Non, je ne regrette rien',
    'Motörhead – Ace of Spades',
    'L’été',
    'Maná',
    '¿Qué?',
  ],
  cp1251: [
    'Артист - Песня',
    'КИНО - Группа крови',
    'Земфира',
    'Мумий Тролль – «Владивосток 2000»',
    'Океан Ельзи - Обійми',
  ],
  'koi8-r': ['Кино - Группа крови', 'Артист - Песня'],
  cp1253: ['Νάνα Μούσχουρη - Χάρτινο το φεγγαράκι'],
  shift_jis: ['宇多田ヒカル - 桜流し', '米津玄師 - Lemon', '久石譲', '夜に駆ける', 'アニメ'],
  'euc-jp': ['宇多田ヒカル - 桜流し', '夜に駆ける'],
  gbk: ['周杰伦 - 青花瓷', '邓丽君 - 月亮代表我的心', '王菲 - 红豆', '你好', 'Beyond - 海阔天空'],
  big5: ['周杰倫 - 青花瓷', '五月天 - 倔強'],
  'euc-kr': ['아이유 - 좋은 날', '김광석 - 서른 즈음에', '사랑했지만'],
  'utf-8': ['Björk', 'Артист - Песня', '宇多田ヒカル', '아이유', '🎵'],
}

const encoded = (text: string, charset: string) =>
  execFileSync('iconv', ['-f', 'utf-8', '-t', charset], { input: text })

/** The titles that a radio's blocks say. */
function titlesOf(...blocks: readonly (string | Buffer)[]): string[] {
  const titles: string[] = []
  const stripper = new IcyStripper(1, (title) => titles.push(title))
  for (const block of blocks) {
    const bytes = Buffer.from(block)
    const units = Math.ceil(bytes.length / 16)
    stripper.push(Buffer.concat([Buffer.from([0, units]), bytes, Buffer.alloc(units * 16 - bytes.length)]))
  }
  return titles
}

describe('text whose encoding nobody tells', () => {
  for (const [charset, texts] of Object.entries(SAID)) {
    it(`is read where it is ${charset}, in a radio's title as well`, () => {
      for (const text of texts) {
        const bytes = encoded(text, charset)
        expect(decodeText(bytes)).to.equal(text)
        const block = Buffer.concat([Buffer.from("StreamTitle='"), bytes, Buffer.from("';StreamUrl='http://a.b/';")])
        expect(titlesOf(block)).to.deep.equal([text])
      }
    })
  }

  it('is UTF-16 with a mark and without', () => {
    for (const charset of ['utf-16', 'utf-16le', 'utf-16be']) {
      expect(decodeText(encoded('[playlist] Ünïcödé', charset)).replace('\uFEFF', '')).to.equal('[playlist] Ünïcödé')
    }
  })

  it('is UTF-8 too where it is cut in the middle of a character', () => {
    expect(decodeText(Buffer.from('Артист').subarray(0, 9))).to.equal('Арти')
  })
})

describe('the title that a radio tells', () => {
  it('is artist and song where a station with advertising sends a list of attributes', () => {
    const attributes = 'song_spot="M" MediaBaseId="1" itunesTrackId="0" length="00:03:20" spotInstanceId="-1"'
    expect(titlesOf(`StreamTitle='Some Band - text="Some Song" ${attributes}';StreamUrl='';`)).to.deep.equal([
      'Some Band - Some Song',
    ])
    const other = String.raw`StreamTitle='title="The \"Song\"",artist="Band",url="song_spot=\"M\" spotId=\"0\""';`
    expect(titlesOf(other)).to.deep.equal(['Band - The "Song"'])
    expect(titlesOf(`StreamTitle=' - text="" song_spot="C"';`)).to.deep.equal([])
  })

  it('keeps its quotes and apostrophes, with and without a semicolon behind', () => {
    expect(
      titlesOf(
        "StreamTitle='Rock 'n' Roll - It's; here';StreamUrl='http://x/';",
        `StreamTitle='He said "hello" - x';StreamUrl='';`,
        "StreamTitle='without an end'",
        "StreamTitle='a';b';StreamUrl='';",
        "StreamTitle='';",
      ),
    ).to.deep.equal(["Rock 'n' Roll - It's; here", 'He said "hello" - x', 'without an end', "a';b"])
  })
})
