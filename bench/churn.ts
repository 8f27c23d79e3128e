/**
 * Does memory stay where it is while players come and go? In many guilds at once they join, play a track that ffmpeg
 * decodes, skip and leave, without a rest. Prints what the process holds, by whose it is, and how much of it the end
 * has compared with the first third, or with the tenth minute where that is earlier. Linux only.
 * `npm run bench:churn -- --minutes 6 --guilds 12 --compare NODE_OPTIONS=` starts a second service beside the first,
 * here without the memory settings of `npm start`, so that both have the same machine.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startService, type RunningService } from '../test/support/service.ts'
import { openPlaces, type Place } from './places.ts'
import { PLAYING_ALONE } from './faults/players.ts'
import { LAUNCHER } from './process.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '6' },
    guilds: { type: 'string', default: '12' },
    // Longer stays need less of the processor; each has a search, a track that ffmpeg decodes, and a skip.
    'stay-ms': { type: 'string', default: '500' },
    compare: { type: 'string', multiple: true, default: [] },
  },
})
const minutes = Number(values.minutes)
const AS_STARTED = 'as started'
const SAMPLE_EVERY_MS = 5000
const stayMs = Number(values['stay-ms'])
/** From here on memory is to stay where it is. */
const settledAfter = Math.min(1 / 3, 10 / minutes)
/** Discord takes 120 joins and leaves a minute of a bot: most of the churn is inside of a stay. */
const SKIPS = 8
const ARENA_BYTES = 64 * 1024 * 1024

/** Resident MiB. */
interface Sample {
  readonly total: number
  /** Of glibc's allocator: the heap and the arenas of the threads. */
  readonly malloc: number
  /** Other memory without a file: V8's heaps, stacks, buffers. */
  readonly anonymous: number
  readonly arenas: number
}

interface Mapping {
  readonly from: number
  readonly to: number
  readonly access: string
  readonly path: string
  readonly residentKiB: number
}

function mappingsOf(pid: number): Mapping[] {
  const text = readFileSync(`/proc/${pid}/smaps`, 'utf8')
  const found = text.matchAll(/^([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ \S+ *(.*)\n(?:[A-Z]\S*: .*\n)*?Rss: +(\d+) kB/gm)
  return Array.from(found, ([, from, to, access, path, kib]) => ({
    from: Number.parseInt(from ?? '', 16),
    to: Number.parseInt(to ?? '', 16),
    access: access ?? '',
    path: path ?? '',
    residentKiB: Number(kib),
  }))
}

/** An arena's heap begins at a multiple of 64 MiB, and what it does not use yet lies behind it, without access. */
function isArena({ from, to, access, path }: Mapping, next: Mapping | undefined): boolean {
  if (path !== '' || !access.startsWith('rw') || from % ARENA_BYTES !== 0) return false
  return (
    to - from === ARENA_BYTES || (next?.from === to && next.access.startsWith('---') && next.to % ARENA_BYTES === 0)
  )
}

function sample(pid: number): Sample {
  const mappings = mappingsOf(pid)
  const arenas = mappings.filter((one, at) => isArena(one, mappings[at + 1]))
  const malloc = [...arenas, ...mappings.filter(({ path }) => path === '[heap]')]
  const anonymous = mappings.filter((one) => one.path === '' && !arenas.includes(one))
  return { total: toMib(mappings), malloc: toMib(malloc), anonymous: toMib(anonymous), arenas: arenas.length }
}

function toMib(mappings: readonly Mapping[]): number {
  return mappings.reduce((sum, { residentKiB }) => sum + residentKiB, 0) / 1024
}

/** Joins, plays, filters, skips and leaves in one guild until it is over. @returns how many rounds that were. */
async function churn(service: RunningService, { guildId, channelId }: Place, untilMs: number): Promise<number> {
  const { queries } = service.demo
  // What is refused, or meets a connection that closes, changes nothing here.
  const call = (method: string, path: string, body?: object) =>
    service.call(method, `/v1/music/guilds/${guildId}${path}`, { body }).catch(() => null)
  let plays = 0
  const play = () => call('POST', '/play', { query: queries[plays++ % queries.length], channelId })
  let rounds = 0
  for (; performance.now() < untilMs; rounds += 1) {
    await play()
    await call('PATCH', '/player', { filters: { preset: 'bassboost' } })
    for (let skips = 0; skips < SKIPS; skips += 1) {
      await sleep(stayMs)
      await play()
      await call('POST', '/skip')
    }
    await call('DELETE', '/player')
  }
  return rounds
}

/** @param name the variables of a service that starts without what scripts/node.sh sets, or that it starts with that */
async function run(name: string): Promise<void> {
  const given = Object.fromEntries(Array.from(name.matchAll(/([^=,]+)=([^,]*)/g), ([, key, value]) => [key, value]))
  const env = { ...PLAYING_ALONE, MUSIC_SOURCES: 'library', ...given }
  const service = await startService({ env, ...(name === AS_STARTED && { execPath: LAUNCHER }) })
  try {
    const places = await openPlaces(service, service.demo.botId, Number(values.guilds))
    const [startMs, samples] = [performance.now(), [] as Sample[]]
    const untilMs = startMs + minutes * 60_000
    const churning = Promise.all(places.map((place) => churn(service, place, untilMs)))
    while (performance.now() < untilMs) {
      await sleep(SAMPLE_EVERY_MS)
      samples.push(sample(service.process.pid ?? 0))
      if (samples.length % 6 === 0) console.log(`${name}: ${describe(samples.at(-1)!)}`)
    }
    const rounds = (await churning).reduce((sum, count) => sum + count, 0)
    await sleep(SAMPLE_EVERY_MS)
    const [settled, end] = [mean(samples, settledAfter * 0.7, settledAfter), mean(samples, 0.9, 1)]
    console.log(
      `${name}: ${rounds} rounds; after ${(settledAfter * minutes).toFixed(0)} min ${settled.toFixed(0)} MiB, ` +
        `at the end ${end.toFixed(0)} MiB, ratio ${(end / settled).toFixed(2)}; at rest ${describe(sample(service.process.pid ?? 0))}`,
    )
  } finally {
    await service.stop()
  }
}

/** Of the totals of a part of the run. */
function mean(samples: readonly Sample[], from: number, to: number): number {
  const part = samples.slice(Math.floor(samples.length * from), Math.ceil(samples.length * to))
  return part.reduce((sum, { total }) => sum + total, 0) / part.length
}

function describe({ total, malloc, anonymous, arenas }: Sample): string {
  const [all, held, other] = [total, malloc, anonymous].map((mib) => mib.toFixed(0))
  return `${all} MiB: ${held} in malloc (${arenas} arenas), ${other} in V8 and buffers`
}

// One that fails must not leave the others without an end.
const ends = await Promise.allSettled([AS_STARTED, ...values.compare].map(run))
for (const end of ends) if (end.status === 'rejected') throw end.reason
