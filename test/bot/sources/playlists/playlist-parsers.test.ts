import { expect } from 'chai'
import * as fc from 'fast-check'
import { parseHlsAttributes } from '../../../../bot/sources/hls/hls-attributes.ts'
import { HlsProtectedError } from '../../../../bot/sources/hls/hls-keys.ts'
import { readHls } from '../../../../bot/sources/hls/hls-playlist.ts'
import { readPlaylist } from '../../../../bot/sources/playlists/playlist-file.ts'
import { sniff } from '../../../../bot/sources/http/sniff.ts'

const BASE = new URL('https://radio.example/lists/a.m3u')

/** CPU time of this thread alone, so that a busy machine does not matter: the best of several runs, in milliseconds. */
function cpuMs(work: () => void): number {
  const runs = Array.from({ length: 3 }, () => {
    const before = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...runs)
}

/** Each builds a hostile text of about that many characters. */
const HOSTILE: Readonly<Record<string, (chars: number) => string>> = {
  'a key of dashes': (chars) => `#EXTM3U\n#EXT-X-KEY:${'-'.repeat(chars)}\n#EXTINF:4,\na.ts\n`,
  'many keys of dashes': (chars) =>
    `#EXTM3U\n${`#EXT-X-KEY:${'-'.repeat(4000)}\n`.repeat(chars / 4000)}#EXTINF:4,\na\n`,
  'a tag that does not end': (chars) => `#EXTM3U\n#EXT${'A'.repeat(chars)}\u2028\n#EXTINF:4,\na.ts\n`,
  'quotes without an end': (chars) => `#EXTM3U\n#EXT-X-MAP:${'A="'.repeat(chars / 3)}\n#EXTINF:4,\na.ts\n`,
  'a length of dots': (chars) => `#EXTM3U\n#EXTINF:${'.'.repeat(chars / 2)}${':'.repeat(chars / 2)}\u2028\na.mp3\n`,
  'many lengths of dots': (chars) =>
    `#EXTM3U\n${`#EXTINF:${'.'.repeat(1000)}${':'.repeat(1000)}\u2028\n`.repeat(chars / 2000)}a.mp3\n`,
  'a pls line of letters': (chars) => `[playlist]\n${'a'.repeat(chars)}\u2028\nFile1=a\n`,
  'a pls line of spaces': (chars) => `[playlist]\nFile1${' '.repeat(chars)}x\n`,
  'elements in elements': (chars) => `<playlist>${'<a>'.repeat(chars / 3)}`,
  'ends without beginnings': (chars) => `<playlist><track>${'</a>'.repeat(chars / 4)}`,
  'entities in entities': (chars) =>
    `<!DOCTYPE p [<!ENTITY a "${'x'.repeat(chars / 2)}">]><playlist><track>${'&a;'.repeat(chars / 6)}</track></playlist>`,
  'line ends': (chars) => `#EXTM3U${'\r\n'.repeat(chars / 2)}`,
  'renditions and variants': (chars) => {
    const rendition = '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",URI="a"\n'
    return `#EXTM3U\n${rendition.repeat(chars / 100)}${'#EXT-X-STREAM-INF:AUDIO="a"\na\n'.repeat(chars / 64)}`
  },
  'comments without an end': (chars) => '<!--'.repeat(chars / 4),
}

function readAll(text: string): void {
  try {
    readHls(text, BASE)
  } catch (error) {
    if (!(error instanceof HlsProtectedError)) throw error
  }
  for (const format of ['m3u', 'pls', 'xspf'] as const) readPlaylist(format, text, BASE)
  sniff(Buffer.from(text))
}

/** The former attribute parser, which took quadratic time. */
function byExpression(list: string): ReadonlyMap<string, string> {
  const found = list.matchAll(/([A-Z0-9-]+)=(?:"([^"]*)"|([^",]*))/g)
  return new Map(Array.from(found, ([, name = '', quoted, plain]) => [name, quoted ?? plain ?? '']))
}

