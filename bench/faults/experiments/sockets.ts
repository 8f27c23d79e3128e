import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeAudio } from '../../../test/support/audio-files.ts'
import { openEvents, refusedHandshake, type Opened } from '../../../test/support/socket.ts'
import { listen } from '../../../test/support/web.ts'
import { openPlaces, play } from '../../places.ts'
import { residentMiB } from '../../process.ts'
import { experiment } from '../experiment.ts'
import { TRACKS } from '../music.ts'
import { metric, PLAYING_ALONE, startPlaying } from '../players.ts'
import { inWords, startProbe } from '../probe.ts'
import { sleep, until, type Service, type Tools } from '../tools.ts'

const AT_ONCE = 1000
/** As many as a project may have open. */
const IN_ALL = 5000
const MOST_KIB_EACH = 40
/** The crowd itself takes both cores of a small machine. */
const UNHEARD_MS = 1000

const STUCK = 200
const READERS = 20
const PLACES = 12
/** 1 MiB waits in the service, and the kernel takes some megabytes for each of them first. */
const CUT_WITHIN_MS = 150_000
/** The bounds of the stuck ones together, and the skipping of tracks. */
const MOST_GROWN_MIB = STUCK + 100

function openListeners(tools: Tools): (order: unknown) => Promise<unknown> {
  const child = fork(join(import.meta.dirname, '..', '..', 'event-listeners.ts'))
  tools.own(child, (it) => it.kill())
  return async (order) => {
    child.send(order as object)
    return once(child, 'message')
  }
}

