import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startOpenMeteo } from '../../../test/support/upstreams/open-meteo.ts'
import { experiment } from '../experiment.ts'
import { TRACKS } from '../music.ts'
import { measureSound, PLAYING_ALONE, startPlaying } from '../players.ts'
import { sleep, until, type Service, type Tools } from '../tools.ts'

const HOUR_MS = 3_600_000
const UNHEARD_MS = 400
const OFF_PLACE_MS = 1000
/** Node's own copy of the file's content is at most so old. */
const NOTICED_MS = 200
const ZONES = ['Asia/Kathmandu', 'America/St_Johns', 'Pacific/Chatham'] as const
const METERED = '/v1/tools/binary/encode?text=Hi'

/** A time of day for services to live in. */
interface Clock {
  readonly env: Readonly<Record<string, string>>
  /** From now on it is so far off. */
  set(shiftMs: number): Promise<void>
}

function openClock(tools: Tools, shiftMs = 0): Clock {
  const folder = tools.own(mkdtempSync(join(tmpdir(), 'bandstand-clock-')), (it) => rmSync(it, { recursive: true }))
  const file = join(folder, 'shift')
  writeFileSync(file, String(shiftMs))
  return {
    env: { NODE_OPTIONS: `--import=${join(import.meta.dirname, '..', 'shifted-clock.ts')}`, FAULTS_CLOCK: file },
    async set(next) {
      writeFileSync(file, String(next))
      await sleep(NOTICED_MS)
    },
  }
}

async function makeKey(service: Service, expiresAtMs: number): Promise<string> {
  const expires = new Date(expiresAtMs).toISOString()
  const made = await service.admin('key', 'create', '--project', service.projectId, '--expires', expires, '--json')
  if (made.code !== 0) throw new Error(made.stderr)
  return made.json.key
}

async function tryKey(service: Service, key: string): Promise<number> {
  return (await service.call('GET', METERED, { key })).status
}

async function timeOf(service: Service): Promise<number> {
  const { body } = await service.call('GET', '/v1/status')
  return Date.parse(body.timestamp)
}

/** What a service in any time must do: play, count, tell the time, know keys. */
async function checkDay(
  tools: Tools,
  service: Service,
  { name, nowMs }: { name: string; nowMs: number },
): Promise<void> {
  const ear = await (await tools.discord()).listen()
  await service.music('POST', '/play', { query: TRACKS.noise, channelId: service.channelId })
  await until(`${name}: it is heard`, () => ear.count > 50, 15_000)
  const { body } = await service.call('GET', '/v1/status')
  const offMs = Math.abs(Date.parse(body.timestamp) - nowMs)
  const isUtc = String(body.timestamp).endsWith('Z')
  const status = await tryKey(service, await makeKey(service, nowMs + HOUR_MS))
  const log =
    service
      .output()
      .split('\n')
      .findLast((line) => line.startsWith('{')) ?? '{}'
  const isLogUtc = String(JSON.parse(log).time).endsWith('Z')
  tools.must(
    offMs < 60_000 && isUtc && isLogUtc && status === 200,
    `${name}: heard, ${String(body.timestamp)}, a key for an hour answers ${status}`,
  )
}

