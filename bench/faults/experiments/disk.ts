import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { experiment, NotRun } from '../experiment.ts'
import { TRACKS } from '../music.ts'
import { areAll, inWords, startProbe } from '../probe.ts'
import { sleep, until, type Service, type Tools } from '../tools.ts'

const METERED = '/v1/tools/binary/encode?text=Hi'
const LONGEST_GAP_MS = 400
const FULL_MS = 6000

/** A small disk of its own. @throws {NotRun} where mounting is not allowed. */
function openSmallDisk(tools: Tools, sizeMiB: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'bandstand-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMiB}m`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    rmSync(folder, { recursive: true })
    throw new NotRun('this needs a small disk, and mounting one is not allowed here (root may)')
  }
  return tools.own(folder, (it) => {
    execFileSync('umount', ['-l', it])
    rmSync(it, { recursive: true })
  })
}

/** Writes until nothing more fits. @returns the file to remove. */
function fill(folder: string): string {
  const file = join(folder, 'ballast')
  const fd = openSync(file, 'w')
  try {
    for (const bytes of [1024 * 1024, 4096, 1]) fillWith(fd, Buffer.alloc(bytes))
  } finally {
    closeSync(fd)
  }
  return file
}

function fillWith(fd: number, chunk: Buffer): void {
  try {
    while (writeSync(fd, chunk) === chunk.length);
  } catch {
    // Full.
  }
}

/** So many requests that their lines fill any buffer. */
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

/** Nowhere to write to. */
export const DISK = [
  experiment({
    number: '7a',
    title: 'the disk of DATA_DIR is full for 6 s (a tmpfs of 96 MB), under requests and with sound going on',
    passes:
      'reads answer 200, nothing answers 500, a new key is refused in words; no gap in the sound; all works again when there is room, and what was queued meanwhile is saved',
    limitMs: 90_000,
    async run(tools) {
      const disk = openSmallDisk(tools, 96)
      const env = { RENDER_CONCURRENCY: '0' }
      const service = await tools.service({ dataDir: join(disk, 'data'), env })
      const ear = await (await tools.discord()).listen()
      await service.music('POST', '/play', { query: TRACKS.noise, channelId: service.channelId })
      await until('it plays', () => ear.count > 50, 10_000)
      const { guildId, keys } = service
      const metered = startProbe(tools, service, { path: METERED })
      const player = startProbe(tools, service, { path: `/v1/music/guilds/${guildId}/player`, key: keys.linked })
      const ballast = fill(disk)
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
      const gapMs = ear.longestGapMs(startMs)
      tools.must(gapMs < LONGEST_GAP_MS, `longest gap ${gapMs} ms`)
      rmSync(ballast)
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
      const expected = queued.status === 200 ? 1 : 0
      tools.must(queue.length === expected, `queued meanwhile and there after kill -9: ${queue.length} of ${expected}`)
    },
  }),
  experiment({
    number: '7b',
    title: 'the disk of the log is full (standard output is a file on a tmpfs of 1 MB)',
    passes: 'every request is answered, the sound goes on, SIGTERM ends it; the log goes on when there is room',
    limitMs: 60_000,
    async run(tools) {
      const disk = openSmallDisk(tools, 1)
      const logFile = join(disk, 'service.log')
      const service = await tools.service({ logFile, env: { RENDER_CONCURRENCY: '0' } })
      const ear = await (await tools.discord()).listen()
      await service.music('POST', '/play', { query: TRACKS.noise, channelId: service.channelId })
      await until('it plays', () => ear.count > 50, 10_000)
      const ballast = fill(disk)
      const startMs = performance.now()
      const statuses = await callMuch(service, 2000)
      await sleep(1000)
      tools.must(statuses[200] === 2000, `2000 calls: ${JSON.stringify(statuses)}`)
      const gapMs = ear.longestGapMs(startMs)
      tools.must(gapMs < LONGEST_GAP_MS && service.isRunning, `longest gap ${gapMs} ms`)
      const before = service.output().length
      rmSync(ballast)
      await callMuch(service, 100)
      await until('the log goes on', () => service.output().length > before, 5000)
      tools.must(true, 'the log went on')
    },
  }),
  experiment({
    number: '7c',
    title: 'nobody reads the log (standard output is a pipe whose reader stands still), under 6,000 requests',
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
