import { experiment } from '../experiment.ts'
import { TRACKS } from '../music.ts'
import { sleep, until } from '../tools.ts'

const SECOND_MS = 1000
/** A position is saved each two and a half seconds. */
const MOST_LOST_MS = 3000

/** Processes that die without a word. */
export const KILLED = [
  experiment('1', {
    title: 'kill -9 of the service in the middle of a track, twice, with three tracks queued',
    passes: 'heard again within 3 s of its place and within 10 s of the start; no key and no queue entry is lost',
    limitMs: 120_000,
    async run(tools) {
      const service = await tools.service({ env: { RENDER_CONCURRENCY: '0' } })
      const ear = await (await tools.discord()).listen()
      for (const query of [TRACKS.noise, TRACKS.tone, TRACKS.short, TRACKS.noise]) {
        await service.music('POST', '/play', { query, channelId: service.channelId })
      }
      await service.music('PATCH', '/player', { positionMs: 30_000 })
      for (const round of [1, 2]) {
        const key = (await service.admin('key', 'create', '--project', service.projectId, '--json')).json.key
        const place = (ear.last()?.positionMs ?? 0) + 4 * SECOND_MS
        await until('it plays', () => (ear.last()?.positionMs ?? 0) > place, 15_000)
        await service.kill('SIGKILL')
        const lastMs = ear.last()?.positionMs ?? 0
        await sleep(SECOND_MS)
        const startMs = performance.now()
        await service.start()
        await until('it is heard again', () => ear.firstSince(startMs) !== undefined, 20_000)
        const first = ear.firstSince(startMs)
        const jumpMs = (first?.positionMs ?? Infinity) - lastMs
        const waitMs = Math.round((first?.atMs ?? Infinity) - startMs)
        tools.must(
          Math.abs(jumpMs) <= MOST_LOST_MS && waitMs < 10_000,
          `round ${round}: ${waitMs} ms after the start at ${jumpMs} ms from its place`,
        )
        const { queue } = await service.music('GET', '/player')
        tools.must(queue.length === 3, `${queue.length} of 3 queued`)
        const { status } = await service.call('GET', '/v1/tools/binary/encode?text=Hi', { key })
        tools.must(status === 200, `a key made just before answers ${status}`)
      }
    },
  }),
]
