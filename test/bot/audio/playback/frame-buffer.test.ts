import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { createFrameOpener } from '../../../../bot/audio/input/open-frames.ts'
import { filterGraphOf } from '../../../../bot/audio/ffmpeg/filter-graph.ts'
import { OggOpusDemuxer } from '../../../../bot/audio/containers/ogg.ts'
import { packetSamples, parseOpusHead } from '../../../../bot/audio/containers/opus.ts'
import { WebmOpusDemuxer } from '../../../../bot/audio/containers/webm.ts'
import type { FrameSource } from '../../../../bot/audio/playback/frame-buffer.ts'
import type { Playable } from '../../../../bot/sources/source.ts'
import { createEgress } from '../../../../upstream/egress/egress-guard.ts'
import { trackAccess } from '../../../support/track-access.ts'
import { readOggPackets } from '../../../../packages/sandbox/test/voice/ogg-reader.ts'
import { amplitude, decibels, decodeFrames, slice } from '../../../support/sound.ts'
import { drain } from '../draining.ts'
import { tempFolder } from '../folder.ts'
import { isRunning, untilGone } from '../processes.ts'
import { ffmpegOnce } from '../../../support/made-once.ts'

const LEFT = 500
const RIGHT = 1250

describe('frames of a track', function () {
  const folder = tempFolder()
  const egress = createEgress({ allowHosts: ['127.0.0.1'] })
  const opener = createFrameOpener(trackAccess(egress))
  after(async () => {
    await opener.close()
    await egress.close()
  })

  /** 4 s with a tone of its own on each side, at -20 dB; its name says what it is. */
  function make(name: string, ...options: string[]): string {
    const tones = `aevalsrc=0.1*sin(${LEFT}*2*PI*t)|0.1*sin(${RIGHT}*2*PI*t):s=48000:d=4`
    ffmpegOnce(['-f', 'lavfi', '-i', tones, ...options], folder.path(name))
    return folder.path(name)
  }

  async function open(playable: Playable, startMs = 0, volume = 100): Promise<FrameSource> {
    const wish = { startSamples: startMs * 48, filterGraph: filterGraphOf(volume, {}, false), onTitle: () => undefined }
    return opener.open(playable, wish, new AbortController().signal)
  }

  let ogg = ''
  let webm = ''
  before(() => {
    ogg = make('tones.ogg', '-c:a', 'libopus', '-b:a', '128k')
    webm = make('tones.webm', '-c:a', 'libopus', '-b:a', '128k')
  })

  for (const size of [13, 1000, 100_000]) {
    it(`come out of Ogg as an independent reader sees them, in pieces of ${size} bytes`, () => {
      const bytes = readFileSync(ogg)
      const demuxer = new OggOpusDemuxer()
      const packets: Buffer[] = []
      for (let at = 0; at < bytes.length; at += size)
        packets.push(...copies(demuxer.push(bytes.subarray(at, at + size))))
      expect(packets.map((packet) => packet.toString('base64'))).to.deep.equal(
        readOggPackets(bytes).map((packet) => packet.bytes.toString('base64')),
      )
    })

    it(`come out of WebM as out of the same packets in Ogg, in pieces of ${size} bytes`, () => {
      execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', webm, '-c', 'copy', folder.path('copied.ogg')])
      const bytes = readFileSync(webm)
      const demuxer = new WebmOpusDemuxer()
      const packets: Buffer[] = []
      for (let at = 0; at < bytes.length; at += size)
        packets.push(...copies(demuxer.push(bytes.subarray(at, at + size))))
      const expected = readOggPackets(readFileSync(folder.path('copied.ogg'))).map((packet) => packet.bytes)
      expect(Buffer.concat(packets).equals(Buffer.concat(expected))).to.equal(true)
      expect(packets).to.have.length(expected.length)
    })
  }

  it('find their way again after damage within an Ogg file', () => {
    const bytes = readFileSync(ogg)
    const whole = readOggPackets(bytes).length
    bytes.fill(0xaa, 40_000, 41_000)
    const packets = new OggOpusDemuxer().push(bytes)
    expect(packets.length).to.be.within(whole - 110, whole - 1)
  })

  it('are measured by their first bytes', () => {
    expect(packetSamples(Buffer.from([0xfc, 1]))).to.equal(960)
    expect(packetSamples(Buffer.from([0xe0]))).to.equal(120)
    expect(packetSamples(Buffer.from([0x18, 1]))).to.equal(2880)
    expect(packetSamples(Buffer.from([0xfb, 3]))).to.equal(2880)
    expect(packetSamples(Buffer.alloc(0))).to.equal(0)
    expect(parseOpusHead(Buffer.from('OpusTags and something else'))).to.equal(null)
  })

  for (const [name, codec] of [
    ['tones.ogg', 'ogg-opus'],
    ['tones.webm', 'webm-opus'],
  ] as const) {
    it(`pass through from ${name} untouched, and from the middle at the right packet`, async () => {
      const all = await drain(await open(file(folder.path(name), codec)))
      expect(all).to.have.length.within(200, 201)
      const middle = await open(file(folder.path(name), codec), 2510)
      expect(middle.startSamples).to.be.closeTo(2510 * 48, 480)
      const rest = await drain(middle)
      expect(Buffer.concat(rest).equals(Buffer.concat(all.slice(-rest.length)))).to.equal(true)
      expect(rest).to.have.length.within(74, 77)
    })
  }

  it('are the same after a jump far into a long Ogg file, found without reading it all', async () => {
    const input = ['-f', 'lavfi', '-i', 'anoisesrc=d=120:a=0.1:r=48000']
    ffmpegOnce([...input, '-c:a', 'libopus', '-compression_level', '0'], folder.path('long.ogg'))
    const all = readOggPackets(readFileSync(folder.path('long.ogg')))
    const source = await open(file(folder.path('long.ogg'), 'ogg-opus'), 92_100)
    const [first] = await drain(source, 1)
    expect(first?.equals(all[Math.round(source.startSamples / 960)]!.bytes)).to.equal(true)
    expect(source.startSamples).to.be.closeTo(92_100 * 48, 480)
  })

  it('of other lengths than 20 ms, of several streams or of no Opus at all go through ffmpeg', async () => {
    const long = make('long-frames.ogg', '-c:a', 'libopus', '-frame_duration', '60')
    const mono = make('short-frames.webm', '-ac', '1', '-c:a', 'libopus', '-frame_duration', '2.5')
    const around = make('around.ogg', '-ac', '6', '-c:a', 'libopus', '-mapping_family', '1')
    const lying = make('lying.mp3')
    for (const playable of [
      file(long, 'ogg-opus'),
      file(mono, 'webm-opus'),
      file(around, 'ogg-opus'),
      file(lying, 'ogg-opus'),
    ]) {
      const frames = await drain(await open(playable))
      expect(frames.length).to.be.within(199, 204)
      expect(frames.every((frame) => packetSamples(frame) === 960)).to.equal(true)
    }
  })

  for (const [name, ...options] of [
    ['level.mp3', '-b:a', '192k'],
    ['level.flac'],
    ['level.m4a', '-b:a', '192k'],
    ['level.wav'],
    ['low-rate.wav', '-ar', '22050'],
  ] as const) {
    it(`have the level of ${name} on the right sides, and -6 dB at volume 50`, async () => {
      const path = make(name, ...options)
      for (const [volume, change] of [
        [100, 0],
        [50, -6.02],
      ] as const) {
        const sound = await decodeFrames(await drain(await open(file(path), 0, volume), 150))
        const { left, right } = slice(sound, 1, 2.5)
        expect(decibels(amplitude(left, LEFT), 0.1)).to.be.closeTo(change, 0.5)
        expect(decibels(amplitude(right, RIGHT), 0.1)).to.be.closeTo(change, 0.5)
        expect(amplitude(left, RIGHT)).to.be.below(0.002)
      }
    })
  }

  it('have the level of a mono file on both sides', async () => {
    const path = folder.path('mono.wav')
    const tone = ['-f', 'lavfi', '-i', `aevalsrc=0.1*sin(${LEFT}*2*PI*t):s=44100:d=3`]
    ffmpegOnce(tone, path)
    const { left, right } = slice(await decodeFrames(await drain(await open(file(path)))), 1, 2.5)
    expect(decibels(amplitude(left, LEFT), 0.1)).to.be.closeTo(0, 0.5)
    expect(decibels(amplitude(right, LEFT), 0.1)).to.be.closeTo(0, 0.5)
  })

  it('that cannot be had are refused with the reason, and without the path', async () => {
    const text = folder.path('text.mp3')
    execFileSync('sh', ['-c', `yes nonsense | head -c 100000 > ${text}`])
    for (const path of [text, folder.path('missing.mp3'), folder.path('missing.ogg')]) {
      const failure = await open(file(path, path.endsWith('ogg') ? 'ogg-opus' : 'other')).catch((error: Error) => error)
      expect(failure).to.be.instanceOf(Error)
      expect((failure as Error).message).to.match(
        /^The (service can't decode this track|file of this track is missing)/,
      )
      expect((failure as Error).message).not.to.contain(folder.path(''))
    }
  })

  it('never come from a playlist that names other files', async () => {
    const path = folder.path('list.mp3')
    execFileSync('sh', ['-c', `printf '#EXTM3U\n#EXTINF:8,\nfile://${ogg}\n' > ${path}`])
    const failure = await open(file(path)).catch((error: unknown) => error)
    expect(failure).to.include({ code: 'upstream_failed' })
  })

  it('end ffmpeg when no one wants them any more', async () => {
    const path = folder.path('endless.flac')
    // Short files are decoded immediately, and ffmpeg ends.
    ffmpegOnce(['-f', 'lavfi', '-i', 'sine=duration=600'], path)
    const source = await open(file(path))
    expect(isRunning('endless.flac')).to.equal(true)
    source.close()
    await untilGone('endless.flac')
  })
})

/** Copies packets, since the demuxer reuses their memory. */
function copies(packets: readonly Buffer[]): readonly Buffer[] {
  return packets.map((packet) => Buffer.from(packet))
}

function file(path: string, codec: Playable['codec'] = 'other'): Playable {
  return { kind: 'file', path, codec }
}
