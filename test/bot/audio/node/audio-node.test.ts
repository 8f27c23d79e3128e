import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { makeAudio } from '../../../support/audio-files.ts'
import { closing } from '../../../support/closing.ts'
import { tempFolder } from '../folder.ts'
import { createHall, HALL, PLAYER } from '../hall.ts'
import { untilGone } from '../processes.ts'

const PLAY = { ...PLAYER, playId: 1, positionMs: 0, volume: 100, muted: false, paused: false }

describe('an audio node', function () {
  const close = closing()
  const folder = tempFolder()
  let flac = ''
  before(() => {
    flac = makeAudio(folder.path('long-enough.flac'), { seconds: 120 })
  })

  it('plays in a thread of its own, and ends its children when it closes', async () => {
    const hall = close(await createHall({ inThread: true }))
    const member = await hall.listen()
    await hall.node.join({ ...PLAYER, channelId: HALL })
    await hall.node.play({ ...PLAY, playable: { kind: 'file', path: flac, codec: 'other' } })
    await hall.heard('position')
    expect(member.report.decrypted).to.be.greaterThan(40)
    expect(await hall.node.position(PLAYER)).to.be.at.least(1000)
    expect(await hall.node.stats()).to.include({ nulled: 0 })
    await hall.node.close()
    expect(hall.asked).to.deep.equal([HALL, null])
    await untilGone('long-enough.flac')
  })

  it('starts a thread that died again, refuses calls at once until then, and leaves no children', async () => {
    const hall = close(await createHall({ inThread: true, timings: { firstRestartMs: 1500 } }))
    await hall.node.join({ ...PLAYER, channelId: HALL })
    await hall.node.play({ ...PLAY, playable: { kind: 'file', path: flac, codec: 'other' } })
    await hall.heard('trackStarted')
    const restarted = new Promise<void>((resolve) => hall.node.onRestarted(() => resolve()))
    // Nothing that the gateway sends looks like this: a bug of ours ends the thread, and not the service.
    hall.node.voiceStateUpdate(PLAYER, null)
    for (let i = 0; i < 4000 && hall.node.isAlive; i++) await sleep(5)
    expect(hall.node.isAlive).to.equal(false)
    const refused = await hall.node.position(PLAYER).catch((error: unknown) => error)
    expect(refused).to.include({ code: 'service_unavailable' })
    await hall.node.leave(PLAYER)
    await restarted
    expect(hall.node.isAlive).to.equal(true)
    const early = await hall.node.setSound(PLAYER, PLAY).catch((error: unknown) => error)
    expect(early, 'before the service has brought its players back').to.include({ code: 'service_unavailable' })
    await untilGone('long-enough.flac')
    await hall.node.join({ ...PLAYER, channelId: HALL })
    await hall.node.play({ ...PLAY, playId: 2, playable: { kind: 'file', path: flac, codec: 'other' } })
    await hall.heard('trackStarted', 2)
  })

  it('ends a thread without players, says so, and starts it for the next player with all that it has counted', async () => {
    const hall = close(await createHall({ inThread: true, idleMs: 400 }))
    const asleep = async () => {
      for (let i = 0; i < 4000 && !hall.node.isAsleep; i++) await sleep(5)
      expect(hall.node.isAsleep).to.equal(true)
      expect(hall.node.isAlive, 'it takes players').to.equal(true)
    }
    let restarts = 0
    hall.node.onRestarted(() => (restarts += 1))
    await asleep()
    expect(await hall.node.stats()).to.include({ players: 0, joins: 0, sent: 0 })
    expect(await hall.node.snapshots(PLAYER.botId)).to.deep.equal([])
    expect(await hall.node.trace(PLAYER)).to.equal(null)
    await hall.node.leave(PLAYER)
    await hall.node.stop(PLAYER)
    hall.node.dropBot(PLAYER.botId)
    hall.node.voiceStateUpdate(PLAYER, {})
    hall.node.holdUntil(Infinity, null)
    expect(hall.node.isAsleep, 'none of these needs it').to.equal(true)

    const playable = { kind: 'file', path: flac, codec: 'other' } as const
    // The second call is made while the thread starts for the first.
    const joined = hall.node.join({ ...PLAYER, channelId: HALL })
    const stats = hall.node.stats()
    expect([hall.node.isAsleep, hall.node.isAlive]).to.deep.equal([false, true])
    await joined
    expect((await stats).sent).to.equal(0)
    await hall.node.play({ ...PLAY, playable })
    await hall.heard('position')
    await hall.node.leave(PLAYER)
    await asleep()
    const { joins, sent, players } = await hall.node.stats()
    expect([joins, players]).to.deep.equal([1, 0])
    expect(sent).to.be.greaterThan(40)
    await untilGone('long-enough.flac')

    await hall.node.join({ ...PLAYER, channelId: HALL })
    expect(await hall.node.stats()).to.include({ joins: 2, players: 1 })
    expect(restarts, 'no player was lost').to.equal(0)
  })

  it('closes while its thread sleeps, and while that starts again', async () => {
    const [sleeper, waker] = [
      await createHall({ inThread: true, idleMs: 20 }),
      await createHall({ inThread: true, idleMs: 20 }),
    ]
    close(sleeper)
    close(waker)
    for (const { node } of [sleeper, waker]) {
      for (let i = 0; i < 4000 && !node.isAsleep; i++) await sleep(5)
      expect(node.isAsleep).to.equal(true)
    }
    const refused = waker.node.join({ ...PLAYER, channelId: HALL }).catch((error: unknown) => error)
    await Promise.all([sleeper.node.close(), waker.node.close()])
    expect(await refused).to.include({ code: 'service_unavailable' })
    expect([sleeper.node.isAlive, waker.node.isAlive]).to.deep.equal([false, false])
  })

  it('answers 503 when the thread is silent for too long', async () => {
    const hall = close(
      await createHall({ inThread: true, timings: { callMs: 2000 }, voiceTimings: { attemptMs: 5000 } }),
    )
    hall.rule.silent = true
    const refused = await hall.node.join({ ...PLAYER, channelId: HALL }).catch((error: unknown) => error)
    expect(refused).to.include({ code: 'service_unavailable' })
  })

  it('plays nothing where it has not joined', async () => {
    const hall = close(await createHall())
    const playable = { kind: 'file', path: flac, codec: 'other' } as const
    for (const refused of [hall.node.play({ ...PLAY, playable }), hall.node.seek(PLAYER, 5)]) {
      expect(await refused.catch((error: unknown) => error)).to.include({ code: 'service_unavailable' })
    }
    await hall.node.stop(PLAYER)
    await hall.node.leave(PLAYER)
  })
})
