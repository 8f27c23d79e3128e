import { spawn, spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { createListening, type Listening, type ListenOptions } from '../../voice/listen.ts'
import type { OpusListener } from '../../voice/member.ts'
import { opusSamples, SILENCE_FRAME } from '../../voice/opus.ts'
import { readOggPackets } from './ogg-reader.ts'
import { createStage, until, untilGrouped } from './stage.ts'

/** Opus packets of 20 ms from ffmpeg: a tone on the left, another on the right. */
function tones(seconds: number, [left, right]: readonly [number, number] = [440, 880]): Buffer[] {
  const source = `aevalsrc=0.5*sin(2*PI*${left}*t)|0.5*sin(2*PI*${right}*t):s=48000:d=${seconds}`
  const { stdout } = spawnSync(
    'ffmpeg',
    `-v error -f lavfi -i ${source} -c:a libopus -b:a 128k -frame_duration 20 -f opus pipe:1`.split(' '),
  )
  return readOggPackets(stdout).map(({ bytes }) => bytes)
}

/** Decodes to stereo floats of 48 kHz. */
async function decode(ogg: Buffer): Promise<{ left: Float32Array; right: Float32Array; errors: string }> {
  const ffmpeg = spawn('ffmpeg', ['-v', 'warning', '-i', 'pipe:0', '-f', 'f32le', '-ac', '2', '-ar', '48000', 'pipe:1'])
  const parts: Buffer[] = []
  let errors = ''
  ffmpeg.stdout.on('data', (part: Buffer) => parts.push(part))
  ffmpeg.stderr.on('data', (part: Buffer) => (errors += part.toString()))
  ffmpeg.stdin.end(ogg)
  await new Promise((resolve) => ffmpeg.once('close', resolve))
  const pcm = Buffer.concat(parts)
  const side = (offset: number) =>
    Float32Array.from({ length: pcm.length >> 3 }, (_, at) => pcm.readFloatLE(8 * at + offset))
  return { left: side(0), right: side(4), errors }
}

/** The amplitude of one frequency (Goertzel). */
function amplitude(samples: Float32Array, hertz: number): number {
  const factor = 2 * Math.cos((2 * Math.PI * hertz) / 48_000)
  let [last, beforeLast] = [0, 0]
  for (const sample of samples) [last, beforeLast] = [sample + factor * last - beforeLast, last]
  return (2 / samples.length) * Math.sqrt(last ** 2 + beforeLast ** 2 - factor * last * beforeLast)
}

/** A listening on a clock that the test turns, and a mouth that feeds it. */
function createRig(options: ListenOptions = {}) {
  const clock = { nowMs: 0 }
  const parts: Buffer[] = []
  let listener: OpusListener | null = null
  const listening: Listening = createListening({ flushMs: 1, nowMs: () => clock.nowMs, ...options })
  listening.tap({
    onOpus(it) {
      listener = it
      return () => (listener = null)
    },
  })
  listening.stream.on('data', (part: Buffer) => parts.push(part))
  return {
    clock,
    listening,
    hear: (userId: string, opus: Buffer, place: { sequence: number; timestamp: number }) =>
      listener?.(userId, opus, { encrypted: true, ...place }),
    /** Turns the clock on and lets the pages out. */
    async pass(ms: number) {
      clock.nowMs += ms
      await sleep(4)
    },
    packets: () => readOggPackets(Buffer.concat(parts)),
    isTapped: () => listener !== null,
  }
}

const sound = (mark: number) => Buffer.from([0xfc, mark, 1, 2, 3, 4, 5, 6, 7, 8])

describe('listening to the stand-in Discord', () => {
  it('is a valid Ogg Opus stream of silence, as long as real time, while no one speaks', async () => {
    const rig = createRig()
    for (let step = 0; step < 10; step++) await rig.pass(100)
    rig.listening.stream.destroy()
    const packets = rig.packets()
    expect(packets.every(({ bytes }) => bytes.equals(SILENCE_FRAME))).to.equal(true)
    expect(packets).to.have.length(50)
    expect(packets.at(-1)?.granule).to.equal(48_000n)
  })

  it('leaves a hole of the right length for each lost packet and puts swapped ones in order', async () => {
    const rig = createRig()
    for (const index of [0, 1, 2, 4, 3, 7, 8]) rig.hear('1', sound(index), { sequence: index, timestamp: 960 * index })
    await rig.pass(500)
    rig.listening.stream.destroy()
    const heard = rig.packets().map(({ bytes }) => (bytes.equals(SILENCE_FRAME) ? null : bytes[1]))
    const from = heard.indexOf(0)
    expect(from).to.equal(10)
    expect(heard.slice(from, from + 10)).to.deep.equal([0, 1, 2, 3, 4, null, null, 7, 8, null])
  })

  it('plays on, all packets in order, after a stall that ended in a burst, and after the sender began again', async () => {
    const rig = createRig()
    for (const index of [0, 1, 2]) rig.hear('1', sound(index), { sequence: index, timestamp: 960 * index })
    await rig.pass(1000)
    for (const index of [3, 4, 5]) rig.hear('1', sound(index), { sequence: index, timestamp: 960 * index })
    await rig.pass(500)
    for (const index of [0, 1])
      rig.hear('1', sound(70 + index), { sequence: 40_000 + index, timestamp: 3e9 + 960 * index })
    await rig.pass(500)
    rig.listening.stream.destroy()
    const packets = rig.packets()
    const marks = packets.filter(({ bytes }) => !bytes.equals(SILENCE_FRAME)).map(({ bytes }) => bytes[1])
    expect(marks).to.deep.equal([0, 1, 2, 3, 4, 5, 70, 71])
    expect(packets.reduce((sum, { bytes }) => sum + (opusSamples(bytes) ?? 0), 0)).to.equal(96_000)
  })

  it('drops a packet that was overtaken and missed its turn', async () => {
    const rig = createRig()
    for (const index of [0, 2]) rig.hear('1', sound(index), { sequence: index, timestamp: 960 * index })
    await rig.pass(400)
    rig.hear('1', sound(1), { sequence: 1, timestamp: 960 })
    await rig.pass(400)
    rig.listening.stream.destroy()
    const marks = rig
      .packets()
      .filter(({ bytes }) => !bytes.equals(SILENCE_FRAME))
      .map(({ bytes }) => bytes[1])
    expect(marks).to.deep.equal([0, 2])
  })

  it('lets a preferred speaker take the floor, and otherwise anyone who has it keep it', async () => {
    const rig = createRig({ prefer: (userId) => userId === 'bot' })
    const speak = (userId: string, mark: number, from: number) => {
      for (let index = from; index < from + 5; index++)
        rig.hear(userId, sound(mark), { sequence: index, timestamp: 960 * index })
    }
    speak('ada', 1, 0)
    await rig.pass(100)
    speak('ada', 1, 5)
    speak('ben', 2, 0)
    await rig.pass(100)
    speak('ada', 1, 10)
    speak('ben', 2, 5)
    speak('bot', 3, 0)
    await rig.pass(600)
    rig.listening.stream.destroy()
    const marks = rig
      .packets()
      .filter(({ bytes }) => !bytes.equals(SILENCE_FRAME))
      .map(({ bytes }) => bytes[1])
    expect(marks).to.deep.equal([...Array(10).fill(1), ...Array(5).fill(3)])
  })

  it('keeps no more for a reader that does not read than it was told, and tells the reader what is missing', async () => {
    const rig = createRig({ bufferBytesMax: 1000 })
    rig.listening.stream.pause()
    for (let step = 0; step < 20; step++) await rig.pass(200)
    expect(rig.listening.stream.readableLength).to.be.below(1200)
    rig.listening.stream.resume()
    for (let step = 0; step < 3; step++) await rig.pass(200)
    rig.listening.stream.destroy()
    const packets = rig.packets()
    expect(packets.at(-1)?.granule).to.equal(BigInt(23 * 200 * 48))
    expect(packets.length).to.be.below((23 * 200) / 20)
  })

  it('lets go of the member when the reader goes', async () => {
    const rig = createRig()
    rig.listening.stream.destroy()
    await rig.pass(1)
    expect(rig.isTapped()).to.equal(false)
  })

  it('brings the tones of a speaker through encryption and sockets to a decoder, each on its side', async () => {
    const stage = await createStage()
    const [ada, ben] = await Promise.all([stage.join('11'), stage.join('12')])
    await untilGrouped(ada, ben)
    const listening = createListening()
    listening.tap(ben)
    const parts: Buffer[] = []
    listening.stream.on('data', (part: Buffer) => parts.push(part))
    await ada.speak(tones(2))
    const heard = () => readOggPackets(Buffer.concat(parts)).filter(({ bytes }) => bytes.length > 10).length
    await until(() => heard() > 95, 'all that was said')
    listening.stream.destroy()
    await stage.close()

    const { left, right, errors } = await decode(Buffer.concat(parts))
    expect(errors).to.equal('')
    const begin = left.findIndex((sample) => Math.abs(sample) > 0.1)
    const middle = (side: Float32Array) => side.subarray(begin + 9600, begin + 9600 + 72_000)
    expect(amplitude(middle(left), 440)).to.be.closeTo(0.5, 0.05)
    expect(amplitude(middle(right), 880)).to.be.closeTo(0.5, 0.05)
    expect(amplitude(middle(left), 880)).to.be.below(0.01)
    expect(amplitude(middle(right), 440)).to.be.below(0.01)
  })
})
