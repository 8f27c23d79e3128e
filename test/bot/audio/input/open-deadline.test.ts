import { expect } from 'chai'
import { withOpenDeadline } from '../../../../bot/audio/input/open-deadline.ts'
import type { FrameRequest, OpenFrames } from '../../../../bot/audio/input/open-frames.ts'
import { FrameWindow } from '../../../../bot/audio/playback/frame-buffer.ts'

const TRACK = { kind: 'file', path: 'x', codec: 'other' } as const
const WISH = { startSamples: 0, filterGraph: { graph: '', tempo: 1 }, onTitle: () => undefined } as FrameRequest

const open = (opener: OpenFrames, signal = new AbortController().signal) =>
  withOpenDeadline(opener, 50)(TRACK, WISH, signal).catch((error: unknown) => error)

describe('the deadline of opening a track', () => {
  const closed: string[] = []
  const source = () => new FrameWindow({ startSamples: 0, preSkip: 0, onClose: () => closed.push('closed') })
  beforeEach(() => void closed.splice(0))

  it('hands on what opens in time, and what fails', async () => {
    const there = source()
    expect(await open(async () => there)).to.equal(there)
    const failure = new Error('gone')
    expect(await open(() => Promise.reject(failure))).to.equal(failure)
    expect(closed).to.deep.equal([])
  })

  it('says what was slow, and closes what opens after all', async () => {
    const late = Promise.withResolvers<FrameWindow>()
    expect(await open(() => late.promise)).to.include({ code: 'upstream_failed' })
    late.resolve(source())
    await late.promise
    await new Promise((resolve) => setImmediate(resolve))
    expect(closed).to.deep.equal(['closed'])
  })

  it('says so of a source that is closed for it, too', async () => {
    const failure = await open((_, __, signal) => {
      const there = source()
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve(there)))
    })
    expect(failure).to.include({ code: 'upstream_failed' })
  })
})
