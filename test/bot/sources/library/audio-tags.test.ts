import { expect } from 'chai'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileBytes, memoryBytes } from '../../../../bot/sources/http/random-access.ts'
import { readFacts, sniffBytes, type AudioFacts } from '../../../../bot/sources/library/audio-tags.ts'
import { sniff } from '../../../../bot/sources/http/sniff.ts'
import { makeAudio } from '../../../support/audio-files.ts'
import { temporaryFolder } from '../../../support/database.ts'

const tags = { title: 'Süße Nacht', artist: '東京 Trio', album: 'One' }
const opus = ['-c:a', 'libopus']

/** File, options of ffmpeg, probe, codec, whether its tags can be read. */
const KINDS: readonly (readonly [string, readonly string[], string | null, AudioFacts['codec'], boolean])[] = [
  ['song.mp3', [], 'mp3', 'other', true],
  ['no-lengths.mp3', ['-write_xing', '0', '-q:a', '4'], 'mp3', 'other', true],
  ['song.flac', [], 'flac', 'other', true],
  ['song.opus', opus, 'ogg', 'ogg-opus', true],
  ['surround.opus', [...opus, '-ac', '6', '-mapping_family', '1'], 'ogg', 'other', true],
  ['song.ogg', ['-c:a', 'libvorbis'], 'ogg', 'other', true],
  ['song.m4a', ['-c:a', 'aac'], 'mp4', 'other', true],
  ['song.webm', opus, 'matroska/webm', 'webm-opus', true],
  ['song.mka', opus, 'matroska/webm', 'other', true],
  ['song.wav', [], 'wav', 'other', true],
  ['song.aac', ['-c:a', 'aac'], 'adts', 'other', false],
  ['song.wma', [], null, 'other', true],
]

async function factsOf(path: string): Promise<AudioFacts | null> {
  const bytes = await fileBytes(path)
  try {
    const found = await sniffBytes(bytes)
    if (found.kind !== 'audio') throw new Error(`${path} is taken for ${JSON.stringify(found)}`)
    return await readFacts(bytes, found, true)
  } finally {
    await bytes.close()
  }
}

describe('what audio files say of themselves', () => {
  const folder = temporaryFolder()
  after(() => folder.remove())

  for (const [name, options, probe, codec, hasTags] of KINDS) {
    it(`is read from ${name}`, async () => {
      const facts = await factsOf(makeAudio(join(folder.path, name), { seconds: 3, tags, options }))
      expect(facts).to.include({ probe, codec })
      if (hasTags) expect(facts).to.include({ title: tags.title, artist: tags.artist })
      expect(facts?.lengthMs).to.be.closeTo(3000, 60)
    })
  }

  it('is the same no matter what the file is called', async () => {
    const bytes = readFileSync(makeAudio(join(folder.path, 'plain.flac'), { tags }))
    writeFileSync(join(folder.path, 'plain.jpg'), bytes)
    expect(await factsOf(join(folder.path, 'plain.jpg'))).to.include({ probe: 'flac', title: tags.title })
  })

  it('is nothing for a film without sound, and no codec to pass on for one with sound', async () => {
    const picture = ['-v', 'error', '-y', '-f', 'lavfi', '-i', 'testsrc=duration=0.5:size=64x64']
    const tone = ['-f', 'lavfi', '-i', 'sine=duration=0.5', '-c:v', 'libvpx', ...opus]
    const [silent, loud] = [join(folder.path, 'silent.mp4'), join(folder.path, 'loud.webm')]
    execFileSync('ffmpeg', [...picture, silent])
    execFileSync('ffmpeg', [...picture, ...tone, loud])
    expect(await factsOf(silent)).to.equal(null)
    expect(await factsOf(loud)).to.include({ codec: 'other' })
  })

  it('is read as far as it goes from a file that is cut', async () => {
    const whole = readFileSync(makeAudio(join(folder.path, 'whole.opus'), { seconds: 2, tags, options: opus }))
    for (const share of [0.02, 0.3, 0.6]) {
      writeFileSync(join(folder.path, 'cut.opus'), whole.subarray(0, Math.ceil(whole.length * share)))
      const facts = await factsOf(join(folder.path, 'cut.opus'))
      expect(facts?.probe).to.equal('ogg')
      expect(facts?.lengthMs).to.be.within(0, 2000)
    }
  })

  it('survives hundreds of damaged files', async () => {
    const wholes = KINDS.filter(([name]) => !name.endsWith('wav')).map(([name]) =>
      readFileSync(makeAudio(join(folder.path, `d-${name}`), { seconds: 0.2, tags })),
    )
    let state = 7
    const random = (below: number) => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) % below
    for (let i = 0; i < 300; i++) {
      const bytes = Buffer.from(wholes[i % wholes.length] ?? '')
      for (let n = random(20); n >= 0; n--) bytes[random(n % 2 ? bytes.length : 200)] = random(256)
      const found = sniff(bytes)
      if (found.kind === 'audio') await readFacts(memoryBytes(bytes), found, i % 2 === 0)
    }
  })
})

describe('what first bytes are taken for', () => {
  const kinds: readonly (readonly [string, string | Buffer])[] = [
    ['a web page', '<!DOCTYPE html><title>Song</title>'],
    ['a web page', '\ufeff \n<!-- a --><!-- b --><HTML lang=en>'],
    ['an image', Buffer.from('89504e470d0a1a0a', 'hex')],
    ['an image', Buffer.from('ffd8ffe000104a464946', 'hex')],
    ['an image', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['an image', '\0\0\0\x1cftypavif'],
    ['an XML document', '<?xml version="1.0"?><rss/>'],
    ['data (JSON)', '{"error": true}'],
    ['a text file', 'Just some words, nothing more.'],
    ['a text file', 'root:x:0:0:root:/root:/bin/bash\n'],
    ['a PDF document', '%PDF-1.7'],
    ['an archive', Buffer.from('504b0304', 'hex')],
    ['nothing', ''],
    ['an unknown audio format', Buffer.from(Array.from({ length: 9000 }, (_, i) => (i * 7919) % 251))],
  ]
  for (const [what, bytes] of kinds) {
    it(`${what}: ${JSON.stringify(bytes.toString().slice(0, 20))}`, () => {
      expect(sniff(Buffer.from(bytes as string))).to.deep.equal({ kind: 'other', what })
    })
  }

  it('tells playlists apart, and HLS from a plain list', () => {
    expect(formatOf('#EXTM3U\n#EXTINF:5,a\na.mp3')).to.equal('m3u')
    expect(formatOf('#EXTM3U\n#EXT-X-VERSION:3\n')).to.equal('hls')
    expect(formatOf('http://a.test/one\r\nhttp://a.test/two')).to.equal('m3u')
    expect(formatOf('[Playlist]\nFile1=http://a.test/')).to.equal('pls')
    expect(formatOf('<?xml version="1.0"?>\n<!-- x --><playlist version="1">')).to.equal('xspf')
  })

  it('takes no time over text made to be hard', () => {
    const startedMs = performance.now()
    sniff(Buffer.from('<!--'.repeat(4000)))
    sniff(Buffer.from('<!-- -->'.repeat(4000)))
    sniff(Buffer.from(`<?xml ${'?'.repeat(8000)}`))
    expect(performance.now() - startedMs).to.be.lessThan(5000)
  })
})

function formatOf(text: string): string | undefined {
  const found = sniff(Buffer.from(text))
  return found.kind === 'playlist' ? found.format : undefined
}
