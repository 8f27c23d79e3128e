import { expect } from 'chai'
import { plainQuery } from '../../../lib/music/plain-query.ts'

const ADDRESS = 'https://example.org/song.mp3?a=1&b=(2)'

describe('a query', () => {
  it('is the address in it, whatever a chat or an editor puts around that', () => {
    const around = [
      ['<', '>'],
      ['"', '"'],
      ['“', '”'],
      ['„', '“'],
      ['«', '»'],
      ['`', '`'],
      ['```', '```'],
      ['||', '||'],
      ['**<', '>**'],
      [' [My song](', ') '],
      ['[My song](<', '>)'],
      ['[My song](', ' "as a title")'],
      ['[', `](${ADDRESS})`],
      ['<', '|label>'],
      ['\u200B\uFEFF', '\u200D\u2060'],
      ['\u2068', '\u2069'],
      ['', ','],
      ['<', ''],
      ['', '>'],
    ] as const
    for (const [before, behind] of around) {
      expect(plainQuery(`${before}${ADDRESS}${behind}`), before + behind).to.equal(ADDRESS)
    }
    expect(plainQuery('<podcast://show.example/feed>')).to.equal('podcast://show.example/feed')
    expect(plainQuery('https://exam\u200Bple.org/a')).to.equal('https://example.org/a')
  })

  it('stays as it is where it is words, an address among words, or an address that holds such characters', () => {
    const others = ['“Heroes” (live)', "don't <stop>", 'hear https://example.org now', '[a](b)', 'می\u200Cخواهم']
    for (const text of [...others, 'https://example.org/Song_(Live)', "https://example.org/it's"]) {
      expect(plainQuery(text)).to.equal(text)
    }
  })

  it('is read in no time, however many marks there are', () => {
    for (const mark of ['[', '<"', '[x](', '*_', '\u200B']) {
      const startedAtMs = performance.now()
      plainQuery(`${mark.repeat(100_000)}https://a.b`)
      expect(performance.now() - startedAtMs, mark).to.be.below(500)
    }
  })
})
