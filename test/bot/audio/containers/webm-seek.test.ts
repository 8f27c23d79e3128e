import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { TrackBytes } from '../../../../bot/audio/input/bytes.ts'
import { passThrough } from '../../../../bot/audio/input/passthrough.ts'
import { readOggPackets } from '../../../../packages/sandbox/test/voice/ogg-reader.ts'
import { drain } from '../draining.ts'
import { tempFolder } from '../folder.ts'

const SECONDS = 60
const PIECE_BYTES = 16 * 1024

function ffmpeg(...args: readonly string[]): void {
  execFileSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args])
}

describe('a position in a WebM file', () => {
  const folder = tempFolder()
  let packets: readonly Buffer[] = []
  before(() => {
    const noise = ['-f', 'lavfi', '-i', `anoisesrc=d=${SECONDS}:a=0.1:r=48000`]
    ffmpeg(...noise, '-c:a', 'libopus', '-compression_level', '0', folder.path('noise.ogg'))
    packets = readOggPackets(readFileSync(folder.path('noise.ogg'))).map(({ bytes }) => bytes)
  })

  /** The packets in another file, and how much of it is read. */
  function copied(name: string, ...options: string[]) {
    const path = folder.path(name)
    ffmpeg('-i', folder.path('noise.ogg'), ...options, '-c:a', 'copy', path)
    const content = readFileSync(path)
    let readBytes = 0
    const bytes: TrackBytes = {
      sizeBytes: content.length,
      isSeekable: true,
      state: null,
      async *read(fromByte) {
        for (let at = fromByte; at < content.length; at += PIECE_BYTES) {
          const piece = content.subarray(at, at + PIECE_BYTES)
          readBytes += piece.length
          yield await Promise.resolve(piece)
        }
      },
      close: () => undefined,
    }
    return { bytes, content, readBytes: () => readBytes }
  }

  async function startAt(bytes: TrackBytes, ms: number) {
    const source = (await passThrough({ bytes, container: 'webm-opus', startSamples: ms * 48 }))!
    expect(source.startSamples).to.be.closeTo(ms * 48, 480)
    expect(source.startSamples % 960).to.equal(0)
    const got = await drain(source, 100)
    const at = source.startSamples / 960
    expect(Buffer.concat(got).equals(Buffer.concat(packets.slice(at, at + got.length)))).to.equal(true)
    expect(got).to.have.length.within(Math.min(100, SECONDS * 50 - at), 101)
  }

  const video = ['-f', 'lavfi', '-i', `testsrc=s=64x48:r=5:d=${SECONDS}`, '-c:v', 'libvpx', '-b:v', '50k', '-g', '50']
  for (const [what, name, ...options] of [
    ['whose index stands at its end', 'end.webm'],
    ['whose index stands at its beginning', 'front.webm', '-cues_to_front', '1'],
    ['whose index is of the picture', 'video.webm', ...video, '-map', '0:a', '-map', '1:v'],
    ['of Matroska', 'other.mka'],
  ] as const) {
    it(`${what} is found without reading what lies before it`, async () => {
      const file = copied(name, ...options)
      for (const ms of [7_010, 31_337, 52_000, SECONDS * 1000 - 500]) {
        const before = file.readBytes()
        await startAt(file.bytes, ms)
        // To fill the window it reads on; nothing is read twice but the header.
        const rest = file.content.length * (1 - ms / 1000 / SECONDS)
        expect(file.readBytes() - before, `${ms} ms`).to.be.below(rest + 400_000)
      }
    })
  }

  it('is found from the start where there is no index', async () => {
    const { bytes } = copied('live.webm', '-live', '1')
    for (const ms of [0, 20, 40_000]) await startAt(bytes, ms)
  })

  it('is found, or what is played is another matter, when the index leads astray: never is it a wrong place', async () => {
    const { bytes, content } = copied('astray.webm')
    const cues = content.lastIndexOf(Buffer.from([0x1c, 0x53, 0xbb, 0x6b]))
    for (const fill of [0xff, 0x00, 0x81]) {
      content.fill(fill, cues + 12)
      const source = await passThrough({ bytes, container: 'webm-opus', startSamples: 30_000 * 48 })
      if (!source) continue
      const [first] = await drain(source, 1)
      expect(first!.equals(packets[source.startSamples / 960]!)).to.equal(true)
    }
  })
})
