import { expect } from 'chai'
import { RecentFrames } from '../../../../bot/audio/mixing/recent-frames.ts'
import { FrameWindow } from '../../../../bot/audio/playback/frame-buffer.ts'
import { FrameMemory } from '../../../../bot/audio/playback/frame-memory.ts'

const FRAME_BYTES = 320

describe('the memory of frames that wait', () => {
  let nowMs = 0
  const memory = new FrameMemory(() => nowMs)
  const origin = { startSamples: 0, preSkip: 312, onClose: () => undefined, memory }

  /** Ten minutes of a track, 4 s at once; each frame is checked half a second after it was taken. @returns the pieces it used */
  function playThrough(window: FrameWindow): Set<ArrayBufferLike> {
    const pieces = new Set<ArrayBufferLike>()
    const taken: { frame: Buffer; value: number }[] = []
    for (let pushed = 0, number = 0; number < 30_000; number++, nowMs += 20) {
      if (number % 200 === 0)
        for (; pushed < number + 900; pushed++) window.push(Buffer.alloc(FRAME_BYTES, pushed % 251))
      const frame = window.take()!
      pieces.add(frame.buffer)
      taken.push({ frame, value: number % 251 })
      if (taken.length <= 25) continue
      const { frame: earlier, value } = taken.shift()!
      expect(earlier.every((byte) => byte === value)).to.equal(true)
    }
    return pieces
  }

  it('is used again within a track and by the next one, and not while its frames are in use', () => {
    const first = playThrough(new FrameWindow(origin))
    // 18 s that wait and some that rest, instead of ten minutes.
    expect(first.size * 16_384).to.be.below(30 * 50 * FRAME_BYTES)

    const ended = new FrameWindow(origin)
    for (let i = 0; i < 900; i++) ended.push(Buffer.alloc(FRAME_BYTES))
    const held = ended.peek()!.buffer
    ended.close()
    const after = new FrameWindow(origin)
    after.push(Buffer.alloc(FRAME_BYTES, 7))
    expect(after.peek()!.buffer).not.to.equal(held)
  })

  it('takes frames larger than a piece', () => {
    const window = new FrameWindow(origin)
    const large = Buffer.alloc(40_000, 9)
    for (const frame of [Buffer.alloc(10, 1), large, Buffer.alloc(10, 2)]) window.push(frame)
    expect([window.take()!.length, window.take()!.equals(large), window.take()![0]]).to.deep.equal([10, true, 2])
    window.close()
  })

  it('is not what a player that pauses keeps of the frames it sent last', () => {
    const recent = new RecentFrames(3)
    const memory = Buffer.alloc(2000)
    const sizes = [10, 2000, 20, 30]
    sizes.forEach((size, value) => recent.push(memory.fill(value).subarray(0, size)))
    memory.fill(99)
    expect(recent.list().map((frame) => [frame.length, frame[0]])).to.deep.equal([
      [2000, 1],
      [20, 2],
      [30, 3],
    ])
  })
})
