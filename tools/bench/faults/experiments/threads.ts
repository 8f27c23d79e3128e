import { INSPECTED } from '../../inspect.ts'
import { openEvents } from '../../../../test/support/socket.ts'
import { experiment } from '../experiment.ts'
import { busyFor, openInspector } from '../inspector.ts'
import { TRACKS } from '../music.ts'
import { argsOf, descendantsOf } from '../../../stage/process.ts'
import { areAll, inWords, startProbe } from '../probe.ts'
import { sleep, until, type Service, type Tools } from '../tools.ts'

const AUDIO_THREAD = 'bot/audio/node/worker.ts'
const MOST_LOST_MS = 3000
/** A silent thread counts as hung after 8 s; pings come each 2 s, and then the bot has to join again. */
const REPLACED_WITHIN_MS = 25_000

/** A service that plays the noise from 30 s on, seen through its inspector. */
async function playInspected(tools: Tools) {
  const service = await tools.service({ env: INSPECTED })
  const inspector = tools.own(await openInspector(service), (it) => it.close())
  const ear = await (await tools.discord()).listen()
  await service.music('POST', '/play', { query: TRACKS.noise, channelId: service.channelId })
  await service.music('PATCH', '/player', { positionMs: 30_000 })
  await until('it plays', () => (ear.last()?.positionMs ?? 0) > 33_000, 15_000)
  return { service, inspector, ear }
}

function ffmpegsOf({ pid }: Service) {
  return descendantsOf(pid).filter((one) => argsOf(one).startsWith('ffmpeg '))
}

/** Experiments with the threads and processes that make the sound. */
export const THREADS = [
  experiment('2', {
    title: 'kill -9 of every ffmpeg of a track that is decoded and encoded, three times',
    passes: 'it resumes within 3 s each time, within 3 s of its position, without any message to members',
    limitMs: 120_000,
    async run(tools) {
      const service = await tools.service()
      const ear = await (await tools.discord()).listen()
      const events = tools.own(await openEvents(service.baseUrl, service.keys.linked), (it) => it.close())
      await service.music('POST', '/play', { query: TRACKS.tone, channelId: service.channelId })
      // Filters keep it from going over to the kept copy, which needs no ffmpeg.
      await service.music('PATCH', '/player', { filters: { tremolo: { frequency: 4, depth: 0.5 } } })
      for (const round of [1, 2, 3]) {
        await sleep(3000)
        // Audio encoded ahead still plays after a kill; only then the next ffmpeg is started.
        await until('there is an ffmpeg', () => ffmpegsOf(service).length > 0, 20_000)
        const { positionMs: before } = await service.music('GET', '/player')
        const atMs = performance.now()
        const killed = ffmpegsOf(service)
        for (const { pid } of killed) process.kill(pid, 'SIGKILL')
        await sleep(6000)
        const { positionMs: after } = await service.music('GET', '/player')
        const jumpMs = Math.round(after - before - (performance.now() - atMs))
        const gapMs = ear.longestGapMs(atMs)
        const isWell = killed.length > 0 && gapMs <= 3000 && Math.abs(jumpMs) <= MOST_LOST_MS
        tools.must(
          isWell,
          `round ${round}: ${killed.length} killed, longest gap ${gapMs} ms, ${jumpMs} ms from its place`,
        )
      }
      const told = events.messages.map(({ type, reason }) => reason ?? type).filter((one) => !/ready|ping/.test(one))
      tools.must(told.join() === 'trackStarted', `events: ${told.join(', ')}`)
    },
  }),
  experiment('3a', {
    title: 'the audio thread ends (process.exit in it)',
    passes: 'heard again within 5 s, within 3 s of its place; commands meanwhile answer 200 or 503',
    limitMs: 60_000,
    async run(tools) {
      const { service, inspector, ear } = await playInspected(tools)
      const { guildId, keys } = service
      const path = `/v1/music/guilds/${guildId}/player`
      const probe = startProbe(tools, service, { path, key: keys.linked })
      const [atMs, lastMs] = [performance.now(), ear.last()?.positionMs ?? 0]
      await inspector.runInThread(AUDIO_THREAD, 'process.exit(1)')
      await until('the thread has ended', () => service.output().includes('audio thread exited'), 5000)
      const { status } = await service.call('PATCH', path, { body: { volume: 90 } })
      tools.must([200, 503].includes(status), `a command meanwhile: ${status}`)
      const endedMs = performance.now()
      await until('it is heard again', () => ear.firstSince(endedMs) !== undefined, 15_000)
      const first = ear.firstSince(endedMs)
      const waitMs = Math.round((first?.atMs ?? Infinity) - atMs)
      await service.music('PATCH', '/player', { volume: 100 })
      await until('the noise is heard', () => (ear.last()?.atMs ?? 0) > endedMs + waitMs, 10_000)
      const jumpMs = Math.round((ear.last()?.positionMs ?? 0) - lastMs - ((ear.last()?.atMs ?? 0) - atMs) + waitMs)
      tools.must(waitMs <= 5000, `heard again after ${waitMs} ms`)
      tools.must(Math.abs(jumpMs) <= MOST_LOST_MS, `${jumpMs} ms from its place`)
      tools.must(areAll(probe.report(), 200), `reading the player: ${inWords(probe.report())}`)
      inspector.close()
    },
  }),
  experiment('3b', {
    title: 'the audio thread hangs for 60 s (a busy loop in it)',
    passes: 'commands answer 503 after 10 s at most, all else as ever; replaced and heard again within 25 s',
    limitMs: 90_000,
    async run(tools) {
      const { service, inspector, ear } = await playInspected(tools)
      const [atMs, lastMs] = [performance.now(), ear.last()?.positionMs ?? 0]
      const probe = startProbe(tools, service, { path: '/v1/status' })
      await inspector.runInThread(AUDIO_THREAD, busyFor(60_000))
      await sleep(1000)
      const startMs = performance.now()
      const path = `/v1/music/guilds/${service.guildId}/player`
      const { status } = await service.call('PATCH', path, { body: { positionMs: 60_000 } })
      const tookMs = Math.round(performance.now() - startMs)
      tools.must(status === 503 && tookMs < 11_000, `a command: ${status} after ${tookMs} ms`)
      await until('it is heard again', () => ear.firstSince(startMs) !== undefined, 40_000)
      const first = ear.firstSince(startMs)
      const waitMs = Math.round((first?.atMs ?? Infinity) - atMs)
      tools.must(waitMs <= REPLACED_WITHIN_MS, `heard again after ${waitMs} ms`)
      const jumpMs = (first?.positionMs ?? Infinity) - lastMs
      tools.must(Math.abs(jumpMs) <= MOST_LOST_MS, `${jumpMs} ms from its place`)
      tools.must(areAll(probe.report(), 200), `status: ${inWords(probe.report())}`)
      inspector.close()
    },
  }),
] as const
