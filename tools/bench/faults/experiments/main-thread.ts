import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { load } from '../../load.ts'
import { evaluate, INSPECTED } from '../../inspect.ts'
import { residentMiB } from '../../../stage/process.ts'
import { experiment } from '../experiment.ts'
import { TRACKS } from '../music.ts'
import { metric, openPlayers, PLAYING_ALONE, range, startPlaying } from '../players.ts'
import { sleep, until } from '../tools.ts'

const UNHEARD_MS = 400
const BLOCK_MS = 2000
const BLOCKS = 3

const HEAP_MB = 256
const PLAYERS = 50
const LISTENERS = 2000
const LOAD_MS = 15_000
const STATUS_PER_SECOND = 500

/** Experiments with the main thread, and with little memory. */
export const MAIN_THREAD = [
  experiment('16', {
    title: `a heap of ${HEAP_MB} MB (--max-old-space-size), ${PLAYERS} players, ${LISTENERS} event sockets, ${STATUS_PER_SECOND} requests a second and events for ${LOAD_MS / 1000} s`,
    passes:
      'the same process is there afterwards, every request was answered 200, no player lost a frame in 200, no gap of a second',
    limitMs: 180_000,
    async run(tools) {
      const env = { ...PLAYING_ALONE, NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` }
      const service = await tools.service({ env })
      const { pid } = service
      const players = await openPlayers(tools, service, PLAYERS, TRACKS.noise)
      const [first] = players
      const guild = `/v1/music/guilds/${first?.guildId}`
      await service.call('POST', `${guild}/play`, { body: { query: TRACKS.noise, channelId: first?.channelId } })
      await service.call('PATCH', `${guild}/player`, { body: { loop: 'queue' } })
      const listeners = fork(join(import.meta.dirname, '..', '..', 'event-listeners.ts'))
      tools.own(listeners, (it) => it.kill())
      const port = Number(new URL(service.baseUrl).port)
      listeners.send({ open: { port, key: service.keys.unlinked, count: LISTENERS, events: 'trackStarted' } })
      await once(listeners, 'message')
      await Promise.all(players.slice(1).map((player) => player.packets({ reset: true })))
      const over = new AbortController()
      const skipping = (async () => {
        for (let skips = 0; ; skips++) {
          if (over.signal.aborted) return skips
          await service.call('POST', `${guild}/skip`)
          await sleep(500)
        }
      })()
      const url = `${service.baseUrl}/v1/status`
      const report = await load(url, service.keys.unlinked, { perSecond: STATUS_PER_SECOND, forMs: LOAD_MS })
      over.abort()
      const events = (await skipping) * LISTENERS
      listeners.send({ closeAll: true })
      const heard = await Promise.all(players.slice(1).map((player) => player.packets()))
      const [packets, lost] = [
        heard.reduce((sum, one) => sum + one.packets, 0),
        heard.reduce((sum, one) => sum + one.lost, 0),
      ]
      const heapMiB = (await metric(service, 'nodejs_heap_size_used_bytes')) / 1024 / 1024
      tools.must(
        service.isRunning && service.pid === pid,
        `the same process, heap ${heapMiB.toFixed(0)} MiB, resident ${residentMiB(pid).toFixed(0)} MiB`,
      )
      tools.must(
        Object.keys(report.answers).join() === '200',
        `${report.answers[200]} requests (${report.perSecond.toFixed(0)} a second, p99 ${report.p99Ms.toFixed(0)} ms), ${events} deliveries of events`,
      )
      const gaps = heard.map(({ longestSilenceMs }) => longestSilenceMs)
      tools.must(
        lost < packets / 200 && Math.max(...gaps) < 1000,
        `${packets} packets, ${lost} lost, longest gaps ${range(gaps)} ms`,
      )
    },
  }),
  experiment('17', {
    title: `the main thread stands still for ${BLOCK_MS / 1000} s, ${BLOCKS} times (an endless loop, put in by the inspector)`,
    passes: 'no gap of 0.4 s in the sound, as it arrives at Discord; requests wait and are answered',
    limitMs: 60_000,
    async run(tools) {
      const { service, sound } = await startPlaying(tools, { env: INSPECTED })
      const answerMs: number[] = []
      for (let block = 0; block < BLOCKS; block++) {
        const startMs = performance.now()
        const blocked = evaluate(
          service.output(),
          `{ const end = performance.now() + ${BLOCK_MS}; while (performance.now() < end); }`,
        )
        await sleep(200)
        const { status } = await service.call('GET', '/v1/status')
        answerMs.push(performance.now() - startMs)
        await blocked
        tools.must(
          status === 200 && (answerMs.at(-1) ?? 0) >= BLOCK_MS,
          `status ${status} after ${Math.round(answerMs.at(-1) ?? 0)} ms`,
        )
      }
      await until(
        'it answers at once',
        async () => {
          const startMs = performance.now()
          await service.call('GET', '/v1/status')
          return performance.now() - startMs < 200
        },
        10_000,
      )
      const gapMs = await sound.gapMs()
      tools.must(gapMs < UNHEARD_MS, `longest gap in the sound ${gapMs} ms`)
    },
  }),
]