/** An event socket that is opened, and never read from. */
async function openStuck(tools: Tools, { baseUrl, keys }: Service): Promise<void> {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1')
  tools.own(socket, (it) => it.destroy())
  socket.on('error', () => undefined)
  const key = randomBytes(16).toString('base64')
  socket.write(
    `GET /v1/events?key=${keys.unlinked} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  )
  await once(socket, 'data')
  socket.pause()
}

/** A track whose address and tags make each event about it as long as they get. */
async function serveLongName(tools: Tools): Promise<string> {
  const folder = tools.own(mkdtempSync(join(tmpdir(), 'bandstand-long-')), (it) => rmSync(it, { recursive: true }))
  const name = '🎵'.repeat(300)
  const tags = { title: name, artist: name }
  const path = makeAudio(join(folder, 'it.opus'), { seconds: 3, tags, options: ['-c:a', 'libopus'] })
  const sound = readFileSync(path)
  const server = createServer((_, response) => response.setHeader('content-type', 'audio/ogg').end(sound))
  const { url } = tools.own(await listen(server), (it) => it.close())
  return `${url}/${'é'.repeat(320)}.opus`
}

const started = ({ messages }: Opened) => messages.filter(({ type }) => type === 'trackStarted')

/** Who listens to events. */
export const SOCKETS = [
  experiment({
    number: '12a',
    title: `${AT_ONCE.toLocaleString('en')} event sockets connect in one moment, ${IN_ALL.toLocaleString('en')} are open in the end, and then one more`,
    passes: `all are let in and hear the next event; 40 KiB each at most; the one above the bound is refused in words; no gap of a second in the sound`,
    limitMs: 120_000,
    async run(tools) {
      const { service, sound } = await startPlaying(tools)
      await service.music('POST', '/play', { query: TRACKS.noise, channelId: service.channelId })
      const [beforeMiB, fromMs] = [residentMiB(service.pid), performance.now()]
      const probe = startProbe(tools, service, { path: '/v1/status' })
      const opening = Array.from({ length: AT_ONCE }, () =>
        openEvents(service.baseUrl, service.keys.unlinked, '?events=trackStarted'),
      )
      const opened = await Promise.all(opening)
      const openMs = Math.round(performance.now() - fromMs)
      tools.own(opened, (all) => all.forEach((one) => one.close()))
      const order = openListeners(tools)
      const port = Number(new URL(service.baseUrl).port)
      await order({ open: { port, key: service.keys.unlinked, count: IN_ALL - AT_ONCE, events: 'botStopped' } })
      const count = await metric(service, 'event_sockets')
      tools.must(count === IN_ALL, `${AT_ONCE} open after ${openMs} ms, then ${count}`)
      const headers = { authorization: `Bearer ${service.keys.unlinked}` }
      const { status, body } = await refusedHandshake(service.baseUrl, '/v1/events', { headers })
      tools.must(
        status === 429 && body.error.message.includes('event sockets'),
        `one more: ${status} ${body.error.message}`,
      )
      const kib = ((residentMiB(service.pid) - beforeMiB) * 1024) / IN_ALL
      tools.must(kib < MOST_KIB_EACH, `${kib.toFixed(1)} KiB for each`)
      await service.music('POST', '/skip')
      const heardMs = await until('all hear of it', () => opened.every((one) => started(one).length === 1), 15_000)
      const { longestMs } = probe.report()
      const gapMs = await sound.gapMs()
      tools.must(
        gapMs < UNHEARD_MS,
        `${AT_ONCE} heard the event within ${heardMs} ms; longest gap in the sound ${gapMs} ms`,
      )
      tools.saw(`status meanwhile: ${inWords(probe.report())}`)
      tools.must(longestMs < 5000, `no status took longer than ${longestMs} ms`)
      await order({ closeAll: true })
    },
  }),
  experiment({
    number: '12b',
    title: `${STUCK} event sockets never read while ${READERS} others do, under a stream of long events`,
    passes:
      'the stuck ones are cut, and only they; the others get the same events, all of them; memory grows by their bounds (1 MiB each) and 100 MiB at most',
    limitMs: 260_000,
    async run(tools) {
      const env = { ...PLAYING_ALONE, EGRESS_ALLOW_HOSTS: '127.0.0.1' }
      const service = await tools.service({ env })
      const query = await serveLongName(tools)
      const places = await openPlaces(service, service.botId, PLACES)
      await sleep(500)
      for (const place of places) {
        await play(service, place, query)
        await play(service, place, query)
        await service.call('PATCH', `/v1/music/guilds/${place.guildId}/player`, { body: { loop: 'queue' } })
      }
      const readers = await Promise.all(
        Array.from({ length: READERS }, () => openEvents(service.baseUrl, service.keys.unlinked)),
      )
      tools.own(readers, (all) => all.forEach((one) => one.close()))
      await Promise.all(Array.from({ length: STUCK }, () => openStuck(tools, service)))
      const [beforeMiB, startMs] = [residentMiB(service.pid), performance.now()]
      let [mostMiB, open, skips] = [beforeMiB, STUCK + READERS, 0]
      const isOver = () => open <= READERS || performance.now() - startMs > CUT_WITHIN_MS
      const lanes = places.map(async ({ guildId }) => {
        while (!isOver()) {
          const { status } = await service.call('POST', `/v1/music/guilds/${guildId}/skip`)
          if (status === 200) skips++
        }
      })
      while (!isOver()) {
        open = await metric(service, 'event_sockets')
        mostMiB = Math.max(mostMiB, residentMiB(service.pid))
        await sleep(200)
      }
      await Promise.all(lanes)
      await sleep(1000)
      const seconds = ((performance.now() - startMs) / 1000).toFixed(0)
      const bytes = JSON.stringify(started(readers[0]!)[0]).length
      tools.must(
        open === READERS,
        `${STUCK + READERS - open} of ${STUCK} cut after ${seconds} s, ${skips} tracks and as many events of ${bytes} bytes`,
      )
      const heard = readers.map(({ messages }) => JSON.stringify(messages.filter(({ type }) => type !== 'ping')))
      const isSame = heard.every((one) => one === heard[0])
      tools.must(
        isSame && readers.every(({ socket }) => socket.readyState === socket.OPEN),
        `${READERS} readers have the same ${readers[0]?.messages.length} messages`,
      )
      const grownMiB = Math.round(mostMiB - beforeMiB)
      tools.must(grownMiB < MOST_GROWN_MIB, `memory at most ${grownMiB} MiB more`)
    },
  }),
]
