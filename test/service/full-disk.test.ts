import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { openSmallDisk, type SmallDisk } from '../../tools/stage/small-disk.ts'
import { eventually, fetchJson, startService, type RunningService } from '../support/service.ts'
import { ffmpegOnce } from '../support/made-once.ts'

const freeBytes = (metrics: string) => Number(/^bandstand_storage_free_bytes (\d+)$/m.exec(metrics)?.[1])

function expectRefused({ status, body }: { status: number; body: any }, what: string): void {
  expect(status, `${what}: ${JSON.stringify(body)}`).to.equal(503)
  expect(body.error.code).to.equal('service_unavailable')
  expect(body.error.message).to.include('disk is full')
}

/** DATA_DIR is a disk of its own, which is filled to the last byte: root alone may mount one. */
describe('a service whose disk is full', function () {
  let disk: SmallDisk
  let service: RunningService | null = null
  let makeRoom: (() => void) | null = null
  let dataDir: string

  before(async function () {
    const small = openSmallDisk(96)
    if (!small) this.skip()
    disk = small
    dataDir = join(disk.folder, 'data')
    mkdirSync(join(dataDir, 'library'), { recursive: true })
    const tone = ['-f', 'lavfi', '-i', 'sine=440:d=300', '-c:a', 'libopus', '-b:a', '24k']
    for (const name of ['one', 'two']) {
      ffmpegOnce(tone, join(dataDir, 'library', `full disk ${name}.opus`))
    }
    service = await start()
  })
  after(async () => {
    await service?.kill('SIGKILL')
    disk?.close()
  })

  /** A full disk has no room for demo.json: where the service is, its log says. */
  async function start(): Promise<RunningService> {
    const env = { AUDIO_CACHE_MIB: '16', LOG_LEVEL: 'info' }
    const started = await startService({ dataDir, env })
    const text = await eventually(
      () => started.output(),
      (output) => output.includes('"service started"'),
    )
    const [, baseUrl = ''] = /"baseUrl":"([^"]+)".*"service started"/.exec(text) ?? []
    const authorization = `Bearer ${started.demo.keys.linked}`
    const call = (method: string, path: string, { body }: { body?: unknown } = {}) =>
      fetchJson(baseUrl + path, method, body, { authorization })
    return { ...started, demo: { ...started.demo, baseUrl }, call }
  }

  const running = () => service!
  const guild = (path: string) => `/v1/music/guilds/${running().demo.guildId}${path}`
  const call = (method: string, path: string, body?: unknown) => running().call(method, guild(path), { body })
  const play = (query: string) => call('POST', '/play', { query, channelId: running().demo.voiceChannelId })
  const player = async () => (await call('GET', '/player')).body.data
  const storage = async () => {
    const { status, body } = await running().call('GET', '/readyz')
    return { status, part: body.parts.find(({ name }: { name: string }) => name === 'storage') }
  }
  const metrics = async () => (await fetch(`${running().demo.baseUrl}/metrics`)).text()

  it('tells /readyz and the metrics so within seconds, without a caller', async () => {
    expect((await play('full disk one')).status).to.equal(200)
    makeRoom = disk.fill()
    const { status, part } = await eventually(storage, (it) => it.part.state !== 'ok')
    expect([status, part.state]).to.deep.equal([200, 'degraded'])
    expect(part.note).to.include('disk is full')
    await eventually(metrics, (text) => /^bandstand_storage_writable 0$/m.test(text) && freeBytes(text) < 1_000_000)
  })

  it('refuses what it cannot save with 503, changes nothing, and plays on', async () => {
    const before = await player()
    expectRefused(await play('full disk two'), 'play')
    expectRefused(await call('PATCH', '/player', { volume: 50 }), 'volume')
    expectRefused(await call('POST', '/skip'), 'skip')
    const after = await player()
    expect([after.volume, after.current.title, after.queue.length]).to.deep.equal([100, before.current.title, 0])
    await eventually(player, ({ positionMs }) => positionMs > after.positionMs)
  })

  it('starts again, brings its players back, and still refuses what it cannot save', async () => {
    await running().kill('SIGTERM')
    // The shutdown removed the write-ahead log, which freed space.
    makeRoom = disk.fill()
    service = await start()
    await running().logged('"service started"')
    await eventually(player, (now) => now?.current?.title === 'full disk one' && now.positionMs > 0)
    expectRefused(await call('PATCH', '/player', { volume: 50 }), 'volume')
    expect((await storage()).part.state).to.equal('degraded')
  })

  it('works again on its own when there is room, and keeps what it acknowledges through a kill', async () => {
    makeRoom?.()
    await eventually(storage, ({ part }) => part.state === 'ok')
    expect(await metrics()).to.match(/^bandstand_storage_writable 1$/m)
    expect((await call('PATCH', '/player', { volume: 50 })).status).to.equal(200)
    expect((await play('full disk two')).status).to.equal(200)
    await running().kill('SIGKILL')
    service = await start()
    const back = await eventually(player, (now) => now?.queue?.length === 1)
    expect([back.volume, back.queue[0].title]).to.deep.equal([50, 'full disk two'])
  })
})
