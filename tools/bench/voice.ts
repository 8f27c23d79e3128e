/**
 * The cost of a player that passes Opus through, beside @discordjs/voice alone: the same file to as many channels of
 * the stand-in Discord, end-to-end encrypted with a member in each, in turns of the same run. The CPU is that of all
 * processes of each side, idle work included. The library plays twice: with end-to-end encryption and without.
 *
 *     npm run bench:voice -- [--players 50,100] [--rounds 3] [--seconds 15] [--peers encrypted,plain] [--threads 1]
 *       [--own plain]
 *
 * With `--own plain` no member with a client sits in our channels, so that our sound is not end-to-end encrypted either.
 * A project may have 100 players, so each further hundred has a project and a bot of its own; the library has as many bots, in
 * one process. NodeLink takes no part: `npm run bench:node -- --nodelink FOLDER`
 * has our node beside an installed one.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { PacketReport } from 'bandstand-sandbox/voice'
import { eventually, type RunningService, startService } from '../../test/support/service.ts'
import { makeAudio } from '../../test/support/audio-files.ts'
import { openManyPlaces, PLAYERS_PER_BOT } from './many-places.ts'
import { openPlaces, playEverywhere, type Place } from '../stage/places.ts'
import { argsOf, childrenOf, LAUNCHER, preferStandIn, treeCpuSeconds } from '../stage/process.ts'
import { median, ratioAtMost, ownAtMost, report } from './report.ts'

const { values } = parseArgs({
  options: {
    players: { type: 'string', default: '50,100' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '15' },
    peers: { type: 'string', default: 'encrypted,plain' },
    threads: { type: 'string', default: '1' },
    own: { type: 'string', default: 'encrypted' },
  },
})
const COUNTS = values.players.split(',').map(Number)
const ROUNDS = Number(values.rounds)
const SECONDS = Number(values.seconds)
const PEERS = values.peers.split(',')
const IS_ENCRYPTED = values.own === 'encrypted'
const SETTLE_MS = 3000
const QUIET_CORES = 0.1

/** A side of the comparison: the service, or the library. */
interface Side {
  readonly name: string
  readonly places: readonly Place[]
  cpuSeconds(): number
  pause(): Promise<void>
  resume(): Promise<void>
}

type Turn = Awaited<ReturnType<typeof takeTurn>>