describe('parsers of playlists', () => {
  for (const [what, build] of Object.entries(HOSTILE)) {
    it(`take time in proportion to the text, of ${what}`, () => {
      const small = build(120_000)
      const large = build(480_000)
      readAll(small)
      // Four times the text: about 4 in linear time, 16 in quadratic. A few milliseconds are beneath what can be measured.
      expect(cpuMs(() => readAll(large))).to.be.below(9 * cpuMs(() => readAll(small)) + 20)
    })
  }

  const name = fc.stringMatching(/^[A-Z][A-Z0-9-]{0,12}$/)
  const value = fc.oneof(
    fc.stringMatching(/^"[^"\r\n]{0,40}"$/),
    fc.stringMatching(/^[^",\r\n=]{1,20}$/),
    fc.stringMatching(/^0x[0-9A-F]{1,32}$/),
  )

  it('read the attributes that a regular expression finds in an ordinary list', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 8 }), fc.constantFrom(',', ', '), (pairs, comma) => {
        const list = pairs.map((pair) => pair.join('=')).join(comma)
        expect(parseHlsAttributes(list)).to.deep.equal(byExpression(list))
      }),
    )
  })

  it('read the lengths and titles that a regular expression finds in ordinary lines', () => {
    const seconds = fc.oneof(
      fc.integer({ min: -1, max: 90_000 }).map(String),
      fc.constantFrom('', ' 12.5', '3.75', 'x'),
    )
    const extra = fc.stringMatching(/^(?: [a-z-]{1,8}="[a-z ]{0,8}"){0,3}$/)
    const title = fc.stringMatching(/^[\p{L}\p{N} ,:.-]{0,40}$/u)
    fc.assert(
      fc.property(seconds, extra, fc.option(title), (length, more, words) => {
        const line = `#EXTINF:${length}${more}${words === null ? '' : `,${words}`}`
        const [, number, text = ''] = /^#EXTINF:\s*(-?[\d.]+)?[^,]*,?(.*)$/i.exec(line.trim()) ?? []
        const [entry] = readPlaylist('m3u', `${line}\nhttp://a.test/b\n`, BASE).entries
        expect(entry?.title).to.equal(text.replaceAll(/\s+/g, ' ').trim() || null)
        expect(entry?.lengthMs).to.equal(Math.max(0, Math.round(Number(number ?? 0) * 1000)))
      }),
    )
  })

  it('stop at their bounds while they read', () => {
    const entries = 'http://a.test/b\n'.repeat(5000)
    expect(readPlaylist('m3u', entries, BASE).entries).to.have.length(100)
    expect(readPlaylist('xspf', '<track><location>a</location></track>'.repeat(500), BASE).entries).to.have.length(100)
    expect(readPlaylist('xspf', `<a>${'<track><a>'.repeat(5000)}`, BASE).entries).to.have.length(0)
    const far = new URL(`https://radio.example/${'x'.repeat(1900)}/a.m3u8`)
    const playlist = readHls(`#EXTM3U\n${'#EXTINF:1,\na\n'.repeat(20_000)}`, far)
    expect(playlist?.kind === 'media' && playlist.segments.length).to.be.within(1000, 5000)
  })

  it('cut lines that are too long, and continue behind them', () => {
    const long = 'x'.repeat(10_000)
    const { entries } = readPlaylist('m3u', `${long}\n#EXTINF:5,${long}\nb.mp3\n`, BASE)
    expect(entries.map(({ url, lengthMs }) => [url, lengthMs])).to.deep.equal([
      ['https://radio.example/lists/b.mp3', 5000],
    ])
    const playlist = readHls(`#EXTM3U\n#EXTINF:4,\n${long}\n#EXTINF:4,\nb.ts\n`, BASE)
    const segments = playlist?.kind === 'media' ? playlist.segments : []
    expect(segments.map(({ sequence, url }) => [sequence, url])).to.deep.equal([
      [1, 'https://radio.example/lists/b.ts'],
    ])
  })
})
