import { expect } from 'chai'
import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { Fault } from '../../../lib/errors.ts'
import { decodeToken, encodeToken } from '../../../bot/tracks/track-token.ts'
import type { TrackInfo } from '../../../bot/tracks/track.ts'
import { truncate } from '../../../lib/text.ts'

/** Java's own code for its own data format, which lavaplayer writes tokens with. */
const JAVA_READER = join(import.meta.dirname, '../../support/TokenReader.java')

const track: TrackInfo = {
  title: 'Evening Song',
  author: 'The Band',
  lengthMs: 180_008,
  identifier: 'a1',
  isStream: false,
  uri: null,
  artworkUrl: null,
  isrc: null,
  sourceName: 'local',
  probe: 'ogg',
}

/** Every kind of text that titles hold: ASCII, Latin, CJK, emoji, joined emoji, RTL, controls, lone surrogates. */
const TEXTS = [
  '',
  'plain',
  'Café Ünï',
  '東京 — 夜',
  '🎵',
  '👩‍👩‍👧‍👦 family',
  'שלום עולם',
  'zero\u0000inside',
  'tab\tand\nline',
  '\ud800 lone',
  'lone \udfff',
  '\u07ff\u0800\uffff',
  '𝄞'.repeat(50),
  'é'.repeat(300),
]

const squeeze = (text: string) => truncate(text.replaceAll(/\s+/g, ' ').trim(), 500).trimEnd()

describe('track token', () => {
  it('comes back as it went in, for a thousand tracks of every kind', () => {
    for (const made of thousandTracks()) {
      const encoded = encodeToken(made)
      const { title, author } = made
      const decoded = { ...made, title: squeeze(title), author: squeeze(author) }
      expect(decodeToken(encoded)).to.deep.equal(decoded)
    }
  })

  it('is written byte for byte as lavaplayer writes it', () => {
    // Put together by hand from the order of fields: header, version, texts, length, flags, source, probe, position.
    const bytes = [
      '40000037 03 0003 61c3a9 0006 eda0bcedbeb5 000000000002bf28 0002 6131 00',
      '01 0001 75 00 01 0001 69 0004 68747470 0003 6d7033 0000000000000000',
    ]
    const made = { ...track, title: 'aé', author: '🎵', uri: 'u', isrc: 'i', sourceName: 'http', probe: 'mp3' }
    expect(Buffer.from(encodeToken(made), 'base64').toString('hex')).to.equal(bytes.join('').replaceAll(' ', ''))
  })

  it('says that a stream is endless in the way lavaplayer does', () => {
    const hex = Buffer.from(encodeToken({ ...track, lengthMs: 0, isStream: true }), 'base64').toString('hex')
    expect(hex).to.contain('7fffffffffffffff')
    expect(decodeToken(encodeToken({ ...track, lengthMs: 5, isStream: true })).lengthMs).to.equal(0)
  })

  it('takes tokens of versions 1 and 2, and those that leave the probe out', () => {
    const start = `${utf('t')}${utf('a')}${int64(5)}${utf('id')}00`
    const end = `${utf('youtube')}${int64(0)}`
    expect(decodeToken(message(`${start}${end}`, 0))).to.include({ title: 't', lengthMs: 5, sourceName: 'youtube' })
    expect(decodeToken(message(`01${start}${end}`))).to.include({ identifier: 'id', uri: null })
    expect(decodeToken(message(`02${start}01${utf('u')}${end}`))).to.include({ uri: 'u', artworkUrl: null })
    const bare = decodeToken(message(`03${start}000000${utf('http')}${int64(0)}`))
    expect(bare).to.include({ sourceName: 'http', probe: null })
  })

  it('skips the details that other sources add, and reads unknown lengths as 0', () => {
    const start = `03${utf('t')}${utf('a')}${int64(-1)}${utf('id')}00000000${utf('spotify')}`
    const found = decodeToken(message(`${start}01${utf('Album')}0000000000${int64(0)}`))
    expect(found).to.include({ sourceName: 'spotify', lengthMs: 0, probe: null })
  })

  it('cuts titles and authors at 500 characters after their white space was squeezed, and drops endless addresses', () => {
    const long = '\t\u2028 '.repeat(1000)
    const url = `https://example.org/${'a'.repeat(3000)}`
    const found = decodeToken(
      encodeToken({ ...track, title: `${long}a${long}b`, author: `${'a'.repeat(499)}🎵`, uri: url, artworkUrl: url }),
    )
    expect(found).to.include({ title: 'a b', author: 'a'.repeat(499), uri: null, artworkUrl: null })
    expect(decodeToken(encodeToken({ ...track, title: 'é'.repeat(9000) })).title).to.equal('é'.repeat(500))
  })

  it('forgives spaces that a query string made of plus signs', () => {
    const encoded = encodeToken({ ...track, title: '\u07ff\u07ff\u07ff>>>~~~' })
    expect(encoded).to.contain('+')
    expect(decodeToken(encoded.replaceAll('+', ' ')).title).to.equal('\u07ff\u07ff\u07ff>>>~~~')
  })

  it('refuses everything else on the field that the caller named', () => {
    const good = encodeToken(track)
    const bytes = Buffer.from(good, 'base64')
    const cut = (length: number) => bytes.subarray(0, length).toString('base64')
    for (const bad of [
      '',
      'x',
      'AAAA',
      'QAAAAA==',
      'not a token at all!!',
      good.slice(0, -4),
      `${good}AAAA`,
      good.replace(/.$/, '*'),
      `data:${good}`,
      cut(3),
      cut(30),
      'A'.repeat(40_000),
      'QAAAjQIAJVJpY2sgQXN0bGV5',
      message(`04${utf('t')}`),
      message(`00${utf('t')}`),
      message('03ffff61'),
      message(`03${utf('t')}${utf('a')}${int64(5)}${utf('id')}00000000${utf('youtube')}`),
      message(`03${utf('t')}${utf('a')}${int64(5)}${utf('id')}00000000${utf('http')}00ff41${int64(0)}`),
      ...['80', 'c3', 'c328', 'e28228', 'f09f8eb5', 'ff', 'e282'].map((hex) =>
        message(`03${(hex.length / 2).toString(16).padStart(4, '0')}${hex}${utf('a')}${int64(5)}${utf('')}`),
      ),
    ]) {
      const fault = refusal(bad)
      expect(fault.code, bad).to.equal('validation_error')
      expect(fault.reason).to.equal('unplayable')
    }
  })

  it('never fails in another way, no matter what the bytes are', () => {
    const random = numbers(2)
    const good = Buffer.from(encodeToken({ ...track, title: '🎵 é', uri: 'http://a/' }), 'base64')
    for (let i = 0; i < 5000; i++) {
      const bytes = Buffer.from(good)
      for (let n = 0; n <= random() * 4; n++) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256)
      if (random() < 0.5) bytes.writeUInt32BE((0x4000_0000 | (bytes.length - 4)) >>> 0)
      try {
        const read = decodeToken(bytes.toString('base64'))
        expect(decodeToken(encodeToken(read))).to.deep.equal(read)
      } catch (error) {
        expect(error).to.be.instanceOf(Fault)
      }
    }
  })

  it('can be written again from anything that was read, even at its greatest length', () => {
    const zeros = '00'.repeat(24_000)
    const texts = `${utf('t')}${utf('a')}${int64(5)}${(24_000).toString(16)}${zeros}00${utf('http')}${int64(0)}`
    const read = decodeToken(message(texts, 0))
    expect(read.identifier).to.have.length(24_000)
    expect(encodeToken(read)).to.be.a('string')
  })

  it('is read and written alike by Java itself, a thousand times with every kind of text', function () {
    if (spawnSync('java', ['-version'], { stdio: 'ignore' }).status !== 0) {
      console.log('      (there is no java here: only the vectors of this file were used)')
      return this.skip()
    }
    const made = thousandTracks()
    const tokens = made.map(encodeToken)
    // One compiler only, and no compiling of what runs for a moment: twice as fast to start.
    const java = ['-XX:TieredStopAtLevel=1', '-Xshare:auto', JAVA_READER]
    const output = execFileSync('java', java, {
      encoding: 'utf8',
      input: tokens.join('\n'),
      maxBuffer: 64 * 1024 * 1024,
    })
    const lines = output.trimEnd().split('\n')
    expect(lines).to.have.length(1000)
    for (const [i, it] of made.entries()) expect(lines[i]).to.equal(`${fieldsOf(it)} ${tokens[i]}`)
  })
})

