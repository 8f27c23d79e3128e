import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import { createServer } from 'node:net'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCertificate } from 'bandstand-sandbox/certificate'
import { startNameServer } from '../../../test/support/name-server.ts'
import { listen } from '../../../test/support/web.ts'
import { UPSTREAM_ADDRESSES, WITHOUT_AN_ANSWER } from '../../../test/support/upstreams/addresses.ts'
import { MISBEHAVIOURS, startStandIn } from '../../../test/support/upstreams/stand-in.ts'
import { startOpenMeteo } from '../../../test/support/upstreams/open-meteo.ts'
import type { LoadReport } from '../../http-load.ts'
import { residentMiB } from '../../process.ts'
import { experiment, NotRun } from '../experiment.ts'
import { TRACKS } from '../music.ts'
import { PLAYING_ALONE, startPlaying } from '../players.ts'
import { until, type Service, type Tools } from '../tools.ts'

/** Shorter than what is usual, so that the experiment is. */
const CALL_MS = 1500
/** Some ask two services one after the other, and a translator of one's own may take four times as long as others. */
const ANSWER_WITHIN_MS = 4 * CALL_MS + 1000
const STATUS_PER_SECOND = 100
const MOST_GROWN_MIB = 100
/** Of other routes' slowest hundredth, beside the idle service; a busy machine's noise comes on top. */
const MOST_SLOWED = 3
const NOISE_MS = 50
const UNHEARD_MS = 400

interface Asked {
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly wanted: number
}

let serial = 0

/** Another id of the same length, or a longer one where it is short. */
function numbered(id: string): string {
  return id.length > 1 ? String(BigInt(id) + BigInt(serial++)) : String(7000 + serial++)
}

/** Asks every route that asks someone outside, each for something new, so that no call is shared. */
async function askAll(service: Service): Promise<readonly Asked[]> {
  const asking = Object.entries(WITHOUT_AN_ANSWER).map(async ([route, wanted]) => {
    const startMs = performance.now()
    const path = route.replace('Somebody', `Somebody${serial++}`).replace(/(?<=\/)\d+$|(?<=\/)7(?=\/)/, numbered)
    const { status } = await service.call('GET', path, { key: service.keys.unlinked })
    return { route, status, ms: performance.now() - startMs, wanted }
  })
  return Promise.all(asking)
}

function judge(tools: Tools, how: string, asked: readonly Asked[], withinMs = ANSWER_WITHIN_MS): void {
  const wrong = asked.filter(({ status, wanted, ms }) => status !== wanted || ms > withinMs)
  const slowest = Math.round(Math.max(...asked.map(({ ms }) => ms)))
  const names = wrong.map(({ route, status, ms }) => `${route} ${status} after ${Math.round(ms)} ms`).join(', ')
  tools.must(
    wrong.length === 0,
    `${how}: ${asked.length - wrong.length} of ${asked.length} as documented, slowest ${slowest} ms ${names}`.trim(),
  )
}

/** Asks for the status from a process of its own: this one has the outside services to play. */
async function statusOf(tools: Tools, { baseUrl, keys }: Service, seconds: number): Promise<LoadReport> {
  const child = tools.own(fork(join(import.meta.dirname, '..', '..', 'http-load.ts')), (it) => it.kill())
  const where = { port: Number(new URL(baseUrl).port), path: '/v1/status', keys: [keys.unlinked] }
  child.send({ ...where, connections: 16, forMs: seconds * 1000, perSecond: STATUS_PER_SECOND })
  return (await once(child, 'message'))[0]
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return Math.round(performance.now() - startMs)
}

/** A `node` whose process sees a file of its own in the place of /etc/resolv.conf. */
function nodeWithNameServer(tools: Tools, address: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'bandstand-names-'))
  tools.own(folder, (it) => rmSync(it, { recursive: true, force: true }))
  writeFileSync(join(folder, 'resolv.conf'), `nameserver ${address}\n`)
  const inside = `mount --bind ${folder}/resolv.conf /etc/resolv.conf`
  if (spawnSync('unshare', ['--mount', 'sh', '-c', inside]).status !== 0) {
    throw new NotRun('this user may not have a /etc/resolv.conf of its own (unshare --mount): run it as root')
  }
  const script = join(folder, 'node')
  writeFileSync(
    script,
    `#!/bin/sh\nexec unshare --mount sh -c '${inside} && exec "$0" "$@"' '${process.execPath}' "$@"\n`,
  )
  chmodSync(script, 0o755)
  return script
}