async function ours(service: RunningService, places: readonly Place[]): Promise<Side> {
  const pid = service.process.pid ?? 0
  await playEverywhere(service, places)
  const patch = async (isPaused: boolean) => {
    for (const { guildId, bot } of places) {
      const path = `/v1/music/guilds/${guildId}/player`
      const { status, body } = await service.call('PATCH', path, {
        body: { paused: isPaused },
        ...(bot?.key !== undefined && { key: bot.key }),
      })
      if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`)
    }
  }
  return {
    name: 'Bandstand',
    places,
    cpuSeconds: () => treeCpuSeconds(pid) - standInsOf(pid).reduce((sum, one) => sum + treeCpuSeconds(one), 0),
    pause: () => patch(true),
    resume: () => patch(false),
  }
}

/** The present CPU use of a side. The service measures the track's loudness in the background first. */
async function busyCores(side: Side): Promise<number> {
  const before = side.cpuSeconds()
  await sleep(2000)
  return (side.cpuSeconds() - before) / 2
}

/** The stand-in is a child of the service, and no part of it. */
function standInsOf(pid: number): readonly number[] {
  return childrenOf(pid)
    .filter((one) => argsOf(one).includes('sandbox'))
    .map((one) => one.pid)
}

interface PeerOptions {
  readonly service: RunningService
  readonly kind: string
  readonly count: number
  readonly file: string
  /** PEM, and the file that has it. */
  readonly certificate: string
  readonly certificateFile: string
  readonly children: ChildProcess[]
}

async function library(options: PeerOptions): Promise<Side> {
  const { service, kind, count, file, certificate, certificateFile, children } = options
  const tokens: string[] = []
  const places: Place[] = []
  while (places.length < count) {
    const facts = { name: `Library ${kind} ${tokens.length + 1}`, guildIds: [] }
    const { body } = await service.sandbox('POST', '/sandbox/applications', facts)
    const more = await openPlaces(service, body.id, Math.min(count - places.length, PLAYERS_PER_BOT))
    places.push(...more.map(({ guildId, channelId }) => ({ guildId, channelId, bot: { userId: body.id } })))
    tokens.push(body.token)
  }
  if (kind === 'encrypted') children.push(await seat(service, { places, certificate }))
  const child = fork(join(import.meta.dirname, 'voice', 'library-bot.ts'), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: {
      ...process.env,
      NODE_EXTRA_CA_CERTS: certificateFile,
      BENCH_API_URL: `${service.demo.sandboxUrl}/api`,
      BENCH_TOKENS: tokens.join(','),
      BENCH_DAVE: kind === 'encrypted' ? 'on' : 'off',
    },
  })
  children.push(child)
  await once(child, 'message')
  const order = async (what: object) => {
    child.send(what)
    await once(child, 'message')
  }
  await order({
    do: 'join',
    places: places.map((place, i) => ({ ...place, bot: Math.floor(i / PLAYERS_PER_BOT) })),
    file,
  })
  return {
    name: `@discordjs/voice, ${kind}`,
    places,
    cpuSeconds: () => treeCpuSeconds(child.pid ?? 0),
    pause: () => order({ do: 'pause' }),
    resume: () => order({ do: 'resume' }),
  }
}

/** A deafened member in each channel, whose client takes part in the encryption, so that the sound is encrypted. */
async function seat(
  service: RunningService,
  { places, certificate }: { places: readonly Place[]; certificate: string },
): Promise<ChildProcess> {
  const withMembers = async (place: Place) => {
    const { body } = await service.sandbox('POST', `/sandbox/guilds/${place.guildId}/members`, { name: 'member' })
    return { ...place, memberIds: [body.id] }
  }
  const seats = await Promise.all(places.map(withMembers))
  const crowd = fork(join(import.meta.dirname, 'node', 'crowd.ts'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  crowd.send({ url: service.demo.sandboxUrl, certificate, changesPerSecond: 0, places: seats })
  await once(crowd, 'message')
  return crowd
}

/** The side plays alone for a while; all others are silent. */
async function takeTurn(service: RunningService, side: Side) {
  const userOf = ({ bot }: Place) => bot?.userId ?? service.demo.botId
  const path = (place: Place) => `/sandbox/guilds/${place.guildId}/members/${userOf(place)}/packets`
  await side.resume()
  await sleep(SETTLE_MS)
  for (const place of side.places) await service.sandbox('GET', `${path(place)}?reset=true`)
  const [cpuBefore, startMs] = [side.cpuSeconds(), performance.now()]
  await sleep(SECONDS * 1000)
  const cpu = (side.cpuSeconds() - cpuBefore) / ((performance.now() - startMs) / 1000)
  const reports: PacketReport[] = []
  for (const place of side.places) reports.push((await service.sandbox('GET', path(place))).body)
  await side.pause()
  await sleep(500)
  const mean = (pick: (report: PacketReport) => number) => sum(reports.map(pick)) / reports.length
  return {
    /** Percent of a core for each player. */
    cpu: (cpu * 100) / side.places.length,
    p50: mean(({ gapMs }) => gapMs.median),
    p999: mean(({ gapMs }) => gapMs.p999),
    longest: Math.max(...reports.map(({ gapMs }) => gapMs.longest)),
    packets: sum(reports.map(({ packets }) => packets)),
    lost: sum(reports.map(({ lost }) => lost)),
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

function printTurn(name: string, { cpu, p50, p999, longest, packets, lost }: Turn): void {
  const gaps = [p50, p999, longest].map((ms) => ms.toFixed(1).padStart(8)).join('')
  console.log(
    `${name.padEnd(30)}${cpu.toFixed(3).padStart(8)} %${gaps}${String(packets).padStart(10)}${String(lost).padStart(6)}`,
  )
}

async function compare(sides: readonly Side[], service: RunningService, count: number): Promise<void> {
  const turns = new Map(sides.map((side) => [side, [] as Turn[]]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const side of sides) {
      const turn = await takeTurn(service, side)
      printTurn(side.name, turn)
      turns.get(side)?.push(turn)
    }
  }
  const of = (side: Side, pick: (turn: Turn) => number) => median((turns.get(side) ?? []).map(pick))
  const [own, ...peers] = sides
  if (!own) return
  const about = `${count} players passing Opus through, ${IS_ENCRYPTED ? 'end-to-end encrypted' : 'plain'}`
  for (const peer of peers) {
    const beside = (pick: (turn: Turn) => number) => ({
      own: of(own, pick),
      beside: { whom: peer.name, value: of(peer, pick) },
    })
    report({ what: `CPU of each of ${about}`, ...beside(({ cpu }) => cpu), unit: ' %', goal: ratioAtMost(0.6) })
    report({ what: `p99.9 of the gaps, ${about}`, ...beside(({ p999 }) => p999), unit: ' ms', goal: ratioAtMost(1) })
  }
  const lost = sum((turns.get(own) ?? []).map((turn) => turn.lost))
  report({ what: `packets lost, ${about}`, own: lost, unit: '', beside: null, goal: ownAtMost(0) })
}

async function run(count: number, libraryDir: string): Promise<void> {
  const env = { LIBRARY_DIR: libraryDir, PLAYER_ALONE_SECONDS: '86400', AUDIO_THREADS: values.threads }
  const service = await startService({ env, execPath: LAUNCHER })
  const children: ChildProcess[] = []
  try {
    const certificateFile = join(service.dataDir, 'certificate.pem')
    const certificate = await (await fetch(`${service.demo.sandboxUrl}/sandbox/certificate.pem`)).text()
    writeFileSync(certificateFile, certificate)
    const places = await openManyPlaces(service, count)
    if (IS_ENCRYPTED) children.push(await seat(service, { places, certificate }))
    const peers = PEERS.map((kind) =>
      library({ service, kind, count, file: join(libraryDir, 'tone.ogg'), certificate, certificateFile, children }),
    )
    const sides = await Promise.all([ours(service, places), ...peers])
    if (!preferStandIn(service.process.pid ?? 0)) console.log('  (the stand-in has no priority: its waiting shows too)')
    for (const side of sides) await side.pause()
    await eventually(
      () => busyCores(sides[0]),
      (cores) => cores < QUIET_CORES,
      120_000,
    )
    console.log(`\n${count} players, ${ROUNDS} rounds of ${SECONDS} s each; CPU of a core for each, gaps in ms`)
    console.log(
      `${''.padEnd(30)}${'CPU'.padStart(10)}${'p50'.padStart(8)}${'p99.9'.padStart(8)}${'longest'.padStart(8)}${'packets'.padStart(10)}${'lost'.padStart(6)}`,
    )
    await compare(sides, service, count)
  } finally {
    for (const child of children) child.kill()
    await service.stop()
  }
}

/** The length of the tone, which the library's bots and ours begin when they join. */
const toneSeconds = 240 + ROUNDS * (PEERS.length + 1) * (SECONDS + 10)
const folder = mkdtempSync(join(tmpdir(), 'bandstand-bench-'))
try {
  // Same loudness as players give tracks, so that Opus passes through unchanged.
  const options = ['-af', 'volume=-1dB', '-c:a', 'libopus', '-b:a', '128k']
  makeAudio(join(folder, 'tone.ogg'), { seconds: toneSeconds, tags: { title: 'Benchmark Tone' }, options })
  for (const count of COUNTS) await run(count, folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
