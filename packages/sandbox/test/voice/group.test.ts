import { VoiceOpcodes } from 'discord-api-types/voice/v8'
import { expect } from 'chai'
import { pino, type Logger } from 'pino'
import type { MemberVoice } from 'bandstand-sandbox/voice'
import { CHANNEL, createStage, frames, GUILD, until, untilGrouped, type Stage } from './stage.ts'

/** Withholds an op from the server so many times, and counts. */
function withholding(op: VoiceOpcodes, times: number) {
  const state = { times, withheld: 0 }
  return {
    state,
    onAnswer(sent: VoiceOpcodes, send: () => void) {
      if (sent !== op || state.withheld >= state.times) send()
      else state.withheld += 1
    },
  }
}

/** Keeps the messages of all log lines. */
function createMemory(): { log: Logger; lines: string[] } {
  const lines: string[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line).msg) })
  return { log, lines }
}

/** One speaks, all others hear every frame decrypted. */
async function expectHeard(speaker: MemberVoice, ...others: readonly MemberVoice[]): Promise<void> {
  for (const other of others) other.resetReport()
  await speaker.speak(frames(5))
  for (const other of others) {
    await until(() => other.report.decrypted === 5, `${other.userId} hears ${speaker.userId}`)
    expect(other.report).to.include({ failed: 0, clear: 0 })
  }
}

