/**
 * Two projects on one service: one goes about its work (plays of new URLs, lookups of lyrics, screenshots, pictures), each
 * at an even rate, and the other one, on the free plan, asks for as much as it can of everything that both share: plays of
 * a host that never answers, playlists of playlists, slow lookups, pictures, screenshots, event sockets. Counted is
 * what the first one gets done in time, beside what it gets done alone in the same run.
 * `npm run bench:neighbours -- [--seconds 30]`
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { WebSocket } from 'ws'
import { encodeToken } from '../bot/tracks/track-token.ts'
import { page } from '../test/support/pages.ts'
import { startService, type RunningService } from '../test/support/service.ts'
import { lyricsRecord } from '../test/support/upstreams/song-lore.ts'
import { serve, type Listening } from '../test/support/web.ts'
import { ATTACKS, attackerOf, type Attack, type Attacker } from './attacks/attacks.ts'
import { silentMp3 } from './attacks/audio.ts'
import { startAttack } from './attacks/start.ts'
import { addTenant, type Tenant } from './attacks/tenant.ts'
import { startHostileWeb } from './attacks/web-thread.ts'
import { ratioAtLeast, report } from './report.ts'

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '30' } } })
const SECONDS = Number(values.seconds)
/** What is not done by then does not count. */
const IN_TIME_MS = 10_000
const ATTACKER_GUILDS = 5
const SOCKETS = 200
const SLOW_MS = 2000

interface Work {
  readonly name: string
  readonly perSecond: number
  /** One piece of it. @returns whether it was done. */
  readonly once: (turn: number) => Promise<boolean>
}

const token = (title: string) =>
  encodeToken({
    title,
    author: 'The Harbour Lights',
    lengthMs: 214_000,
    identifier: 'https://example.com/a.mp3',
    isStream: false,
    uri: null,
    artworkUrl: null,
    isrc: null,
    sourceName: 'http',
    probe: 'mp3',
  })

/** One host for all that is honest: a song, a page, and lyrics, which take two seconds for titles with the word `slow`. */
function openHttpClients(): Promise<Listening> {
  const song = silentMp3()
  const html = page('<h1>Small page</h1>')
  return serve((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://outside')
    if (pathname.startsWith('/song')) response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(song)
    else if (pathname.startsWith('/page')) html(request, response)
    else {
      const title = searchParams.get('track_name')
      const answer = () =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify(lyricsRecord({ trackName: title })))
      setTimeout(answer, title?.includes('slow') ? SLOW_MS : 0)
    }
  })
}

async function workOf(service: RunningService, { call, places, key }: Tenant, outside: string): Promise<Work[]> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const picture = await sharp({ create: { width: 512, height: 512, channels: 3, background: '#888', noise } })
    .jpeg()
    .toBuffer()
  const place = (turn: number) => places[turn % places.length]!
  return [
    {
      name: 'plays of a new URL',
      perSecond: 2,
      async once(turn) {
        const { guildId, channelId } = place(turn)
        const query = `${outside}/song.mp3?${Math.random()}`
        const { status } = await call('POST', `/v1/music/guilds/${guildId}/play`, { query, channelId })
        await call('POST', `/v1/music/guilds/${guildId}/skip`)
        return status === 200
      },
    },
    {
      name: 'lookups of lyrics',
      perSecond: 5,
      async once() {
        const encoded = encodeURIComponent(token(`Night Ferry ${Math.random()}`))
        return (await call('GET', `/v1/music/lyrics?encoded=${encoded}`)).status === 200
      },
    },
    {
      name: 'screenshots',
      perSecond: 0.5,
      async once() {
        const url = encodeURIComponent(`${outside}/page?${Math.random()}`)
        const asked = await call('GET', `/v1/tools/screenshot?url=${url}`)
        if (asked.status !== 200) return false
        return (
          (await call('GET', `/v1/jobs/${asked.body.data.jobId}/wait?timeout=15`)).body.data?.status === 'completed'
        )
      },
    },
    {
      name: 'pictures',
      perSecond: 2,
      async once() {
        const response = await fetch(`${service.demo.baseUrl}/v1/image/filters/blur`, {
          method: 'POST',
          body: picture as Uint8Array<ArrayBuffer>,
          headers: { authorization: `Bearer ${key}`, accept: 'image/*' },
        })
        await response.arrayBuffer()
        return response.status === 200
      },
    },
  ]
}

