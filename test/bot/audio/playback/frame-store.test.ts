import { expect } from 'chai'
import { FrameMemory } from '../../../../bot/audio/playback/frame-memory.ts'
import { FrameStore } from '../../../../bot/audio/playback/frame-store.ts'

/** 20 ms at 256 kbit/s. */
const BYTES = 640

function frame(i: number): Buffer {
  return Buffer.alloc(BYTES - (i % 7), i % 251)
}

describe('a store of frames', () => {
  let nowMs = 0
  const memory = new FrameMemory(() => nowMs)

  it('gives back each frame in its turn, however long it is in use', () => {
    const store = new FrameStore(memory)
    for (let i = 0; i < 900; i++) store.push(frame(i))
    for (let i = 0; i < 5000; i++, nowMs += 20) {
      expect(store.size).to.equal(900)
      expect(store.take()?.equals(frame(i)), `frame ${i}`).to.equal(true)
      store.push(frame(900 + i))
    }
  })

  it('does not hold what the frame was cut from', () => {
    const store = new FrameStore(memory)
    const chunk = Buffer.alloc(BYTES, 1)
    store.push(chunk)
    chunk.fill(2)
    expect(store.take()?.every((byte) => byte === 1)).to.equal(true)
  })

  it('gives the very object that it let be looked at', () => {
    const store = new FrameStore(memory)
    store.push(frame(1))
    expect(store.peek()).to.equal(store.take())
    expect(store.peek()).to.equal(null)
    expect(store.take()).to.equal(null)
  })
})
