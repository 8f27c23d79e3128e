import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { openTrackStore } from '../../../../bot/audio/cache/store.ts'
import { createTrackCache } from '../../../../bot/audio/cache/track-cache.ts'
import { createFfmpeg } from '../../../../bot/audio/ffmpeg/ffmpeg.ts'
import { createFrameOpener } from '../../../../bot/audio/input/open-frames.ts'
import type { Audible } from '../../../../bot/audio/node/protocol.ts'
import { createCounters } from '../../../../bot/audio/node/counters.ts'
import { PLAIN } from '../../../../bot/audio/ffmpeg/filter-graph.ts'
import { createEgress } from '../../../../upstream/egress/egress-guard.ts'
import { trackAccess } from '../../../support/track-access.ts'
import { eventually } from '../../../support/service.ts'
import { amplitude, decibels, decodeFrames, slice } from '../../../support/sound.ts'
import { drain } from '../draining.ts'
import { tempFolder } from '../folder.ts'
import { ffmpegOnce } from '../../../support/made-once.ts'

const HZ = 600
const SECONDS = 20
const MOST = 64 * 1024 * 1024

async function level(frames: readonly Buffer[]) {
  const { left } = slice(await decodeFrames(frames), 1, 4)
  return decibels(amplitude(left, HZ), 1)
}

describe('a track from elsewhere that is played for the first time', () => {
  const folder = tempFolder()
  const egress = createEgress({ allowHosts: ['127.0.0.1'] })
  const access = trackAccess(egress)
  const asked: { range: string | undefined; response: ServerResponse }[] = []
  const sound: Record<string, Buffer> = {}
  /** Bytes of a response from the start of the file that are sent before `goOn` resolves. */
  let holdAtBytes = Infinity
  let goOn = Promise.withResolvers<void>()
  const server = createServer((request, response) => {
    const bytes = sound[(request.url ?? '').slice(1)]!
    const { range } = request.headers
    asked.push({ range, response })
    const from = Number(/^bytes=(\d+)-/.exec(range ?? '')?.[1] ?? 0)
    const headers = { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}`, etag: '"1"' }
    response.writeHead(206, { ...headers, 'content-length': bytes.length - from })
    if (from > 0 || holdAtBytes >= bytes.length) return void response.end(bytes.subarray(from))
    response.write(bytes.subarray(0, holdAtBytes))
    void goOn.promise.then(() => response.end(bytes.subarray(holdAtBytes)))
  })

  before(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const tone = `aevalsrc=0.3*sin(${HZ}*2*PI*t)|0.3*sin(${HZ}*2*PI*t):s=44100:d=${SECONDS}`
    for (const [name, ...options] of [
      ['tone.mp3', '-b:a', '192k'],
      // The index is at the end of the file.
      ['tone.m4a', '-b:a', '192k'],
      ['wave.mov', '-c:a', 'pcm_s16le'],
      ['tone.opus', '-c:a', 'libopus'],
    ] as const) {
      ffmpegOnce(['-f', 'lavfi', '-i', tone, ...options], folder.path(name))
      sound[name] = readFileSync(folder.path(name))
    }
  })
  beforeEach(() => {
    asked.length = 0
    holdAtBytes = Infinity
    goOn = Promise.withResolvers()
  })
  after(async () => {
    await egress.close()
    server.closeAllConnections()
    server.close()
  })

  async function setUp(name: string, maxBytes = MOST) {
    const store = await openTrackStore({ folder: folder.path(name), maxBytes })
    const counters = createCounters()
    const errors: unknown[] = []
    const onError = (error: unknown) => void errors.push(error)
    const cache = createTrackCache({ store, access, counters, ffmpeg: createFfmpeg(), targetLufs: -14, onError })
    const opener = createFrameOpener(access, { counters, cache })
    return {
      counters,
      errors,
      open: (path: string, startMs = 0) => {
        const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${path}`
        const codec = path.endsWith('.opus') ? 'ogg-opus' : 'other'
        const track: Audible = { kind: 'http', url, codec, isStream: false, identity: `http ${path}` }
        const wish = {
          startSamples: startMs * 48,
          filterGraph: { ...PLAIN, isLevelled: true },
          onTitle: () => undefined,
        }
        return opener.open(track, wish, new AbortController().signal)
      },
      kept: () => eventually(() => counters.pressed, Boolean),
      files: () => readdirSync(folder.path(name)),
      close: async () => {
        await cache.close()
        await opener.close()
      },
    }
  }

  const ranges = () => asked.map(({ range }) => range)

  it('is fetched once: to play it, to measure it and to keep it', async () => {
    const { open, kept, files, close, errors } = await setUp('once')
    const source = await open('tone.mp3')
    const frames = await drain(source)
    expect(frames.length).to.be.closeTo(SECONDS * 50, 3)
    expect(await level(frames)).to.be.closeTo(20 * Math.log10(0.3), 0.5)
    await kept()
    expect(ranges()).to.deep.equal(['bytes=0-'])
    source.close()
    await eventually(files, (names) => names.length === 2)
    await close()
    expect(errors).to.deep.equal([])
  })

  it('is fetched once by all who play it meanwhile, and no one waits for its end', async () => {
    holdAtBytes = 300_000
    const { open, kept, close } = await setUp('shared')
    const one = await open('tone.mp3')
    const other = await open('tone.mp3')
    await Promise.all([one.ready(300), other.ready(300)])
    // The second one only asked whether it is still the same.
    await eventually(() => asked[1]?.response.closed, Boolean)
    expect(asked[0]?.response.closed).to.equal(false)
    goOn.resolve()
    const [first, second] = await Promise.all([drain(one), drain(other)])
    expect(first.length).to.be.closeTo(SECONDS * 50, 3)
    expect(second.length).to.equal(first.length)
    await kept()
    expect(asked).to.have.length(2)
    await close()
  })

  it('is asked for what lies far ahead on its own: an index at the end, a position', async () => {
    holdAtBytes = 100_000
    const { open, kept, close } = await setUp('ahead')
    const source = await open('wave.mov', 15_000)
    await source.ready(100)
    expect(ranges()[0]).to.equal('bytes=0-')
    expect(asked[0]?.response.closed).to.equal(false)
    const beyond = ranges().map((range) => Number(/\d+/.exec(range!)![0]))
    expect(Math.max(...beyond)).to.be.above(2_000_000)
    goOn.resolve()
    source.close()
    await kept()
    expect(ranges().filter((range) => range === 'bytes=0-')).to.have.length(1)
    await close()
  })

  it('is kept though no one listened to its end', async () => {
    holdAtBytes = 100_000
    const { open, kept, close, files } = await setUp('left')
    const source = await open('tone.m4a')
    source.close()
    goOn.resolve()
    await kept()
    await eventually(files, (names) => names.length === 2)
    await close()
  })

  it('leaves nothing on the disk when it breaks off, or when the player goes with the service', async () => {
    const { open, close, files } = await setUp('gone')
    holdAtBytes = 200_000
    const source = await open('tone.opus')
    await source.ready(100)
    await close()
    source.close()
    expect(files()).to.deep.equal([])
    goOn.resolve()
  })

  it('is played without the disk where it does not fit', async () => {
    const { open, close, files } = await setUp('small', 1_000_000)
    const source = await open('tone.mp3')
    expect((await drain(source)).length).to.be.closeTo(SECONDS * 50, 3)
    source.close()
    await close()
    expect(files().filter((name) => name.endsWith('.part'))).to.deep.equal([])
  })
})
