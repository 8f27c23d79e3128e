import { expect } from 'chai'
import { OggReader } from '../discord/ogg.ts'
import { amplitude, decibels, loudness, pitch, windows, type Sound } from '../sound/measure.ts'
import { chord, CHORD_HZ, stairs, stairSeconds, tone, wave, type Shape } from '../sound/wave.ts'
import { createOggWriter } from 'bandstand-sandbox/voice'

function soundOf(shape: Shape, from: number, seconds: number): Sound {
  const at = Array.from({ length: seconds * 48_000 }, (_, i) => shape(from + i / 48_000))
  return { left: Float32Array.from(at, ([left]) => left), right: Float32Array.from(at, ([, right]) => right) }
}

describe('the ears of the conformance suite', () => {
  it('know the pitch of a tone to 2 Hz, and that of silence is none', () => {
    for (const hz of [220, 440, 660, 1000, 3970]) {
      expect(pitch(soundOf(tone(hz), 0, 0.2).left)).to.be.closeTo(hz, 2)
    }
    expect(pitch(new Float32Array(9600))).to.equal(null)
  })

  it('know where in the stairs they are', () => {
    for (const seconds of [0, 3, 19.5, 59]) {
      const { left } = soundOf(stairs, seconds + 0.1, 0.2)
      expect(stairSeconds(pitch(left) ?? 0)).to.equal(seconds + 0.25)
    }
  })

  it('know the level of each tone of a chord', () => {
    const { left } = soundOf(chord, 0, 1)
    for (const hz of CHORD_HZ) expect(amplitude(left, hz)).to.be.closeTo(0.2, 0.005)
    expect(amplitude(left, 3000)).to.be.lessThan(0.001)
  })

  it('know how much louder one sound is than another', () => {
    const loud = soundOf(tone(440), 0, 1)
    const quiet = { left: loud.left.map((value) => value / 4), right: loud.right.map((value) => value / 4) }
    expect(decibels(loudness(quiet), loudness(loud))).to.be.closeTo(-12, 0.1)
    expect(windows(loud, 0.05)).to.have.lengthOf(20)
  })

  it('take packets out of Ogg pages, in whatever pieces the bytes come', () => {
    const packets = [10, 255, 600, 1, 254].map((size, i) => Buffer.alloc(size, i + 1))
    const file = createOggWriter(7).pages(packets.map((bytes) => ({ bytes, samples: 960 })))
    for (const piece of [1, 7, 300, file.length]) {
      const reader = new OggReader()
      const got: Buffer[] = []
      for (let at = 0; at < file.length; at += piece) got.push(...reader.push(file.subarray(at, at + piece)))
      expect(got.map(({ length }) => length)).to.deep.equal([10, 255, 600, 1, 254])
      expect(got.every((packet, i) => packet.equals(packets[i] ?? Buffer.alloc(0)))).to.equal(true)
    }
  })

  it('are given WAV files of the right length', () => {
    const file = wave(tone(440), 2)
    expect(file.length).to.equal(44 + 2 * 48_000 * 4)
    expect(file.toString('latin1', 0, 4) + file.toString('latin1', 8, 12)).to.equal('RIFFWAVE')
  })
})