/** Fields of a track in the format of the Java reader. */
function fieldsOf({ lengthMs, isStream, probe, ...it }: TrackInfo): string {
  const length = isStream ? '9223372036854775807' : lengthMs
  const start = [1, 3, hex(it.title), hex(it.author), length, hex(it.identifier), isStream]
  const end = [hex(it.uri), hex(it.artworkUrl), hex(it.isrc), hex(it.sourceName)]
  const isProbed = it.sourceName === 'http' || it.sourceName === 'local'
  return [...start, ...end, ...(isProbed ? [hex(probe ?? '')] : []), 0].join(' ')
}

function hex(text: string | null): string {
  return text === null ? '-' : `x${Buffer.from(text, 'utf16le').swap16().toString('hex')}`
}

function thousandTracks(): readonly TrackInfo[] {
  const random = numbers(1)
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T
  const maybe = <T>(value: T) => (random() < 0.5 ? value : null)
  /** Any code points there are: of the first planes mostly, halves of pairs among them. */
  const any = () =>
    Array.from({ length: Math.floor(random() * 40) }, () => {
      const most = pick([0x80, 0x800, 0x3000, 0x1_0000, 0x2_0000, 0x11_0000])
      return String.fromCodePoint(Math.floor(random() * most))
    }).join('')
  const words = () => pick([pick(TEXTS) + pick(TEXTS), any(), any() + pick(TEXTS)])
  return Array.from({ length: 1000 }, () => {
    const isStream = random() < 0.2
    const sourceName = pick(['http', 'local', 'youtube', 'soundcloud', 'bandcamp', 'spotify', 'radio'])
    return {
      title: words(),
      author: words(),
      lengthMs: isStream ? 0 : Math.floor(random() ** 4 * Number.MAX_SAFE_INTEGER),
      identifier: words(),
      isStream,
      uri: maybe(`https://example.com/${encodeURIComponent(pick(['a', 'ü', '音']))}`),
      artworkUrl: maybe(words()),
      isrc: maybe('USRC17607839'),
      sourceName,
      probe:
        sourceName === 'http' || sourceName === 'local' ? maybe(pick(['mp3', 'matroska/webm', 'm3u|hls-outer'])) : null,
    }
  })
}

function refusal(encoded: string): Fault {
  try {
    decodeToken(encoded)
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
  throw new Error(`${encoded} was taken for a token`)
}

function message(bodyHex: string, flags = 1): string {
  const header = (((flags << 30) | (bodyHex.length / 2)) >>> 0).toString(16).padStart(8, '0')
  return Buffer.from(header + bodyHex, 'hex').toString('base64')
}

function utf(ascii: string): string {
  return ascii.length.toString(16).padStart(4, '0') + Buffer.from(ascii).toString('hex')
}

function int64(value: number): string {
  return BigInt.asUintN(64, BigInt(value)).toString(16).padStart(16, '0')
}

/** The same pseudo-random numbers in every run. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