/** The services outside and the names of the internet. */
export const UPSTREAMS = [
  experiment({
    number: '9a',
    title: `every outside service of the utilities hangs, drips, answers errors, garbage, 20 MB or a redirect, or cuts the connection (${MISBEHAVIOURS.length} ways, 13 routes)`,
    passes:
      'the documented error within 7 s each time (UPSTREAM_TIMEOUT_MS 1500); afterwards the breaker stops the calls; p99 of status at most three times the idle one and 50 ms, no gap of 0.4 s in the sound, memory up by 100 MiB at most',
    limitMs: 150_000,
    async run(tools) {
      const outside = tools.own(await startStandIn(() => undefined), (it) => it.close())
      const addresses = Object.fromEntries(UPSTREAM_ADDRESSES.map((name) => [name, outside.url]))
      const { service, sound } = await startPlaying(tools, {
        env: { ...addresses, UPSTREAM_TIMEOUT_MS: String(CALL_MS) },
      })
      // Workers and caches that the routes start on their own are there then.
      await askAll(service)
      const idle = await statusOf(tools, service, 4)
      const beforeMiB = residentMiB(service.pid)
      const asking = statusOf(tools, service, 20)
      const last = 'status 429 with Retry-After'
      for (const how of [...MISBEHAVIOURS.filter((one) => one !== last), last] as const) {
        outside.misbehave(how)
        judge(tools, how, await askAll(service))
        // A good answer now and then, or the breakers would spare them the rest.
        outside.misbehave(null)
        await askAll(service)
      }
      const busy = await asking
      outside.misbehave('hang')
      for (let round = 0; round < 6; round++) await askAll(service)
      const count = outside.received.length
      judge(tools, 'left alone', await askAll(service), 1000)
      tools.must(
        outside.received.length === count,
        `${outside.received.length - count} calls to services that are left alone`,
      )
      const grownMiB = residentMiB(service.pid) - beforeMiB
      tools.must(grownMiB < MOST_GROWN_MIB, `memory ${grownMiB.toFixed(0)} MiB more`)
      tools.must(
        busy.p99Ms < idle.p99Ms * MOST_SLOWED + NOISE_MS && busy.refused === 0,
        `status p99 ${busy.p99Ms.toFixed(1)} ms, before ${idle.p99Ms.toFixed(1)} ms`,
      )
      const gapMs = await sound.gapMs()
      tools.must(gapMs < UNHEARD_MS, `longest gap in the sound ${gapMs} ms`)
    },
  }),
  experiment({
    number: '9b',
    title:
      'an outside service shows a certificate of another name, another resets every connection, a third has a name that does not exist',
    passes: 'the documented error within 7 s, and no byte of an answer is believed',
    limitMs: 60_000,
    async run(tools) {
      const { cert, key } = await createCertificate()
      const stranger = createTlsServer({ key, cert }, (_, response) => response.end('{}'))
      let reached = 0
      stranger.on('request', () => reached++)
      const tls = tools.own(await listen(stranger), (it) => it.close())
      const resetting = createServer((socket) => void socket.resetAndDestroy())
      const rst = tools.own(await listen(resetting), (it) => it.close())
      const addresses = UPSTREAM_ADDRESSES.map((name, i) => {
        const address = [tls.url.replace('http', 'https'), rst.url, 'http://no-such-service.invalid'][i % 3] ?? ''
        return [name, address] as const
      })
      const service = await tools.service({
        env: { ...Object.fromEntries(addresses), ...PLAYING_ALONE, UPSTREAM_TIMEOUT_MS: String(CALL_MS) },
      })
      judge(tools, 'all of them', await askAll(service))
      tools.must(reached === 0, `${reached} requests over a connection that cannot be trusted`)
    },
  }),
  experiment({
    number: '9c',
    title: 'callers name 60 hosts whose name servers keep silent',
    passes: 'other names are found meanwhile and files opened, within 2 s; each caller has its answer within 12 s',
    limitMs: 90_000,
    async run(tools) {
      const host = '127.66.0.1'
      const known = { 'weather.example': '127.0.0.1' }
      const names = await startNameServer(known, { host, port: 53 }).catch(() => null)
      if (!names) throw new NotRun('port 53 cannot be opened here')
      tools.own(names, (it) => it.close())
      const execPath = nodeWithNameServer(tools, host)
      const weather = tools.own(await startOpenMeteo(), (it) => it.close())
      const byName = weather.url.replace('127.0.0.1', 'weather.example')
      const env = { OPEN_METEO_BASE_URL: byName, OPEN_METEO_GEOCODING_URL: byName, ...PLAYING_ALONE }
      const service = await tools.service({ execPath, env })
      const fromMs = performance.now()
      const silent = Array.from({ length: 60 }, async (_, i) => {
        const query = `http://silent-${i}.bandstand-faults.net/song.mp3`
        const body = { query, channelId: service.channelId }
        const { status } = await service.call('POST', `/v1/music/guilds/${service.guildId}/play`, { body })
        return { status, ms: performance.now() - fromMs }
      })
      await until('they are asked for', () => names.asked.length > 20, 10_000)
      const cities = ['Berlin', 'Kathmandu', 'Victoria']
      const namesMs: number[] = []
      for (const city of cities) {
        namesMs.push(
          await timed(async () => {
            const { status, body } = await service.call('GET', `/v1/tools/weather?city=${city}`)
            if (status !== 200 && status !== 404) throw new Error(`weather answered ${status}: ${JSON.stringify(body)}`)
          }),
        )
      }
      const openMs = await timed(() =>
        service.music('POST', '/play', { query: TRACKS.noise, channelId: service.channelId }),
      )
      tools.must(
        Math.max(...namesMs, openMs) < 2000,
        `a service by its name answers after ${namesMs.join(', ')} ms, a track plays after ${openMs} ms, with ${availableParallelism()} cores`,
      )
      const ended = await Promise.all(silent)
      const slowest = Math.round(Math.max(...ended.map(({ ms }) => ms)))
      const statuses = [...new Set(ended.map(({ status }) => status))]
      tools.must(
        slowest < 12_000 && statuses.every((one) => one === 422 || one === 503),
        `the 60: ${statuses.join(' and ')}, the last after ${slowest} ms`,
      )
    },
  }),
]
