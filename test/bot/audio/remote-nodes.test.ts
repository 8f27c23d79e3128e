import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { AudioNode } from '../../../bot/audio/node/protocol.ts'
import { createRemoteNode } from '../../../bot/audio/remote/remote-node.ts'
import type { Sources } from '../../../bot/sources/source.ts'
import { createLog } from '../../../lib/log.ts'
import type { Sandbox } from '../../../packages/sandbox/start.ts'
import { createAudioFiles } from '../../../service/audio-files.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { temporaryFolder } from '../../support/database.ts'
import { launchNode, type RunningNode } from '../../support/lavalink-node.ts'
import { hear, startConcert, type Concert, type Listener } from '../../support/playing-service.ts'
import { eventually } from '../../support/service.ts'

const PASSWORD = 'only for our own services'
const FRAMES_OF_A_SECOND = 50
/** The longest silence when a node dies or stops. */
const PROMISED_MS = 3000
/** A busy machine may keep a promise about time late once, but not each time. */
const ATTEMPTS = 3

interface Machine {
  readonly name: string
  readonly folder: string
  running: RunningNode | null
  node: AudioNode | null
}

/** Real processes of `npm run node`, each on a port that stays the same when it is started again. */
describe('players on audio nodes of other machines', function () {
  const folder = temporaryFolder()
  const log = createLog('silent')
  const files = createAudioFiles()
  const machines: readonly Machine[] = ['quay', 'pier'].map((name) => ({
    name,
    folder: join(folder.path, name),
    running: null,
    node: null,
  }))
  let certificate: string
  let api: TestApi
  let concert: Concert
  let listener: Listener

  async function start(machine: Machine): Promise<RunningNode> {
    const port = machine.running ? new URL(machine.running.url).port : '0'
    machine.running = await launchNode(machine.folder, {
      LAVALINK_PORT: port,
      AUDIO_NODE_PASSWORD: PASSWORD,
      NODE_EXTRA_CA_CERTS: certificate,
      MUSIC_SOURCES: 'http',
    })
    return machine.running
  }

  async function openRemote(sandbox: Sandbox): Promise<readonly AudioNode[]> {
    certificate = join(folder.path, 'certificate.pem')
    writeFileSync(certificate, sandbox.certificate)
    api = await startApi({ mounts: [files.mount] })
    const { origin } = new URL(api.baseUrl)
    return Promise.all(
      machines.map(async (machine) => {
        const { url } = await start(machine)
        const toRemote: typeof files.toRemote = (track) => files.toRemote(track, origin)
        return (machine.node = await createRemoteNode({ id: machine.name, url, password: PASSWORD, log, toRemote }))
      }),
    )
  }

  /** One track is served on the loopback of the service at first, as YouTube's by SABR are. */
  const open: Sources['open'] = async ({ title }, _signal, isFresh) => {
    const at = '127.0.0.1:9'
    if (title !== 'Loopback' || isFresh === true) return { kind: 'file', path: concert.path, codec: 'ogg-opus' }
    return { kind: 'http', url: `http://${at}/x`, codec: 'webm-opus', isStream: false, operatorHost: at }
  }

  before(async () => {
    concert = await startConcert({ openRemote, sources: { open } })
    listener = await concert.listen()
  })
  after(async () => {
    await concert.close()
    await Promise.all(machines.map(async ({ running }) => running?.kill('SIGKILL')))
    await api.close()
    folder.remove()
  })
  beforeEach(async () => {
    for (const machine of machines) {
      if (machine.running?.process.exitCode !== null || machine.running.process.signalCode !== null)
        await start(machine)
      await eventually(
        () => machine.node!.isAlive,
        (isAlive) => isAlive,
      )
    }
    await concert.music.close(concert.scope, concert.guild.id).catch(() => undefined)
    const from = listener.heard.length
    await concert.play('A')
    await hear(listener.heard, from + FRAMES_OF_A_SECOND)
  })

  it('play what their service serves on its own loopback in another way', async () => {
    await concert.music.close(concert.scope, concert.guild.id)
    const from = listener.heard.length
    await concert.play('Loopback')
    await hear(listener.heard, from + FRAMES_OF_A_SECOND)
  })

  /** The machine that plays now, and the other one. */
  async function cast(): Promise<readonly [Machine, Machine]> {
    const { id } = (await concert.info()).node
    const [one, other] = machines as readonly [Machine, Machine]
    expect([one.name, other.name]).to.include(id)
    return one.name === id ? [one, other] : [other, one]
  }

  /** Longest silence while `happen` runs and the other machine takes over. */
  async function silenceOver(happen: () => Promise<unknown>, other: Machine) {
    const from = listener.heard.length - 1
    await happen()
    await eventually(
      async () => (await concert.info()).node.id,
      (id) => id === other.name,
    )
    await hear(listener.heard, listener.heard.length + FRAMES_OF_A_SECOND)
    const heard = listener.heard.slice(from)
    const gaps = heard.slice(1).map(({ atMs, frame }, at) => ({
      silentMs: atMs - heard[at]!.atMs,
      passedMs: (frame - heard[at]!.frame) * 20,
    }))
    return gaps.reduce((longest, gap) => (gap.silentMs > longest.silentMs ? gap : longest))
  }

  it('are heard to the frame, and PlayerInfo says which node plays', async () => {
    await cast()
    const frames = listener.heard.slice(-FRAMES_OF_A_SECOND).map(({ frame }) => frame)
    for (const [at, frame] of frames.entries()) expect(frame - frames[0]!).to.equal(at)
  })

  it('seek, have a trace, and can be listened to, as in a thread of the service', async () => {
    const [machine] = await cast()
    const { scope, guild, botId, music } = concert
    await music.perform(scope, guild.id, 'patch', { positionMs: 40_000 })
    await eventually(
      () => listener.heard.at(-1)!.frame,
      (frame) => frame >= 40 * FRAMES_OF_A_SECOND,
    )
    const player = { botId, guildId: guild.id }
    const trace = await machine.node!.trace(player)
    expect(trace?.entries.map(({ kind }) => kind)).to.include('voice')
    const batches: number[] = []
    const stop = await machine.node!.listen(player, (frames) => batches.push(frames?.length ?? 0))
    await eventually(
      () => batches.length,
      (count) => count >= 3,
    )
    stop()
    expect(Math.max(...batches)).to.equal(10)
    expect((await machine.node!.stats()).players).to.equal(1)
  })

  it('sound on another node within 3 s, at their position, when theirs is killed', async () => {
    const seen = []
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const [machine, other] = await cast()
      const gap = await silenceOver(() => machine.running!.kill('SIGKILL'), other)
      seen.push(gap)
      expect(Math.abs(gap.passedMs - gap.silentMs)).to.be.below(PROMISED_MS)
      if (gap.silentMs < PROMISED_MS) return
      await start(machine)
      await eventually(
        () => machine.node!.isAlive,
        (isAlive) => isAlive,
      )
    }
    expect.fail(JSON.stringify(seen))
  })

  it('move when their node is told to stop, and it ends without them', async () => {
    const [machine, other] = await cast()
    await silenceOver(() => machine.running!.kill('SIGTERM'), other)
    expect(machine.running!.process.exitCode).to.equal(0)
  })

  it('move from a node that answers nothing, which plays to no one when it wakes up', async () => {
    const [machine, other] = await cast()
    await silenceOver(async () => machine.running!.process.kill('SIGSTOP'), other)
    machine.running!.process.kill('SIGCONT')
    await eventually(
      () => machine.node!.isAlive,
      (isAlive) => isAlive,
    )
    const from = listener.heard.length
    await hear(listener.heard, from + FRAMES_OF_A_SECOND)
    const frames = listener.heard.slice(from).map(({ frame }) => frame)
    expect(new Set(frames).size, 'a frame is heard once').to.equal(frames.length)
    expect((await machine.node!.stats()).players).to.equal(0)
  })

  it('play in the service where no node is there, and again on a node when one comes back', async () => {
    await Promise.all(machines.map(({ running }) => running!.kill('SIGKILL')))
    await eventually(
      async () => (await concert.info()).node.id,
      (id) => id === 'audio-1',
    )
    await hear(listener.heard, listener.heard.length + FRAMES_OF_A_SECOND)
    await start(machines[0]!)
    await eventually(
      () => machines[0]!.node!.isAlive,
      (isAlive) => isAlive,
    )
    await concert.music.close(concert.scope, concert.guild.id)
    await concert.play('B')
    expect((await concert.info()).node.id).to.equal(machines[0]!.name)
  })

  it('belong to their service, though another one uses the same node for the same bot', async () => {
    const [{ running }] = await cast()
    const address = { url: running!.url, password: PASSWORD }
    const other = await createRemoteNode({ id: 'other', ...address, log, toRemote: (track) => track })
    await eventually(
      () => other.playerCount,
      (count) => count === 1,
    )
    expect(await other.snapshots(concert.botId)).to.deep.equal([])
    const from = listener.heard.length
    other.dropBot(concert.botId)
    await other.close()
    await hear(listener.heard, from + FRAMES_OF_A_SECOND)
    const frames = listener.heard.slice(from).map(({ frame }) => frame)
    for (const [at, frame] of frames.entries()) expect(frame - frames[0]!).to.equal(at)
  })

  it('are refused with another password than AUDIO_NODE_PASSWORD', async () => {
    const { url } = machines[0]!.running!
    const answer = await fetch(`${url}/v4/info`, { headers: { authorization: PASSWORD } })
    expect(((await answer.json()) as any).plugins.at(-1)).to.deep.equal({ name: 'bandstand-audio', version: '1.0.0' })
    const node = await createRemoteNode({ id: 'other', url, password: 'a wrong one', log, toRemote: (track) => track })
    expect(node.isAlive).to.equal(false)
    await node.close()
  })
})
