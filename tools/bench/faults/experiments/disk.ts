import { join } from 'node:path'
import { openSmallDisk, type SmallDisk } from '../../../stage/small-disk.ts'
import { experiment, NotRun } from '../experiment.ts'
import { TRACKS } from '../music.ts'
import { areAll, inWords, startProbe } from '../probe.ts'
import { sleep, until, type Service, type Tools } from '../tools.ts'

const METERED = '/v1/tools/binary/encode?text=Hi'
const LONGEST_GAP_MS = 400
const FULL_MS = 6000

/** A small disk of its own. @throws {NotRun} if mounting is not allowed. */
function openDisk(tools: Tools, sizeMiB: number): SmallDisk {
  const disk = openSmallDisk(sizeMiB)
  if (!disk) throw new NotRun('this needs a small disk, and mounting one is not allowed here (root may)')
  return tools.own(disk, (it) => it.close())
}

/** Sends enough requests for their log lines to fill any buffer. */
async function callMuch(service: Service, calls: number): Promise<Readonly<Record<number, number>>> {
  const statuses: Record<number, number> = {}
  const line = async () => {
    for (let i = 0; i < calls / 20; i++) {
      const status = await service.call('GET', METERED).then(
        (it) => it.status,
        () => 0,
      )
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: 20 }, line))
  return statuses
}

/** /readyz and /metrics say that nothing can be saved, and a change is refused. */
async function mustTell(tools: Tools, service: Service): Promise<void> {
  const isTold = async () => {
    const { body } = await service.call('GET', '/readyz', { key: null })
    const state = body.parts.find(({ name }: { name: string }) => name === 'storage')?.state
    const metrics = await (await fetch(`${service.baseUrl}/metrics`)).text()
    return state === 'degraded' && /^bandstand_storage_writable 0$/m.test(metrics)
  }
  tools.saw(`/readyz and /metrics tell of it after ${await until('it is told', isTold, 10_000)} ms`)
  const change = await service.call('PATCH', `/v1/music/guilds/${service.guildId}/player`, { body: { volume: 50 } })
  tools.must(change.status === 503, `a volume: ${change.status} ${change.body?.error?.message ?? ''}`)
}