describe('an encrypted channel of the stand-in Discord', () => {
  let stage: Stage
  afterEach(() => stage.close())

  it('brings two members into one group, in which one hears what the other says', async () => {
    stage = await createStage()
    const [ada, ben] = await Promise.all([stage.join('11'), stage.join('12')])
    await untilGrouped(ada, ben)
    const heard: Buffer[] = []
    ben.onOpus((from, opus, { encrypted }) => {
      if (from === '11' && encrypted) heard.push(opus)
    })
    await ada.speak(frames(10))
    expect(heard).to.deep.equal(frames(10))
    expect(ben.report).to.include({ decrypted: 10, failed: 0, clear: 0 })
  })

  it('makes one group of five who come at the same time, each of whom tries to make it', async () => {
    const { log, lines } = createMemory()
    stage = await createStage({ log })
    const members = await Promise.all(['11', '12', '13', '14', '15'].map((userId) => stage.join(userId, { log })))
    await untilGrouped(...members)
    expect(lines).not.to.include('group restarted')
    const [first, ...others] = members
    if (first) await expectHeard(first, ...others)
  })

  it('adds who comes later and removes who goes, with a new privacy code each time', async () => {
    stage = await createStage()
    const [ada, ben] = await Promise.all([stage.join('11'), stage.join('12')])
    await untilGrouped(ada, ben)
    const codes = [ada.report.privacyCode]
    const cyd = await stage.join('13')
    await untilGrouped(ada, ben, cyd)
    codes.push(ada.report.privacyCode)
    await expectHeard(cyd, ada, ben)
    ada.close()
    await untilGrouped(ben, cyd)
    codes.push(ben.report.privacyCode)
    await expectHeard(ben, cyd)
    expect(new Set(codes).size).to.equal(3)
  })

  it('lets a member who is alone speak in clear, and encrypts when someone comes, again and again', async () => {
    stage = await createStage()
    const ada = await stage.join('11')
    for (const userId of ['12', '13']) {
      const other = await stage.join(userId)
      await untilGrouped(ada, other)
      await expectHeard(ada, other)
      other.close()
      await until(() => ada.report.privacyCode === null, 'the group is dissolved')
    }
  })

  it('takes a member back who left and came again at once', async () => {
    stage = await createStage()
    const [ada, ben, cyd] = await Promise.all([stage.join('11'), stage.join('12'), stage.join('13')])
    await untilGrouped(ada, ben, cyd)
    cyd.close()
    const back = await stage.join('13')
    await untilGrouped(ada, ben, back)
    await expectHeard(ada, ben, back)
  })

  it('calls an add back when the newcomer leaves before anybody committed it', async () => {
    const { log, lines } = createMemory()
    stage = await createStage({ log })
    const silent = [
      withholding(VoiceOpcodes.DaveMlsCommitWelcome, 0),
      withholding(VoiceOpcodes.DaveMlsCommitWelcome, 0),
    ]
    const [ada, ben] = await Promise.all([
      stage.join('11', { ...silent[0], log }),
      stage.join('12', { ...silent[1], log }),
    ])
    await untilGrouped(ada, ben)
    for (const it of silent) Object.assign(it.state, { times: 1, withheld: 0 })
    const cyd = await stage.join('13')
    await until(() => silent.every(({ state }) => state.withheld === 1), 'both have the add')
    cyd.close()
    const dan = await stage.join('14', { log })
    await untilGrouped(ada, ben, dan)
    await expectHeard(ada, ben, dan)
    expect(lines).not.to.include.members(['group restarted'])
    expect(lines).not.to.include.members(['proposals failed'])
  })

  it('makes the group all the same when one of three leaves while it is being made', async () => {
    const { log, lines } = createMemory()
    stage = await createStage({ log, timing: { batchWindowMs: 150 } })
    const held: (() => void)[] = []
    let isHolding = true
    const onAnswer = (op: VoiceOpcodes, send: () => void) => {
      if (op === VoiceOpcodes.DaveMlsCommitWelcome && isHolding) held.push(send)
      else send()
    }
    const [ada, ben, cyd] = await Promise.all(['11', '12', '13'].map((userId) => stage.join(userId, { log, onAnswer })))
    if (!ada || !ben || !cyd) throw new Error('Not all came.')
    await until(() => held.length === 3, 'all three have a commit')
    isHolding = false
    cyd.close()
    await until(() => stage.left.includes('13'), 'the server knows')
    for (const send of held) send()
    await untilGrouped(ada, ben)
    await expectHeard(ada, ben)
    expect(lines).not.to.include('group restarted')
    expect(lines).not.to.include('proposals failed')
  })

  it('begins again where no one commits in time', async () => {
    const { log, lines } = createMemory()
    stage = await createStage({ log, timing: { commitTimeoutMs: 150 } })
    const [ada, ben] = await Promise.all([
      stage.join('11', withholding(VoiceOpcodes.DaveMlsCommitWelcome, 1)),
      stage.join('12', withholding(VoiceOpcodes.DaveMlsCommitWelcome, 1)),
    ])
    await untilGrouped(ada, ben)
    await expectHeard(ada, ben)
    expect(lines).to.include('group restarted')
  })

  it('begins again no more than three times where no one ever commits, and once more when members change', async () => {
    const { log, lines } = createMemory()
    stage = await createStage({ log, timing: { commitTimeoutMs: 120 } })
    const mute = withholding(VoiceOpcodes.DaveMlsCommitWelcome, Number.POSITIVE_INFINITY)
    const [ada, ben] = await Promise.all([stage.join('11', mute), stage.join('12', mute)])
    await until(() => lines.includes('group paused until its members change'), 'giving up')
    expect(lines.filter((line) => line === 'group restarted')).to.have.length(3)
    const cyd = await stage.join('13')
    await untilGrouped(ada, ben, cyd)
  })

  it('continues without the confirmation of a member who never gives it', async () => {
    stage = await createStage({ timing: { transitionTimeoutMs: 100 } })
    const mute = withholding(VoiceOpcodes.DaveTransitionReady, Number.POSITIVE_INFINITY)
    const [ada, ben] = await Promise.all([stage.join('11'), stage.join('12', mute)])
    await untilGrouped(ada, ben)
    const cyd = await stage.join('13')
    await untilGrouped(ada, ben, cyd)
  })

  it('adds a member again who reports a broken commit, a broken welcome, or failed on a proposal', async () => {
    stage = await createStage()
    const [ada, ben, cyd] = await Promise.all([stage.join('11'), stage.join('12'), stage.join('13')])
    await untilGrouped(ada, ben, cyd)
    const broken = [
      [VoiceOpcodes.DaveMlsAnnounceCommitTransition, Buffer.from([0, 9, 1, 2, 3])],
      [VoiceOpcodes.DaveMlsWelcome, Buffer.from([0, 9, 1, 2, 3])],
      [VoiceOpcodes.DaveMlsProposals, Buffer.from([0, 3, 1, 2, 3])],
    ] as const
    for (const [op, payload] of broken) {
      const before = ada.report.privacyCode
      stage.server.sendBinary(GUILD, '12', op, payload)
      await until(() => ada.report.privacyCode !== before, 'a new epoch')
      await untilGrouped(ada, ben, cyd)
      await expectHeard(ada, ben, cyd)
    }
  })

  it('recovers where both members of a group lose it at once', async () => {
    stage = await createStage()
    const [ada, ben] = await Promise.all([stage.join('11'), stage.join('12')])
    await untilGrouped(ada, ben)
    const before = ada.report.privacyCode
    for (const userId of ['11', '12'])
      stage.server.sendBinary(GUILD, userId, VoiceOpcodes.DaveMlsAnnounceCommitTransition, Buffer.from([0, 9, 1]))
    await until(() => ada.report.privacyCode !== before && ben.report.privacyCode !== before, 'new sessions')
    await untilGrouped(ada, ben)
    await expectHeard(ada, ben)
  })

  it('never sends a proposal that comes too late for its epoch, no matter who comes and goes meanwhile', async () => {
    const { log, lines } = createMemory()
    stage = await createStage({ log, timing: { batchWindowMs: 0 } })
    const ada = await stage.join('11', { log })
    // Everybody at their own pace, so that most changes fall into the making of another epoch.
    const rounds = ['12', '13', '14', '15'].map(async (userId, index) => {
      for (let round = 0; round < 6; round++) {
        const member = await stage.join(userId, { log })
        await new Promise((resolve) => setTimeout(resolve, (index * 7 + round * 5) % 23))
        member.close()
      }
      return stage.join(userId, { log })
    })
    await untilGrouped(ada, ...(await Promise.all(rounds)))
    expect(lines.filter((line) => line === 'proposals failed' || line === 'epoch failed')).to.deep.equal([])
  })

  it('falls back to version 0 while a client without encryption is there, and comes back when it goes', async () => {
    stage = await createStage()
    const [ada, ben] = await Promise.all([stage.join('11'), stage.join('12')])
    await untilGrouped(ada, ben)
    const old = await stage.join('13', { maxDaveVersion: 0 })
    await until(() => [ada, ben, old].every(({ report }) => report.daveVersion === 0), 'version 0')
    await ada.speak(frames(5))
    for (const other of [ben, old]) {
      await until(() => other.report.clear === 5, 'clear frames')
      expect(other.report.failed).to.equal(0)
    }
    old.close()
    await untilGrouped(ada, ben)
    await expectHeard(ada, ben)
  })

  it('goes down and up for everybody when the rule changes, and for who comes while it is down', async () => {
    stage = await createStage()
    const [ada, ben] = await Promise.all([stage.join('11'), stage.join('12')])
    await untilGrouped(ada, ben)
    stage.server.setDave({ version: 0, required: false })
    await until(() => [ada, ben].every(({ report }) => report.daveVersion === 0), 'version 0')
    const cyd = await stage.join('13')
    expect(cyd.report.daveVersion).to.equal(0)
    stage.server.setDave({ version: 1, required: false })
    await untilGrouped(ada, ben, cyd)
    await expectHeard(cyd, ada, ben)
  })

  it('keeps the channels of a guild apart', async () => {
    stage = await createStage({ admit: ({ userId }) => ({ channelId: userId < '13' ? CHANNEL : '5001' }) })
    const other = { channelId: '5001' }
    const [ada, ben, cyd, dan] = await Promise.all([
      stage.join('11'),
      stage.join('12'),
      stage.join('13', other),
      stage.join('14', other),
    ])
    await Promise.all([untilGrouped(ada, ben), untilGrouped(cyd, dan)])
    await expectHeard(ada, ben)
    expect(cyd.report.firstHeardAtMs).to.equal(null)
  })
})
