import { expect } from 'chai'
import { createCertificate } from 'bandstand-sandbox/certificate'
import { SILENCE_FRAME } from '../../voice/opus.ts'
import { createStage, frames, GUILD, until, untilGrouped, type Stage } from './stage.ts'

async function rejection(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'nothing',
    (error: unknown) => String(error),
  )
}

function* endless(): Generator<Buffer> {
  for (;;) yield SILENCE_FRAME
}

describe("a member's voice client", () => {
  let stage: Stage
  afterEach(() => stage.close())

  it('speaks in real time, ends with silence, and hears no more of itself', async () => {
    stage = await createStage()
    const [ada, ben] = await Promise.all([stage.join('11'), stage.join('12')])
    await untilGrouped(ada, ben)
    const startedAtMs = performance.now()
    await ada.speak(frames(20))
    expect(performance.now() - startedAtMs).to.be.at.least(24 * 20 - 5)
    await until(() => ben.report.silence === 5, 'five silent frames')
    expect(ben.report).to.include({ decrypted: 20, failed: 0, clear: 0, lastFailedAtMs: null })
    expect(ada.report.firstHeardAtMs).to.equal(null)
    const { firstHeardAtMs, lastHeardAtMs } = ben.report
    expect((lastHeardAtMs ?? 0) - (firstHeardAtMs ?? 0)).to.be.above(200)
    expect(await stage.server.packets(GUILD, '11')).to.include({ packets: 25, lost: 0 })
  })

  it('ends an utterance when a new one begins, when the signal fires, and when it closes', async () => {
    stage = await createStage()
    const ada = await stage.join('11')
    const first = ada.speak(endless())
    const stop = new AbortController()
    const second = ada.speak(endless(), stop.signal)
    await first
    stop.abort()
    await second
    const third = ada.speak(endless())
    ada.close()
    await third
  })

  it('comes back on its own after its connection was lost, and continues in the same group', async () => {
    stage = await createStage({ timing: { transitionTimeoutMs: 200 } })
    const [ada, ben] = await Promise.all([stage.join('11'), stage.join('12')])
    await untilGrouped(ada, ben)
    for (const how of ['drop', 4015] as const) {
      stage.server.closeSocket(GUILD, '12', how)
      // Cyd can come into the group with Ben's answers alone.
      const cyd = await stage.join('13')
      await untilGrouped(ada, ben, cyd)
      cyd.close()
      await untilGrouped(ada, ben)
    }
    await ada.speak(frames(5))
    await until(() => ben.report.decrypted === 5, 'five frames')
    expect(stage.left).to.deep.equal(['13', '13'])
  })

  it('says when the server has ended its session, and why', async () => {
    stage = await createStage()
    const ada = await stage.join('11')
    const codes: number[] = []
    ada.onEnd((code) => codes.push(code))
    stage.server.remove(GUILD, '11', 4022)
    await until(() => codes.length > 0, 'the end')
    expect(codes).to.deep.equal([4022])
  })

  it('fails to connect where it is refused, does not trust the certificate, or no one is there', async () => {
    stage = await createStage()
    const { cert } = await createCertificate()
    expect(await rejection(stage.join('11', { token: 'wrong' }))).to.include('4004')
    expect(await rejection(stage.join('11', { certificate: cert }))).to.include('1006')
    expect(await rejection(stage.join('11', { endpoint: 'localhost:1' }))).to.include('1006')
  })

  it('survives what makes no sense', async () => {
    stage = await createStage()
    const [ada, ben] = await Promise.all([stage.join('11'), stage.join('12')])
    await untilGrouped(ada, ben)
    stage.server.send(GUILD, '11', 5, null)
    stage.server.send(GUILD, '11', 4, {})
    stage.server.send(GUILD, '11', 250, {})
    stage.server.sendBinary(GUILD, '11', 25, Buffer.of(1))
    stage.server.sendBinary(GUILD, '11', 29, Buffer.alloc(0))
    await ben.speak(frames(3))
    await until(() => ada.report.decrypted === 3, 'three frames')
  })
})