/** What someone does to the machine's clock, and where the machine stands. */
export const CLOCKS = [
  experiment({
    number: '15a',
    title:
      'the clock jumps an hour ahead, back, another hour back, and to the right time again, with music and a limit that is spent',
    passes:
      'no gap of 0.4 s and no burst in the sound, the player stays at its place; no caller waits for a limit longer than 60 s; a key for two hours works throughout',
    limitMs: 120_000,
    async run(tools) {
      const clock = openClock(tools)
      const { service, ear, sound } = await startPlaying(tools, { env: clock.env })
      const key = await makeKey(service, Date.now() + 2 * HOUR_MS)
      const startMs = performance.now()
      const { positionMs } = await service.music('GET', '/player')
      for (const hours of [1, 0, -1, 0]) {
        await clock.set(hours * HOUR_MS)
        const offMs = Math.abs((await timeOf(service)) - Date.now() - hours * HOUR_MS)
        await sleep(1500)
        const at = (await service.music('GET', '/player')).positionMs
        const jumpMs = at - positionMs - (performance.now() - startMs)
        const status = await tryKey(service, key)
        tools.must(
          offMs < 5000 && Math.abs(jumpMs) < OFF_PLACE_MS && status === 200,
          `${hours} h: ${Math.round(jumpMs)} ms off its place, a key answers ${status}`,
        )
      }
      const [gapMs, densest] = [await sound.gapMs(), ear.densest(startMs)]
      tools.must(gapMs < UNHEARD_MS, `longest gap in the sound ${gapMs} ms, at most ${densest} frames within 20 ms`)
      await clock.set(HOUR_MS)
      const waits = await spend(service)
      await clock.set(-HOUR_MS)
      const again = await spend(service)
      tools.must(
        Math.max(...waits, ...again) <= 60,
        `longest Retry-After ${Math.max(...waits, ...again)} s, ${waits.length + again.length} refusals`,
      )
    },
  }),
  experiment({
    number: '15b',
    title: `the machine stands in ${ZONES.join(', ')}: offsets of three quarters and half hours`,
    passes:
      'times in answers and logs are in UTC and right, keys expire when they should, weather tells +05:45 where it is so',
    limitMs: 120_000,
    async run(tools) {
      const weather = tools.own(await startOpenMeteo(), (it) => it.close())
      weather.sky.offsetSeconds = 20_700
      const env = { OPEN_METEO_BASE_URL: weather.url, OPEN_METEO_GEOCODING_URL: weather.url, ...PLAYING_ALONE }
      const service = await tools.service({ env, isStarted: false })
      for (const zone of ZONES) {
        await service.start({ env: { TZ: zone } })
        await checkDay(tools, service, { name: zone, nowMs: Date.now() })
        const { status, body } = await service.call('GET', `/v1/tools/weather?city=${encodeURIComponent('Paris')}`, {
          key: service.keys.unlinked,
        })
        tools.must(
          status === 200 && JSON.stringify(body).includes('05:45'),
          `weather ${status}: ${/UTC[+-][\d:]+/.exec(JSON.stringify(body))?.[0] ?? 'no offset'}`,
        )
        if (zone !== ZONES.at(-1)) await service.kill('SIGTERM')
      }
    },
  }),
  experiment({
    number: '15c',
    title:
      'summer time begins and ends (Europe/Berlin) and 32-bit time runs out (19 January 2038), each a few seconds after the start',
    passes:
      'music continues through the change without a gap of 0.4 s, times are right before and after, a key that expires at the moment does',
    limitMs: 180_000,
    async run(tools) {
      const moments = {
        '2027-03-28T01:00:00Z': 'Europe/Berlin',
        '2027-10-31T01:00:00Z': 'Europe/Berlin',
        '2038-01-19T03:14:08Z': 'UTC',
      }
      const clock = openClock(tools)
      const service = await tools.service({ env: { ...clock.env, ...PLAYING_ALONE }, isStarted: false })
      for (const [moment, zone] of Object.entries(moments)) {
        // In the past of the moment, until everything runs.
        await clock.set(Date.parse(moment) - Date.now() - HOUR_MS)
        await service.start({ env: { TZ: zone } })
        await checkDay(tools, service, { name: `an hour before ${moment}`, nowMs: Date.parse(moment) - HOUR_MS })
        const key = await makeKey(service, Date.parse(moment) - 500)
        const before = await tryKey(service, key)
        const sound = await measureSound(tools, service)
        await clock.set(Date.parse(moment) - Date.now() - 1500)
        await sleep(3000)
        const offMs = Math.abs((await timeOf(service)) - Date.parse(moment))
        const gapMs = await sound.gapMs()
        const after = await tryKey(service, key)
        tools.must(
          offMs < 30_000 && gapMs < UNHEARD_MS && before === 200 && after === 401,
          `${moment}: longest gap ${gapMs} ms, a key that ends then ${before} before and ${after} after`,
        )
        await service.kill('SIGTERM')
      }
    },
  }),
]

/** Calls until the class is spent. @returns what the refused ones were told to wait, in seconds. */
async function spend(service: Service): Promise<readonly number[]> {
  const waits: number[] = []
  // Counted, and then refused for its inputs.
  const path = '/v1/tools/screenshot?url=nonsense'
  for (let i = 0; i < 400; i++) {
    const { status, headers } = await service.call('GET', path, { key: service.keys.unlinked })
    if (status === 429) waits.push(Number(headers.get('retry-after')))
    if (waits.length >= 3) break
  }
  return waits
}
