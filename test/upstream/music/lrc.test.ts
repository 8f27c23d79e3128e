import { expect } from 'chai'
import { readLrc, readPlain } from '../../../upstream/music/lrc.ts'

const times = (text: string, lengthMs = 0) =>
  readLrc(text, lengthMs).map((line) => [line.timeMs, line.text, line.durationMs] as const)

describe('timed lyrics', () => {
  it('are read with hundredths, thousandths, tenths and none', () => {
    expect(times('[00:01.25] a\n[00:05.123]b\n[00:09]c\n[1:02.5] d\n[00:10:50]e', 70_000)).to.deep.equal([
      [1250, 'a', 3873],
      [5123, 'b', 3877],
      [9000, 'c', 1500],
      [10_500, 'e', 52_000],
      [62_500, 'd', 7500],
    ])
  })

  it('repeat a line that has several stamps, in the order in which it is sung', () => {
    expect(times('[00:01.00][00:31.00] again\r\n[00:10.00]once')).to.deep.equal([
      [1000, 'again', 9000],
      [10_000, 'once', 21_000],
      [31_000, 'again', null],
    ])
  })

  it('come sooner by a positive offset, and never before the start', () => {
    expect(times('[ti:Song]\n[offset:+250]\n[00:00.10]a\n[00:02.00]b', 3000)).to.deep.equal([
      [0, 'a', 1750],
      [1750, 'b', 1250],
    ])
    expect(times('[offset: -500]\n[00:01.00]a')[0]?.[0]).to.equal(1500)
  })

  it('keep pauses and drop tags, untimed lines and the stamps of single words', () => {
    expect(
      times('[ar:Artist]\nno time\n[00:01.00] <00:01.00> one <00:01.50> two\n[00:03.00]\n[00:04.00]  x '),
    ).to.deep.equal([
      [1000, 'one two', 2000],
      [3000, '', 1000],
      [4000, 'x', null],
    ])
  })

  it('are bounded where one line has thousands of stamps before an endless text', () => {
    const lines = readLrc(Array.from({ length: 200 }, () => '[00:01]'.repeat(2000) + 'x'.repeat(100_000)).join('\n'), 0)
    expect(lines.length).to.be.within(1, 5000)
    expect(Math.max(...lines.map(({ text }) => text.length))).to.be.at.most(1000)
  })

  it('are none where nothing is timed', () => {
    expect(times('just\nwords')).to.deep.equal([])
    expect(times('')).to.deep.equal([])
  })

  it('without times keep the empty lines between verses', () => {
    expect(readPlain(' a\r\n\r\n b \n').map(({ text, timeMs }) => [text, timeMs])).to.deep.equal([
      ['a', null],
      ['', null],
      ['b', null],
    ])
    expect(readPlain(' \n ')).to.deep.equal([])
  })
})
