import type { Worker } from 'node:worker_threads'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { expect } from 'chai'
import { moveInVoice, removeFromVoice } from 'bandstand-sandbox/world'
import { hear, type Listener } from '../../support/hearing.ts'
import { startLavalink, tokenOf, type LavalinkStage } from '../../support/lavalink.ts'
import type { ClientSession } from '../../support/lavalink-client.ts'
import { eventually } from '../../support/service.ts'

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

  /** The frames that are heard while `deed` and what comes of it happen. */
  async function heardSince(deed: () => Promise<unknown>, count: number, by = listener): Promise<readonly number[]> {
    const from = by.heard.length
    await deed()
    await hear(by.heard, from + count)
    return by.heard.slice(from).map(({ frame }) => frame)
  }

  const play = (more: object = {}) => session.patch({ track: { encoded: tokenOf('A') }, ...more })

  /** Waits until nothing has been heard for as long as a few frames take. */
  async function silence(): Promise<void> {
    let last = -1
    await eventually(
      async () => {
        const before = last
        last = listener.heard.length
        await new Promise((resolve) => setTimeout(resolve, 200))
        return before === last && last === listener.heard.length
      },
      (isSilent) => isSilent,
    )
  }

  it('is heard from the beginning, every frame once', async () => {
    const frames = await heardSince(() => play(), SECOND)
    expect(frames[0]).to.be.at.most(2)
    for (const [at, frame] of frames.entries()) expect(frame - frames[0]!).to.equal(at)
    const { state } = (await stage.call('GET', session.player())).body
    expect(state.connected).to.equal(true)
    expect(state.position).to.be.within((frames.at(-1)! - 5) * 20, frames.at(-1)! * 20 + 3000)
  })

  it('begins where it was asked to, also with a track that waits for voice', async () => {
    const frames = await heardSince(() => play({ position: 30_000 }), 5)
    expect(frames[0]).to.be.within(30 * SECOND - 2, 30 * SECOND + 2)
    await stage.call('DELETE', session.player())
    removeFromVoice(stage.sandbox.world, stage.guild, stage.botId, null)
    const other = await stage.connect()
    await other.patch({ track: { encoded: tokenOf('B') }, position: 10_000 })
    const later = await heardSince(() => other.patch({ voice: stage.enter() }), 5)
    expect(later[0]).to.be.within(10 * SECOND - 2, 10 * SECOND + 2)
    other.socket.close()
    await other.closed()
  })

  it('begins where its token says, if nothing else is asked', async () => {
    const token = Buffer.from(tokenOf('A'), 'base64')
    // The last field of a token is its position.
    token.writeBigInt64BE(15_000n, token.length - 8)
    const frames = await heardSince(() => session.patch({ track: { encoded: token.toString('base64') } }), 5)
    expect(frames[0]).to.be.within(15 * SECOND - 2, 15 * SECOND + 2)
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
    const frames = await heardSince(() => play({ position: 20_000, endTime: 21_000 }), 40)
    await session.told(['TrackStartEvent A', 'TrackEndEvent A finished'])
    await silence()
    expect(listener.heard.at(-1)!.frame).to.be.within(21 * SECOND - 3, 21 * SECOND + 1)
    expect(frames[0]).to.be.within(20 * SECOND - 2, 20 * SECOND + 2)
    await heardSince(() => play({ position: 30_000, endTime: 30_500 }), 2)
    await session.patch({ endTime: 31_000 })
    await session.told([
      'TrackStartEvent A',
      'TrackEndEvent A finished',
      'TrackStartEvent A',
      'TrackEndEvent A finished',
    ])
    await silence()
    expect(listener.heard.at(-1)!.frame).to.be.within(31 * SECOND - 3, 31 * SECOND + 1)
  })

  it('is silent from the start where it is asked to be paused, stands still, and goes on from there', async () => {
    const { body } = await play({ paused: true, position: 5000 })
    expect([body.paused, body.track.info.position]).to.deep.equal([true, 5000])
    await silence()
    expect((await stage.call('GET', session.player())).body.state.position).to.equal(5000)
    const frames = await heardSince(() => session.patch({ paused: false }), 5)
    expect(frames[0]).to.be.within(5 * SECOND - 2, 5 * SECOND + 2)
    await session.patch({ paused: true })
    await silence()
    const last = listener.heard.at(-1)!.frame
    const more = await heardSince(() => session.patch({ paused: false }), 5)
    expect(more[0]).to.be.within(last, last + 2)
    // A new track is not paused, as in Lavalink.
    await session.patch({ paused: true })
    expect((await play()).body.paused).to.equal(false)
  })

  it('goes on where the bot is moved, and where its values change, once the client hands them on', async () => {
    await heardSince(() => play(), 20)
    const cabin = await stage.listen(stage.cabin, 1)
    moveInVoice(stage.sandbox.world, stage.guild, stage.botId, stage.cabin)
    const voice = stage.enter(stage.cabin)
    const frames = await heardSince(() => session.patch({ voice }), 20, cabin)
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
    await heardSince(() => play({ position: 12_000, volume: 100 }), 60)
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
