import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { gainTo, needsTruePeak, readSummary } from '../../../../bot/audio/cache/loudness.ts'
import { keyOf, openTrackStore } from '../../../../bot/audio/cache/store.ts'
import { createTrackCache } from '../../../../bot/audio/cache/track-cache.ts'
import { createFfmpeg } from '../../../../bot/audio/ffmpeg/ffmpeg.ts'
import { createFrameOpener, type OpenFrames } from '../../../../bot/audio/input/open-frames.ts'
import type { Audible } from '../../../../bot/audio/node/protocol.ts'
import { createCounters } from '../../../../bot/audio/node/counters.ts'
import { PLAIN } from '../../../../bot/audio/ffmpeg/filter-graph.ts'
import { createEgress } from '../../../../upstream/egress/egress-guard.ts'
import { trackAccess } from '../../../support/track-access.ts'
import { eventually } from '../../../support/service.ts'
import { amplitude, decibels, decodeFrames, longestSilenceMs, slice } from '../../../support/sound.ts'
import { createBench } from '../playback/track-player-bench.ts'
import { drain } from '../draining.ts'
import { tempFolder } from '../folder.ts'
import { ffmpegOnce } from '../../../support/made-once.ts'

const HZ = 1000
const MOST = 64 * 1024 * 1024
const SOUND = { volume: 100, muted: false, paused: false, isLevelled: true }
/** Milliseconds per frame; even a busy machine is ready before the track ends. */
const SLOWLY = 100
const PLAY = { botId: '1', guildId: '2', playId: 1, positionMs: 0, ...SOUND }
const LEVELLED = { ...PLAIN, isLevelled: true }

async function* pieces(...all: Buffer[]) {
  yield* all
}

async function* broken(of: Buffer) {
  yield of.subarray(0, 5000)
  throw new Error('broken off')
}

