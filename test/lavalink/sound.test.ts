import type { Worker } from 'node:worker_threads'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { expect } from 'chai'
import { moveInVoice, removeFromVoice } from '../../sandbox/world/voice.ts'
import type { Listener } from '../support/hearing.ts'
import { startLavalink, tokenOf, type LavalinkStage } from '../support/lavalink.ts'
import type { ClientSession } from '../support/lavalink-client.ts'
import { eventually } from '../support/service.ts'

/** Frames of a second. */
const SECOND = 50

describe('the sound of a Lavalink node', () => {
  let stage: LavalinkStage
  let session: ClientSession
  let listener: Listener
  const threads: Worker[] = []
  const onThread = (message: unknown): void => void threads.push((message as { worker: Worker }).worker)

  before(async () => {
    subscribe('worker_threads', onThread)
    stage = await startLavalink({ node: { inThread: true, timings: { firstRestartMs: 50 } } })
    listener = await stage.listen()
  })

  after(async () => {
    unsubscribe('worker_threads', onThread)
    await stage.close()
  })

  beforeEach(async () => {
    session = await stage.connect()
    await session.patch({ voice: stage.enter() })
  })

  afterEach(async () => {
    session.socket.close()
    await session.closed()
    removeFromVoice(stage.sandbox.world, stage.guild, stage.botId, null)
    await eventually(
      () => stage.sessions.stats().players,
      (players) => players === 0,
    )
  })

  /**
   * The frames that are heard while `deed` and what comes of it happen, of these seconds of the track: what was sent before
   * may come late.
   */
  async function heardSince(
    deed: () => Promise<unknown>,
    count: number,
    { by = listener, from = 0, to = 60 } = {},
  ): Promise<readonly number[]> {
    const start = by.heard.length
    const heard = () =>
      by.heard.slice(start).flatMap(({ frame }) => (frame >= from * SECOND && frame < to * SECOND ? [frame] : []))
    await deed()
    await eventually(heard, (frames) => frames.length >= count)
    return heard()
  }

  const play = (more: object = {}) => session.patch({ track: { encoded: tokenOf('A') }, ...more })

  /** Waits until the frame is heard, or one behind it. */
  async function heardFrame(frame: number): Promise<void> {
    await eventually(
      () => listener.heard.at(-1)?.frame ?? -1,
      (last) => last >= frame,
    )
  }

  it('is heard from the beginning, every frame once', async () => {
    const frames = await heardSince(() => play(), SECOND)
    expect(frames[0]).to.be.at.most(2)
    for (const [at, frame] of frames.entries()) expect(frame - frames[0]!).to.equal(at)
    const { state } = (await stage.call('GET', session.player())).body
    expect(state.connected).to.equal(true)
    expect(state.position).to.be.within((frames.at(-1)! - 5) * 20, 60_000)
  })

  it('begins where it was asked to, also with a track that waits for voice', async () => {
    const frames = await heardSince(() => play({ position: 30_000 }), 5, { from: 29 })
    expect(frames[0]).to.be.within(30 * SECOND - 2, 30 * SECOND + 2)
    await stage.call('DELETE', session.player())
    removeFromVoice(stage.sandbox.world, stage.guild, stage.botId, null)
    const other = await stage.connect()
    await other.patch({ track: { encoded: tokenOf('B') }, position: 10_000 })
    const later = await heardSince(() => other.patch({ voice: stage.enter() }), 5, { from: 9, to: 20 })
    expect(later[0]).to.be.within(10 * SECOND - 2, 10 * SECOND + 2)
    other.socket.close()
    await other.closed()
  })

  it('jumps, and the place is told at once', async () => {
    await heardSince(() => play(), 10)
    const from = session.messages.length
    const { body } = await session.patch({ position: 40_000 })
    expect(body.state.position).to.be.within(40_000, 41_000)
    expect(session.messages.slice(from).find(({ op }) => op === 'playerUpdate')?.state.position).to.be.within(
      40_000,
      41_000,
    )
    await eventually(
      () => listener.heard.at(-1)!.frame,
      (frame) => frame >= 40 * SECOND,
    )
  })

  it('ends at the end time with the word that it finished, given with the track or later', async () => {
    const frames = await heardSince(() => play({ position: 20_000, endTime: 21_000 }), 40, { from: 19, to: 25 })
    await session.told(['TrackStartEvent A', 'TrackEndEvent A finished'])
    await heardFrame(21 * SECOND - 3)
    expect(listener.heard.at(-1)!.frame).to.be.at.most(21 * SECOND + 1)
    expect(frames[0]).to.be.within(20 * SECOND - 2, 20 * SECOND + 2)
    await play({ position: 30_000, endTime: 30_500, paused: true })
    await session.patch({ endTime: 31_000 })
    await session.patch({ paused: false })
    await session.told([
      'TrackStartEvent A',
      'TrackEndEvent A finished',
      'TrackStartEvent A',
      'TrackEndEvent A finished',
    ])
    await heardFrame(31 * SECOND - 3)
    expect(listener.heard.at(-1)!.frame).to.be.at.most(31 * SECOND + 1)
  })

  it('is silent from the start where it is asked to be paused, stands still, and goes on from there', async () => {
    const from = listener.heard.length
    const { body } = await play({ paused: true, position: 5000 })
    expect([body.paused, body.track.info.position]).to.deep.equal([true, 5000])
    expect((await stage.call('GET', session.player())).body.state.position).to.equal(5000)
    await heardSince(() => session.patch({ paused: false }), 5)
    await session.patch({ paused: true })
    await heardSince(() => session.patch({ paused: false }), 30)
    const all = listener.heard.slice(from).map(({ frame }) => frame)
    const frames = all.filter((frame) => frame < 15 * SECOND)
    expect(frames[0]).to.be.within(5 * SECOND - 2, 5 * SECOND + 2)
    for (const [at, frame] of frames.entries()) expect(frame - frames[0]!).to.equal(at)
    // A new track is not paused, as in Lavalink.
    await session.patch({ paused: true })
    expect((await play()).body.paused).to.equal(false)
  })

  it('goes on where the bot is moved, and where its values change, once the client hands them on', async () => {
    await heardSince(() => play(), 20)
    const cabin = await stage.listen(stage.cabin, 1)
    moveInVoice(stage.sandbox.world, stage.guild, stage.botId, stage.cabin)
    const voice = stage.enter(stage.cabin)
    const frames = await heardSince(() => session.patch({ voice }), 20, { by: cabin })
    expect(frames[0]).to.be.within(20, 20 * SECOND)
    const { body } = await stage.call('GET', session.player())
    expect([body.voice, body.state.connected]).to.deep.equal([voice, true])
    expect(session.events().filter((event) => event.startsWith('Track'))).to.deep.equal(['TrackStartEvent A'])
  })

  it('stops when Discord takes the bot out, which is told, and waits for other values', async () => {
    await heardSince(() => play(), 10)
    removeFromVoice(stage.sandbox.world, stage.guild, stage.botId, 4014)
    const closed = await session.message(({ type }) => type === 'WebSocketClosedEvent')
    expect(closed).to.include({ code: 4014, byRemote: true })
    const update = await session.message(({ op, state }) => op === 'playerUpdate' && !state.connected)
    expect(update.state.ping).to.equal(-1)
    const last = listener.heard.at(-1)!.frame
    const frames = await heardSince(() => session.patch({ voice: stage.enter() }), 5)
    expect(frames[0]).to.be.at.least(last)
    expect((await stage.call('GET', session.player())).body.track.info.title).to.equal('A')
  })

  it('tells that new values are refused, and stays as it is', async () => {
    const { status } = await session.patch({ voice: { ...stage.enter(), endpoint: 'example.com' } })
    expect(status).to.equal(400)
    await session.patch({ voice: { ...stage.enter(), token: 'wrong' } })
    const closed = await session.message(({ type, byRemote }) => type === 'WebSocketClosedEvent' && byRemote)
    expect(closed.code).to.be.within(4000, 4999)
  })

  it('comes back where it was when the audio thread dies', async () => {
    await heardSince(() => play({ position: 12_000 }), 60, { from: 11, to: 30 })
    const last = listener.heard.at(-1)!.frame
    const frames = await heardSince(async () => threads.at(-1)!.terminate(), 20)
    const after = frames.filter((frame) => frame > last + 10)
    expect(after.length).to.be.greaterThan(0)
    expect(after[0]).to.be.within(last - 60, last + 3 * SECOND)
    expect(session.events().filter((event) => event.startsWith('Track'))).to.deep.equal(['TrackStartEvent A'])
    const { body } = await stage.call('GET', session.player())
    expect([body.track.info.title, body.state.connected]).to.deep.equal(['A', true])
  })
})