/** Nowhere to write to. */
export const DISK = [
  experiment('7a', {
    title: 'the disk of DATA_DIR is full for 6 s (a tmpfs of 96 MB), under requests and with sound going on',
    passes:
      'reads answer 200, nothing answers 500, a new key is refused in words; /readyz and the metrics tell of it; no gap in the sound; all works again when there is room, and what was queued meanwhile is saved',
    limitMs: 90_000,
    async run(tools) {
      const disk = openDisk(tools, 96)
      const env = { RENDER_CONCURRENCY: '0' }
      const service = await tools.service({ dataDir: join(disk.folder, 'data'), env })
      const ear = await (await tools.discord()).listen()
      await service.music('POST', '/play', { query: TRACKS.noise, channelId: service.channelId })
      await until('it plays', () => ear.count > 50, 10_000)
      const { guildId, keys } = service
      const metered = startProbe(tools, service, { path: METERED })
      const player = startProbe(tools, service, { path: `/v1/music/guilds/${guildId}/player`, key: keys.linked })
      const makeRoom = disk.fill()
      // Filling it held this process up, and its ears.
      await sleep(500)
      const startMs = performance.now()
      const key = await service.admin('key', 'create', '--project', service.projectId)
      const body = { query: TRACKS.tone, channelId: service.channelId }
      const queued = await service.call('POST', `/v1/music/guilds/${guildId}/play`, { body })
      await sleep(FULL_MS)
      const said = key.stderr.replaceAll(/\s+/g, ' ').trim().slice(0, 160)
      tools.must(key.code !== 0 && /disk|written|space/i.test(said), `a new key: ${said}`)
      tools.must([200, 503].includes(queued.status), `a track is queued: ${queued.status}`)
      for (const [name, probe] of Object.entries({ metered, player })) {
        tools.must(areAll(probe.report(), 200), `${name}: ${inWords(probe.report())}`)
      }
      await mustTell(tools, service)
      const gapMs = ear.longestGapMs(startMs)
      tools.must(gapMs < LONGEST_GAP_MS, `longest gap ${gapMs} ms`)
      makeRoom()
      const madeAfterMs = await until(
        'a key can be made again',
        async () => (await service.admin('key', 'create', '--project', service.projectId)).code === 0,
        10_000,
      )
      tools.must(true, `a key is made ${madeAfterMs} ms after there is room`)
      await sleep(4000)
      await service.kill('SIGKILL')
      const againMs = performance.now()
      await service.start()
      await until('the player is back', () => ear.firstSince(againMs) !== undefined, 15_000)
      const { queue } = await service.music('GET', '/player')
      // A change that was made but not saved is reported as such, and saved when there is room.
      const isDone = queued.status === 200 || /is not saved/.test(queued.body.error.message)
      const expected = isDone ? 1 : 0
      tools.must(queue.length === expected, `queued meanwhile and there after kill -9: ${queue.length} of ${expected}`)
    },
  }),
  experiment('7d', {
    title: 'the service is stopped and started again while the disk of DATA_DIR is full',
    passes: 'it starts, its player is heard again, changes are refused with 503; all is saved again when there is room',
    limitMs: 90_000,
    async run(tools) {
      const disk = openDisk(tools, 96)
      const service = await tools.service({ dataDir: join(disk.folder, 'data'), env: { RENDER_CONCURRENCY: '0' } })
      const ear = await (await tools.discord()).listen()
      await service.music('POST', '/play', { query: TRACKS.noise, channelId: service.channelId })
      await until('it plays', () => ear.count > 50, 10_000)
      disk.fill()
      const code = await service.kill('SIGTERM')
      // Shutdown removed the write-ahead log, which made room.
      const makeRoom = disk.fill()
      const againMs = performance.now()
      await service.start()
      const heardMs = await until('the player is heard', () => ear.firstSince(againMs) !== undefined, 20_000)
      tools.must(code === 0, `it ended with ${code}, started, and was heard ${heardMs} ms later`)
      await mustTell(tools, service)
      makeRoom()
      const change = () => service.call('PATCH', `/v1/music/guilds/${service.guildId}/player`, { body: { volume: 50 } })
      const savedMs = await until('a volume is saved', async () => (await change()).status === 200, 10_000)
      tools.must(true, `a volume is saved ${savedMs} ms after there is room`)
    },
  }),
  experiment('7b', {
    title: 'the disk of the log is full (standard output is a file on a tmpfs of 1 MB)',
    passes: 'every request is answered, the audio continues, SIGTERM stops it; the log resumes when there is room',
    limitMs: 60_000,
    async run(tools) {
      const disk = openDisk(tools, 1)
      const logFile = join(disk.folder, 'service.log')
      const service = await tools.service({ logFile, env: { RENDER_CONCURRENCY: '0' } })
      const ear = await (await tools.discord()).listen()
      await service.music('POST', '/play', { query: TRACKS.noise, channelId: service.channelId })
      await until('it plays', () => ear.count > 50, 10_000)
      const makeRoom = disk.fill()
      const startMs = performance.now()
      const statuses = await callMuch(service, 2000)
      await sleep(1000)
      tools.must(statuses[200] === 2000, `2000 calls: ${JSON.stringify(statuses)}`)
      const gapMs = ear.longestGapMs(startMs)
      tools.must(gapMs < LONGEST_GAP_MS && service.isRunning, `longest gap ${gapMs} ms`)
      const before = service.output().length
      makeRoom()
      await callMuch(service, 100)
      await until('the log goes on', () => service.output().length > before, 5000)
      tools.must(true, 'the log went on')
    },
  }),
  experiment('7c', {
    title: 'the log is not read (standard output is a pipe whose reader stands still), under 6,000 requests',
    passes: 'every request is answered, and SIGTERM ends it within 10 s all the same',
    limitMs: 120_000,
    async run(tools) {
      const service = await tools.service({ env: { RENDER_CONCURRENCY: '0' } })
      service.process.stdout?.pause()
      const statuses = await callMuch(service, 6000)
      const ok = statuses[200] ?? 0
      tools.must(ok + (statuses[429] ?? 0) === 6000, `6000 calls: ${JSON.stringify(statuses)}`)
      const startMs = performance.now()
      service.process.kill('SIGTERM')
      await until('it has ended', () => !service.isRunning, 15_000)
      const tookMs = Math.round(performance.now() - startMs)
      service.process.stdout?.resume()
      tools.must(tookMs < 10_000, `ended ${tookMs} ms after SIGTERM`)
    },
  }),
] as const