describe('tracks that were encoded once', function () {
  const folder = tempFolder()
  const egress = createEgress({ allowHosts: [] })
  const access = trackAccess(egress)
  after(() => egress.close())
  const tone = (name: string, level: number, ...options: string[]): Audible => {
    const sound = `aevalsrc=${level}*sin(${HZ}*2*PI*t)|${level}*sin(${HZ}*2*PI*t):s=48000:d=12`
    ffmpegOnce(['-f', 'lavfi', '-i', sound, ...options], folder.path(name))
    const codec = name.endsWith('.opus') ? 'ogg-opus' : 'other'
    return { kind: 'file', path: folder.path(name), codec, identity: `local ${name}` }
  }
  let ogg: Buffer
  before(() => {
    tone('any.opus', 0.1, '-c:a', 'libopus')
    ogg = readFileSync(folder.path('any.opus'))
  })

  /** A cache in a folder of its own, and what opens tracks with it. */
  async function setUp(name: string) {
    const store = await openTrackStore({ folder: folder.path(name), maxBytes: MOST })
    const counters = createCounters()
    const errors: unknown[] = []
    const onError = (error: unknown) => void errors.push(error)
    const cache = createTrackCache({ store, access, counters, ffmpeg: createFfmpeg(), targetLufs: -14, onError })
    const opener = createFrameOpener(access, { counters, cache })
    const open: OpenFrames = async (track, wish, signal) => {
      const source = await opener.open(track, wish, signal)
      await source.ready(150)
      return source
    }
    /** Resolves when the track was made ready. */
    const ready = (track: Audible) =>
      new Promise<void>((resolve, reject) => {
        opener.prefetch(track, LEVELLED, resolve).catch(reject)
      })
    const hear = async (track: Audible, startSamples = 0) => {
      const wish = { startSamples, filterGraph: LEVELLED, onTitle: () => undefined }
      const frames = await drain(await opener.open(track, wish, new AbortController().signal), 100)
      const { left } = slice(await decodeFrames(frames), 0.2, 1.8)
      return decibels(amplitude(left, HZ), 1)
    }
    const close = async () => {
      await cache.close()
      await opener.close()
      expect(errors).to.deep.equal([])
    }
    return { store, counters, opener, open, ready, hear, close, files: () => readdirSync(folder.path(name)) }
  }

  describe('in their folder', () => {
    const key = keyOf('local a', '1')

    it('are there for all who share it, whole, whichever of two writers is first', async () => {
      const path = folder.path('shared')
      const [one, other] = await Promise.all([1, 2].map(() => openTrackStore({ folder: path, maxBytes: MOST })))
      await Promise.all(
        [one!, other!].map((store) => store.put(key, -3.2, pieces(ogg.subarray(0, 999), ogg.subarray(999)))),
      )
      await one!.putLoudness(key, { lufs: -9, peakDb: -0.5, isTruePeak: false })
      const bytes = (await other!.open(key, -3.2))!
      expect(bytes.sizeBytes).to.equal(ogg.length)
      const read: Buffer[] = []
      for await (const chunk of bytes.read(5000)) read.push(chunk)
      expect(Buffer.concat(read).equals(ogg.subarray(5000))).to.equal(true)
      bytes.close()
      expect(await other!.loudnessOf(key)).to.deep.equal({ lufs: -9, peakDb: -0.5, isTruePeak: false })
      expect(await other!.open(key, 0)).to.equal(null)
      expect(readdirSync(path)).to.have.length(2)
    })

    it('never appear half-written: not when they break off, not after kill -9 of who wrote, which is swept away', async () => {
      const path = folder.path('killed')
      const store = await openTrackStore({ folder: path, maxBytes: MOST })
      const refused = await store.put(key, 0, broken(ogg)).catch((error: Error) => error.message)
      expect(refused).to.equal('broken off')
      expect(readdirSync(path)).to.deep.equal([])
      const writer = fork(join(import.meta.dirname, '../../../support/endless-writer.ts'), [path])
      await eventually(() => readdirSync(path).some((name) => statSync(join(path, name)).size > 0), Boolean)
      await store.evict()
      expect(readdirSync(path), 'somebody is writing').to.have.length(1)
      writer.kill('SIGKILL')
      await once(writer, 'exit')
      expect(await store.open(key, 0)).to.equal(null)
      await (await openTrackStore({ folder: path, maxBytes: MOST })).evict()
      expect(readdirSync(path)).to.deep.equal([])
    })

    it('are bounded: the least recently used ones go, and none that is too large comes in', async () => {
      const path = folder.path('bounded')
      const store = await openTrackStore({ folder: path, maxBytes: 20 * ogg.length })
      const keys = Array.from({ length: 21 }, (_, i) => keyOf(`local ${i}`, ''))
      for (const [i, one] of keys.slice(0, 19).entries()) {
        await store.put(one, 0, pieces(ogg))
        utimesSync(join(path, `${one}.0.0.opus`), i + 1, i + 1)
      }
      ;(await store.open(keys[0]!, 0))!.close()
      await store.put(keys[19]!, 0, pieces(ogg))
      await store.put(keys[20]!, 0, pieces(ogg))
      expect(await Promise.all(keys.map((one) => store.has(one, 0)))).to.deep.equal(
        keys.map((_, i) => i === 0 || i > 2),
      )
      expect(store.bytes).to.be.within(18 * ogg.length, 20 * ogg.length)
      const large = await store.put(key, 0, pieces(ogg, ogg, ogg)).catch((error: Error) => error.message)
      expect(large).to.equal('The file is too large for the cache.')
    })

    it('are dropped when their end is missing', async () => {
      const path = folder.path('cut')
      const store = await openTrackStore({ folder: path, maxBytes: MOST })
      await store.put(key, 0, pieces(ogg))
      truncateSync(join(path, `${key}.0.0.opus`), ogg.length - 100)
      expect(await store.open(key, 0)).to.equal(null)
      expect(readdirSync(path)).to.deep.equal([])
    })
  })

  it('play again without a decoder, and from any position', async () => {
    const { opener, counters, ready, hear, close } = await setUp('again')
    const track = tone('again.mp3', 0.2)
    const wish = { startSamples: 0, filterGraph: LEVELLED, onTitle: () => undefined }
    const first = await opener.open(track, wish, new AbortController().signal)
    await ready(track)
    first.close()
    expect(counters).to.include({ transcodes: 1, cacheHits: 0, cacheMisses: 1, pressed: 1, measured: 1 })
    await hear(track)
    await hear(track, 10 * 48_000)
    expect(counters).to.include({ transcodes: 1, cacheHits: 1, cacheMisses: 1 })
    // The same name for another file is another track.
    tone('again.mp3', 0.1)
    await hear(track)
    expect(counters).to.include({ transcodes: 2, cacheMisses: 2 })
    await close()
  })

  it('are equally loud, but never so loud that they clip, and silence stays silent', async () => {
    const { ready, hear, close } = await setUp('loud')
    const tracks = [tone('loud.flac', 0.9), tone('quiet.mp3', 0.05), tone('loud.opus', 0.9, '-c:a', 'libopus')]
    for (const track of tracks) await ready(track)
    const levels = []
    for (const track of tracks) levels.push(await hear(track))
    // A sine of this frequency on both sides is as many LUFS as it has decibels.
    for (const level of levels) expect(level).to.be.closeTo(-14, 0.7)
    const isTruePeak = true
    expect(gainTo(-14, { lufs: -30, peakDb: -4, isTruePeak })).to.equal(3)
    expect(gainTo(-14, { lufs: -30, peakDb: 0.5, isTruePeak })).to.equal(0)
    expect(gainTo(-14, { lufs: -13.7, peakDb: 0, isTruePeak })).to.equal(0)
    expect(
      gainTo(-14, readSummary('Integrated loudness:\n  I: -70.0 LUFS\n  True peak:\n  Peak: -inf dBFS')!),
    ).to.equal(0)
    await close()
  })

  it('are looked through between their samples where that decides how loud they may be, and only there', async () => {
    const asked = [
      { lufs: -9, peakDb: 0 },
      { lufs: -20, peakDb: -0.9 },
      { lufs: -20, peakDb: -10.1 },
      { lufs: -20, peakDb: -6 },
    ].map((loudness) => [false, true].map((isTruePeak) => needsTruePeak(-14, { ...loudness, isTruePeak })))
    const no = [false, false]
    expect(asked).to.deep.equal([no, no, no, [true, false]])

    // Every sample of this lies beside the peaks of the wave: they are 3 dB higher than any of them.
    const { store, ready, close, files } = await setUp('between')
    const wave = `0.4*sin(12000*2*PI*t+PI/4)*lt(mod(t,0.2),0.004)`
    const path = folder.path('between.flac')
    const sound = ['-f', 'lavfi', '-i', `aevalsrc='${wave}|${wave}':s=48000:d=3`, '-c:a', 'flac']
    ffmpegOnce(sound, path)
    await ready({ kind: 'file', path, codec: 'other', identity: 'local between.flac' })
    const key = files()
      .find((name) => name.endsWith('.json'))!
      .replace('.json', '')
    const loudness = (await store.loudnessOf(key))!
    expect(loudness.isTruePeak).to.equal(true)
    expect(loudness.peakDb).to.be.closeTo(20 * Math.log10(0.4), 1)
    await close()
  })

  it('pass through as they are when they are Opus and hardly louder or quieter than the others', async () => {
    const { opener, counters, files, store, close } = await setUp('pass')
    const track = tone('fit.opus', 0.2, '-c:a', 'libopus')
    await opener.prefetch(track, LEVELLED, () => undefined)
    await eventually(
      () => counters.measured,
      (count) => count === 1,
    )
    await close()
    expect(files()).to.have.length(1)
    expect(store.entries).to.equal(1)
    expect(counters).to.include({ transcodes: 0, pressed: 0 })
  })

  it('take over from the encoder during the first play, without a gap, as loud as the others', async () => {
    const { open, counters, close } = await setUp('first')
    const track = tone('first.flac', 0.8)
    const bench = createBench(open)
    await bench.deck.play({ ...PLAY, playable: track })
    const isTakenOver = () => bench.recorder.read().entries.some(({ text }) => text.includes('switched the source'))
    const ready = eventually(
      () => counters.pressed > 0 && isTakenOver(),
      (is) => is,
    )
    await bench.during(ready, SLOWLY)
    bench.tick(85)
    expect(counters).to.include({ measured: 1, pressed: 1 })
    expect(bench.counts.nulled).to.equal(0)
    const sound = await decodeFrames(bench.sent)
    expect(longestSilenceMs(slice(sound, 0.2, sound.seconds))).to.be.below(3)
    const { left } = slice(sound, sound.seconds - 1.5, sound.seconds - 0.2)
    expect(decibels(amplitude(left, HZ), 1)).to.be.closeTo(-14, 0.7)
    expect(bench.deck.positionMs).to.equal(bench.sent.length * 20)
    bench.deck.close()
    await close()
  })

  it('that turn out to be damaged are dropped, and the track continues from its source', async () => {
    const { open, ready, counters, files, close } = await setUp('damaged')
    const track = tone('damaged.mp3', 0.3)
    await ready(track)
    const name = files().find((one) => one.endsWith('.opus'))!
    const path = folder.path(join('damaged', name))
    const bytes = readFileSync(path)
    bytes.fill(0x55, 160_000, 160_300)
    writeFileSync(path, bytes)
    const bench = createBench(open)
    await bench.deck.play({ ...PLAY, playable: track })
    const endMs = performance.now() + 60_000
    while ((counters.transcodes === 0 || bench.deck.positionMs < 10_500) && performance.now() < endMs) {
      const { nulled } = bench.counts
      bench.tick(1)
      // The decoder may be long in coming on a busy machine.
      await sleep(bench.counts.nulled > nulled ? SLOWLY : 1)
    }
    expect(bench.deck.positionMs).to.be.above(10_499)
    expect(files().includes(name) && readFileSync(path).equals(bytes)).to.equal(false)
    expect(bench.events.some(({ type }) => type === 'trackEnded')).to.equal(false)
    bench.deck.close()
    await close()
  })
})