/** How much of each is done in time when it is asked for at an even rate. @returns a second, in the order of the works. */
async function rates(works: readonly Work[]): Promise<number[]> {
  const count = async ({ perSecond, once }: Work): Promise<number> => {
    let done = 0
    const pending: Promise<void>[] = []
    for (let turn = 0; turn < perSecond * SECONDS; turn++) {
      const inTime = Promise.race([once(turn).catch(() => false), sleep(IN_TIME_MS).then(() => false)])
      pending.push(inTime.then((isDone) => void (done += Number(isDone))))
      await sleep(1000 / perSecond)
    }
    await Promise.all(pending)
    return done / SECONDS
  }
  return Promise.all(works.map(count))
}

/** The same GET by many at once, of another thing each time. */
function many(name: string, lanes: number, path: (serial: number) => string): Attack {
  return { name, lanes, once: ({ call }, lane, turn) => call('GET', path(turn * 1000 + lane)) }
}

const PLAYED = new Set(['silent', 'm3u-nested', 'hls-drip', 'searches of 200 characters with marks'])

/** Everything at once. */
function attacksOn({ demo }: RunningService): readonly Attack[] {
  const picture = encodeURIComponent(`${demo.baseUrl}/`)
  return [
    ...ATTACKS.filter(({ name }) => PLAYED.has(name)),
    many('slow lookups', 100, (serial) => `/v1/music/lyrics?encoded=${encodeURIComponent(token(`slow ${serial}`))}`),
    many('screenshots', 20, (serial) => `/v1/tools/screenshot?url=https%3A%2F%2Fexample.com%2F${serial}`),
    many('pictures', 20, (serial) => `/v1/image/filters/oil?url=${picture}${serial}`),
  ]
}

function openSockets(service: RunningService, { key }: Attacker): () => void {
  const address = `${service.demo.baseUrl.replace('http', 'ws')}/v1/events?key=${key}`
  const sockets = Array.from({ length: SOCKETS }, () => new WebSocket(address).on('error', () => undefined))
  return () => {
    for (const socket of sockets) socket.terminate()
  }
}

async function run(service: RunningService, outside: string, hostileWeb: string): Promise<void> {
  const owner = await addTenant(service, 'scale', 10)
  const attacker = attackerOf(await addTenant(service, 'free', ATTACKER_GUILDS), hostileWeb)
  await sleep(3000)
  const works = await workOf(service, owner, outside)
  // Everything once, so that browser and workers are there.
  await Promise.all(works.map(({ once }) => once(0)))
  const alone = await rates(works)
  const closeSockets = openSockets(service, attacker)
  const running = attacksOn(service).map((attack) => ({ attack, run: startAttack(attack, attacker) }))
  await sleep(2000)
  const beside = await rates(works)
  closeSockets()
  await Promise.all(running.map((one) => one.run.stop()))
  for (const [i, { name }] of works.entries()) {
    report({
      what: `${name} beside an attacker on the free plan`,
      own: beside[i] ?? 0,
      unit: '/s',
      beside: { whom: 'alone', value: alone[i] ?? 0 },
      goal: ratioAtLeast(0.9),
    })
  }
  for (const {
    attack,
    run: { answers },
  } of running) {
    const said = [...answers].toSorted(([, a], [, b]) => b - a).slice(0, 2)
    console.log(`  ${attack.name}: ${said.map(([answer, count]) => `${count} × ${answer}`).join('; ')}`)
  }
}

const outside = await openHttpClients()
const web = await startHostileWeb()
const service = await startService({
  hasRenderer: true,
  env: { EGRESS_ALLOW_HOSTS: '127.0.0.1', LRCLIB_URL: outside.url, PLAYER_ALONE_SECONDS: '86400', LOG_LEVEL: 'error' },
})
try {
  await run(service, outside.url, web.url)
} finally {
  await service.stop()
  await Promise.all([web.close(), outside.close()])
}
