import { expect } from 'chai'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { addChannel, moveInVoice, removeFromVoice } from 'bandstand-sandbox/world'
import type { VoiceCredentials } from '../../../../bot/audio/node/protocol.ts'
import { countRewinds, type Heard } from '../../../support/hearing.ts'
import { hear, type Concert } from '../../../support/playing-service.ts'
import { eventually } from '../../../support/service.ts'
import { startMovingConcert, type MovingConcert } from './moving-concert.ts'

/** Half a second of sound. */
const SOME = 25

/** The frames since then came one by one, and went on. */
async function soundsOn(heard: readonly Heard[], from = 0): Promise<void> {
  await hear(heard, heard.length + SOME)
  const steps = heard.slice(from + 1).map(({ frame }, at) => frame - (heard[from + at]?.frame ?? 0))
  expect(new Set(steps)).to.deep.equal(new Set([1]))
}

describe('a move of a player to another audio thread', () => {
  let stage: MovingConcert
  let concert: Concert
  beforeEach(async () => {
    stage = await startMovingConcert()
    concert = stage.concert
  })
  afterEach(() => concert.close())

  const isDone = (step: string) =>
    eventually(
      () => stage.steps,
      (steps) => steps.includes(step),
    )
  /** Resolves when nothing of the players is left but one connection each, and those of members. */
  const hasConnections = (count: number) =>
    eventually(
      () => stage.connections(),
      (open) => open === count,
    )
  const asked = () => stage.joins.filter((guildId) => guildId === concert.guild.id).length

  /** It never left its thread, the attempt was not heard, and nothing of it is left. */
  async function isWhereItWas(heard: readonly Heard[], members = 1): Promise<void> {
    await soundsOn(heard)
    expect((await concert.info()).node.id).to.equal('audio-1')
    expect(concert.told()).to.deep.equal(['trackStarted'])
    expect(asked()).to.equal(1)
    await hasConnections(5 + members)
  }

  async function startMove(): Promise<readonly Heard[]> {
    const { heard } = await concert.listen()
    const filling = stage.fillFirst()
    await hear(heard, SOME)
    await filling
    return heard
  }

  /** A moderator moves the bot behind that step of a move. @returns what is heard in the new channel. */
  async function isMovedAfter(step: 'adopt' | 'release'): Promise<{ heard: readonly Heard[]; channelId: string }> {
    const { sandbox, guild, botId } = concert
    const { id } = addChannel(sandbox.world, guild, { name: 'other', type: 2 })
    stage.after(step, async () => {
      moveInVoice(sandbox.world, guild, botId, id)
      await eventually(
        () => concert.info(),
        ({ channelId }) => channelId === id,
      )
    })
    await startMove()
    await isDone('forget')
    stage.setUtilization('audio-1', 0)
    const { heard } = await concert.listen(1, id)
    await hear(heard, SOME)
    return { heard, channelId: id }
  }

  it('is given up when the new thread ends while it prepares, unheard', async () => {
    stage.before('adopt', () => void concert.threads[1]?.terminate())
    const heard = await startMove()
    await isDone('adopt')
    stage.setUtilization('audio-1', 0)
    await soundsOn(heard)
    expect((await concert.info()).node.id).to.equal('audio-1')
    expect(concert.told()).to.deep.equal(['trackStarted'])
  })

  it('is given up when the voice server answers no second connection, and leaves none open', async () => {
    const sockets = new Set<Socket>()
    const silent = createServer((socket) => {
      sockets.add(socket)
      // Unread, it would not hear that the other side has closed.
      socket.resume().on('close', () => sockets.delete(socket))
      socket.on('error', () => undefined)
    })
    await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve))
    const endpoint = `localhost:${(silent.address() as AddressInfo).port}`
    stage.after('voiceOf', (answer) => ({ ...(answer as VoiceCredentials), endpoint }))
    const heard = await startMove()
    await eventually(
      () => sockets.size,
      (count) => count === 1,
    )
    await isDone('adopt')
    stage.setUtilization('audio-1', 0)
    await isWhereItWas(heard)
    await eventually(
      () => sockets.size,
      (count) => count === 0,
    )
    silent.close()
  })

  it('is given up for a command, which does not wait for it', async () => {
    const held = Promise.withResolvers<void>()
    stage.before('adopt', () => held.promise)
    const heard = await startMove()
    await isDone('voiceOf')
    await concert.music.patch(concert.scope, concert.guild.id, { loop: 'track' })
    stage.setUtilization('audio-1', 0)
    expect(stage.steps).not.to.include('adopt')
    // What comes of it too late is forgotten as well.
    held.resolve()
    await isDone('forget')
    await isWhereItWas(heard)
  })

  it('is given up for a skip while the new thread has all that it needs', async () => {
    const held = Promise.withResolvers<void>()
    stage.after('adopt', () => held.promise)
    const heard = await startMove()
    await isDone('adopt')
    await concert.play('B')
    await concert.music.skip(concert.scope, concert.guild.id)
    held.resolve()
    stage.setUtilization('audio-1', 0)
    await isDone('forget')
    await hear(heard, heard.length + SOME)
    expect((await concert.info()).node.id).to.equal('audio-1')
    expect(concert.told()).to.deep.equal(['trackStarted', 'trackEnded replaced', 'trackStarted'])
    expect(countRewinds(heard, 0), 'once, for the second track').to.equal(1)
    await hasConnections(6)
  })

  it('is given up when a moderator moves the bot meanwhile, and it is heard in the new channel', async () => {
    await isMovedAfter('adopt')
    expect((await concert.info()).node.id).to.equal('audio-1')
    expect(asked()).to.equal(1)
    await hasConnections(7)
  })

  it('ends in the new channel where a moderator moves the bot between the two threads', async () => {
    const { heard, channelId } = await isMovedAfter('release')
    expect(await concert.info()).to.include({ channelId })
    expect(countRewinds(heard, 0)).to.equal(0)
    await hasConnections(7)
  })

  for (const step of ['adopt', 'release'] as const) {
    it(`ends with the player, when a moderator disconnects the bot after ${step}`, async () => {
      const { sandbox, botId } = concert
      stage.after(step, async () => {
        removeFromVoice(sandbox.world, concert.guild, botId, 4014)
        await eventually(
          () => concert.music.players(concert.scope),
          (players) => players.length === 4,
        )
      })
      await startMove()
      await isDone('forget')
      stage.setUtilization('audio-1', 0)
      await eventually(
        () => concert.told(),
        (told) => told.includes('playerClosed disconnected'),
      )
      await hasConnections(5)
      expect(concert.guild.voice.has(botId)).to.equal(false)
      // The good-bye may be said again.
      expect(stage.joins.slice(5).every((guildId) => guildId === concert.guild.id)).to.equal(true)
    })
  }

  it('leaves the player to the old thread when that ends first: it sounds again, in one voice', async () => {
    stage.before('release', () => void concert.threads[0]?.terminate())
    const heard = await startMove()
    await isDone('release')
    stage.setUtilization('audio-1', 0)
    const before = heard.length
    await hear(heard, before + 3 * SOME)
    expect((await concert.info()).node.id).to.equal('audio-1')
    expect(concert.told()).to.deep.equal(['trackStarted'])
    expect(countRewinds(heard, 0), 'once, since the last position is older than the last frame').to.be.at.most(1)
    await hasConnections(6)
  })

  it('goes on by joining again where the new thread ends before it sounds', async () => {
    stage.before('takeOver', () => void concert.threads[1]?.terminate())
    const heard = await startMove()
    await isDone('takeOver')
    stage.setUtilization('audio-1', 0)
    const before = heard.length
    await hear(heard, before + 3 * SOME)
    expect((await concert.info()).node.id).to.equal('audio-2')
    expect(concert.told()).to.deep.equal(['trackStarted'])
    expect(countRewinds(heard, 0)).to.be.at.most(1)
    await hasConnections(6)
  })

  it('gets through while the keys of the call change, and everyone in it hears on', async () => {
    const second: { heard?: readonly Heard[] } = {}
    stage.after('release', async () => {
      second.heard = (await concert.listen(1)).heard
    })
    const heard = await startMove()
    await isDone('takeOver')
    stage.setUtilization('audio-1', 0)
    const before = heard.length
    await soundsOn(heard, before)
    await hear(second.heard ?? [], SOME)
    expect((await concert.info()).node.id).to.equal('audio-2')
    expect(countRewinds(heard, 0)).to.equal(0)
    await hasConnections(7)
  })

  it('ends with the service, at once and with nothing left', async () => {
    const held = Promise.withResolvers<void>()
    stage.after('adopt', () => held.promise)
    await startMove()
    await isDone('adopt')
    const sinceMs = performance.now()
    await concert.test.bots.close()
    expect(performance.now() - sinceMs).to.be.at.most(3000)
    held.resolve()
    await hasConnections(1)
  })
})
