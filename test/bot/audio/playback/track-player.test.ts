import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { FrameWindow } from '../../../../bot/audio/playback/frame-buffer.ts'
import { SILENCE } from '../../../../bot/audio/containers/opus.ts'
import type { Playable } from '../../../../bot/sources/source.ts'
import { useOpener } from '../../../support/opener.ts'
import { amplitude, decibels, decodeFrames, longestSilenceMs, slice } from '../../../support/sound.ts'
import { createBench } from './track-player-bench.ts'
import { tempFolder } from '../folder.ts'
import { ffmpegOnce } from '../../../support/made-once.ts'

const HZ = 500
const SOUND = { volume: 100, muted: false, paused: false }
const PLAY = { botId: '1', guildId: '2', playId: 1, positionMs: 0, ...SOUND }

/** The phase of a tone, by the count of samples from the start of the sound. */
function phase(samples: Float32Array, from: number, length: number): number {
  let sine = 0
  let cosine = 0
  for (let i = from; i < from + length; i++) {
    sine += samples[i]! * Math.sin((2 * Math.PI * HZ * i) / 48_000)
    cosine += samples[i]! * Math.cos((2 * Math.PI * HZ * i) / 48_000)
  }
  return Math.atan2(cosine, sine)
}

describe('a deck', () => {
  const folder = tempFolder()
  const { open } = useOpener(300)
  const playables: Record<string, Playable> = {}
  before(() => {
    for (const [name, codec] of [
      ['tone.ogg', 'ogg-opus'],
      ['tone.mp3', 'other'],
      ['tone.flac', 'other'],
    ] as const) {
      const tone = ['-f', 'lavfi', '-i', `aevalsrc=0.2*sin(${HZ}*2*PI*t)|0.2*sin(${HZ}*2*PI*t):s=48000:d=20`]
      const coder = codec === 'ogg-opus' ? ['-c:a', 'libopus'] : []
      ffmpegOnce([...tone, ...coder], folder.path(name))
      playables[name] = { kind: 'file', path: folder.path(name), codec }
    }
  })

  for (const name of ['tone.ogg', 'tone.mp3', 'tone.flac']) {
    it(`changes the volume of ${name} between two frames, without a gap and in phase`, async () => {
      const bench = createBench(open)
      await bench.deck.play({ ...PLAY, playable: playables[name]! })
      bench.tick(75)
      const joint = 75 + (await bench.during(bench.deck.setSound({ ...SOUND, volume: 50 })))
      bench.tick(75)
      bench.deck.close()
      expect(bench.sent).to.have.length(joint + 75)
      expect(bench.counts.nulled).to.equal(0)
      const sound = await decodeFrames(bench.sent)
      // 80 ms are dropped by the decoder.
      const at = joint * 0.02 - 0.08
      expect(longestSilenceMs(slice(sound, 0.2, at + 1))).to.be.below(3)
      const before = slice(sound, at - 0.5, at - 0.05)
      const after = slice(sound, at + 0.1, at + 0.9)
      expect(decibels(amplitude(after.left, HZ), amplitude(before.left, HZ))).to.be.closeTo(-6.02, 0.3)
      const samples = Math.round(at * 48_000)
      const turn = phase(sound.left, samples + 4800, 9600) - phase(sound.left, samples - 14_400, 9600)
      expect(Math.abs(Math.atan2(Math.sin(turn), Math.cos(turn)))).to.be.below(0.05)
    })
  }

  it('goes back to passing frames through at volume 100', async () => {
    const bench = createBench(open)
    const playable = playables['tone.ogg']!
    await bench.deck.play({ ...PLAY, playable, volume: 50 })
    bench.tick(50)
    await bench.during(bench.deck.setSound(SOUND))
    bench.tick(50)
    const direct = createBench(open)
    await direct.deck.play({ ...PLAY, playable })
    direct.tick(bench.sent.length)
    expect(bench.sent.at(-1)!.equals(direct.sent[bench.sent.length - 1]!)).to.equal(true)
    expect(bench.deck.positionMs).to.equal(direct.deck.positionMs)
    bench.deck.close()
    direct.deck.close()
  })

  it('mutes with silence while the position runs on, to the frame', async () => {
    const bench = createBench(open)
    const plain = createBench(open)
    for (const { deck } of [bench, plain]) await deck.play({ ...PLAY, playable: playables['tone.ogg']! })
    plain.tick(150)
    bench.tick(50)
    await bench.deck.setSound({ ...SOUND, muted: true })
    bench.tick(50)
    await bench.deck.setSound(SOUND)
    bench.tick(50)
    expect(bench.sent.slice(50, 100).every((frame) => frame.equals(SILENCE))).to.equal(true)
    expect(Buffer.concat(bench.sent.slice(100)).equals(Buffer.concat(plain.sent.slice(100)))).to.equal(true)
    expect(bench.deck.positionMs).to.equal(3000)
    bench.deck.close()
    plain.deck.close()
  })

  it('pauses after five frames of silence, rests, and continues with the very next frame', async () => {
    const bench = createBench(open)
    await bench.deck.play({ ...PLAY, playable: playables['tone.ogg']! })
    bench.tick(50)
    await bench.deck.setSound({ ...SOUND, paused: true })
    bench.tick(100)
    expect(bench.sent).to.have.length(55)
    expect(bench.sent.slice(50).every((frame) => frame.equals(SILENCE))).to.equal(true)
    expect([bench.stops(), bench.isResting(), bench.deck.positionMs]).to.deep.equal([1, true, 1000])
    await bench.deck.seek(5000)
    expect(bench.deck.positionMs).to.equal(5000)
    await bench.deck.setSound(SOUND)
    bench.tick(50)
    expect(bench.deck.positionMs).to.equal(6000)
    bench.deck.close()
  })

  it('moves to a position while the sound continues', async () => {
    const bench = createBench(open)
    await bench.deck.play({ ...PLAY, playable: playables['tone.mp3']! })
    bench.tick(50)
    await bench.during(bench.deck.seek(12_345))
    expect(bench.deck.positionMs).to.be.closeTo(12_345, 45)
    expect(bench.counts.nulled).to.equal(0)
    await bench.during(bench.deck.seek(2000))
    expect(bench.deck.positionMs).to.be.closeTo(2000, 45)
    bench.deck.close()
  })

  it('takes only the last of many changes', async () => {
    const bench = createBench(open)
    await bench.deck.play({ ...PLAY, playable: playables['tone.flac']! })
    bench.tick(50)
    const volumes = [10, 80, 150, 30, 60]
    // A busy machine takes seconds, in which the track must not end.
    await bench.during(Promise.all(volumes.map((volume) => bench.deck.setSound({ ...SOUND, volume }))), 100)
    // Nor may it have the frames ready: silence in their place would count as sound that is too quiet.
    for (let heard = 0; heard < 75;) {
      const { nulled } = bench.counts
      bench.tick(1)
      heard = bench.counts.nulled === nulled ? heard + 1 : 0
      if (heard === 0) await sleep(5)
    }
    const { left } = slice(await decodeFrames(bench.sent.slice(-50)), 0.2, 0.9)
    expect(decibels(amplitude(left, HZ), 0.2 * 0.6)).to.be.closeTo(0, 0.3)
    bench.deck.close()
  })

  it('tells the life of a track in order, and ends with five frames of silence', async () => {
    const bench = createBench(open)
    await bench.deck.play({ ...PLAY, playable: playables['tone.ogg']!, positionMs: 17_500 })
    for (let i = 0; i < 5000 && !bench.isResting(); i++) {
      bench.tick(1)
      await sleep(1)
    }
    const told = bench.events.map(({ type }) => type)
    expect([told[0], told.at(-1)]).to.deep.equal(['trackStarted', 'trackEnded'])
    // Position events of 2.5 s: one within the first second, then one per second at this player's offset.
    const between = told.slice(1, -1)
    expect(between.filter((type) => type !== 'position')).to.deep.equal([])
    expect(between.length).to.be.within(2, 3)
    expect(bench.events.at(-1)).to.include({ reason: 'finished', playId: 1 })
    expect(bench.sent.slice(-5).every((frame) => frame.equals(SILENCE))).to.equal(true)
    expect(bench.isResting()).to.equal(true)
  })

  it('waits for a slow source with silence, tells when it is stuck, and never ends early', async () => {
    const window = new FrameWindow({ startSamples: 0, preSkip: 312, onClose: () => {} })
    const bench = createBench(async () => window)
    const frame = Buffer.from([0xfc, 1, 2, 3])
    for (let i = 0; i < 10; i++) window.push(frame)
    await bench.deck.play({ ...PLAY, playable: playables['tone.ogg']! })
    bench.tick(1010)
    expect(bench.events.map(({ type }) => type)).to.deep.equal(['trackStarted', 'trackStuck', 'trackStuck'])
    expect(bench.counts).to.include({ sent: 1010, nulled: 1000 })
    expect(bench.deck.positionMs).to.equal(200)
    for (let i = 0; i < 24; i++) window.push(frame)
    bench.tick(1)
    expect(bench.sent.at(-1)!.equals(SILENCE), 'too little to go on without stutter').to.equal(true)
    window.push(frame)
    bench.tick(25)
    expect(bench.deck.positionMs).to.equal(700)
    bench.deck.close()
  })

  it('holds frames and position while voice is away', async () => {
    const bench = createBench(open)
    await bench.deck.play({ ...PLAY, playable: playables['tone.ogg']! })
    bench.tick(50)
    bench.outlet.isSendable = false
    bench.tick(500)
    expect(bench.sent).to.have.length(50)
    bench.outlet.isSendable = true
    bench.tick(50)
    expect(bench.deck.positionMs).to.equal(2000)
    bench.deck.close()
  })

  it('lets a newer track win over one that is still being opened, and says nothing about what was replaced', async () => {
    const bench = createBench(open)
    await bench.deck.play({ ...PLAY, playable: playables['tone.ogg']! })
    bench.tick(10)
    const slow = bench.deck
      .play({ ...PLAY, playId: 2, playable: playables['tone.mp3']! })
      .catch((error: unknown) => error)
    await bench.during(bench.deck.play({ ...PLAY, playId: 3, playable: playables['tone.flac']! }))
    expect(await slow).to.include({ code: 'conflict' })
    bench.tick(60)
    expect(bench.events.map(({ type, playId }) => `${type} ${playId}`)).to.deep.equal([
      'trackStarted 1',
      'trackStarted 3',
      'position 3',
    ])
    bench.deck.close()
  })
})
