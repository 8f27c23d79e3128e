import { execFileSync } from 'node:child_process'
import { linkSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addQuietGuilds } from 'bandstand-sandbox/world'
import { framesOf } from '../../test/support/hearing.ts'
import { startInstallation, type Installation, type Venue } from '../../test/support/installation.ts'
import { eventually } from '../../test/support/service.ts'
import { startReceiver } from '../../test/support/webhooks.ts'
import { pssMiB } from '../growth/service.ts'
import { LAUNCHER, cpuSeconds } from '../process.ts'
import { createEar, watchNaps, type Ear } from './ears.ts'
import { openLedger, type Ledger } from './ledger.ts'
import type { Songs } from './writes.ts'

export interface Size {
  readonly services: number
  readonly nodes: number
  readonly shards: number
  readonly guilds: number
  readonly players: number
  readonly maxConcurrency: number
}

export interface Stage {
  readonly installed: Installation
  readonly ledger: Ledger
  readonly songs: readonly Songs[]
  /** Of each player, in the order of the venues. */
  readonly ears: readonly { readonly venue: Venue; readonly ear: Ear }[]
  /** From the bot's arrival in the database until all its shards know all their guilds. */
  readonly startMs: number
  /** Of all services together, before the bot came and after. */
  readonly memoryMiB: { readonly before: number; readonly after: number }
  close(): Promise<void>
}

/** With fewer, what services need besides is more than their guilds. */
export const MEASURABLE_GUILDS = 10_000
const SONGS = 150
const NOISE_SECONDS = 300
/** What a login leaves behind is collected by then. */
const SETTLE_MS = 20_000
const START_WITHIN_MS = 15 * 60_000

export async function openStage(size: Size): Promise<Stage> {
  const opened = new AsyncDisposableStack()
  try {
    return { ...(await open(size, opened)), close: () => opened.disposeAsync() }
  } catch (error) {
    console.error(error)
    await opened.disposeAsync()
    throw error
  }
}

async function open(size: Size, opened: AsyncDisposableStack): Promise<Omit<Stage, 'close'>> {
  const folder = mkdtempSync(join(tmpdir(), 'bandstand-cluster-'))
  opened.defer(() => rmSync(folder, { recursive: true, force: true }))
  const noise = makeNoise(folder)
  const receiver = await startReceiver()
  let [before, addedAtMs] = [0, 0]
  let cpuBefore = { services: 0, standIn: 0 }
  const installed = await startInstallation({
    services: size.services,
    shards: size.shards,
    venues: size.players,
    nodes: size.nodes,
    maxConcurrency: size.maxConcurrency,
    noise,
    execPath: LAUNCHER,
    env: { EGRESS_ALLOW_HOSTS: `127.0.0.1:${receiver.port}` },
    populate({ sandbox, bot, library }) {
      sandbox.world.rules.identifyLimits = true
      addQuietGuilds(sandbox.world, bot, { count: size.guilds - size.players })
      for (let at = 0; at < SONGS; at += 1) linkSync(join(library, 'noise.opus'), join(library, `${titleOf(at)}.opus`))
    },
    beforeBot(services) {
      before = memoryOf(services)
      cpuBefore = cpuOf(services)
      addedAtMs = performance.now()
    },
  })
  opened.adopt(installed, (it) => it.close())
  await whenAllRun(installed, size)
  const startMs = performance.now() - addedAtMs
  const cpu = cpuOf(installed.services)
  const perGuild = (from: number, to: number) => `${(((to - from) * 1000) / size.guilds).toFixed(2)} ms of CPU a guild`
  console.log(`all shards run after ${(startMs / 1000).toFixed(1)} s`)
  console.log(`by then, services took ${perGuild(cpuBefore.services, cpu.services)}`)
  console.log(`and the sandbox, with this program, ${perGuild(cpuBefore.standIn, cpu.standIn)}`)
  if (size.guilds >= MEASURABLE_GUILDS) await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  const memoryMiB = { before, after: memoryOf(installed.services) }
  const ledger = opened.adopt(await openLedger(installed, receiver), (it) => it.close())
  const songs = await findSongs(installed)
  const ears = await seatListeners(installed, noise, opened)
  return { installed, ledger, songs, ears, startMs, memoryMiB }
}

const titleOf = (at: number) => `call ${String(at).padStart(3, '0')}`
const memoryOf = (services: Installation['services'] | readonly { pid(): number }[]) =>
  services.reduce((sum, service) => sum + pssMiB(service.pid()), 0)

/** In seconds, so far. */
const cpuOf = (services: readonly { pid(): number }[]) => ({
  services: services.reduce((sum, service) => sum + cpuSeconds(service.pid()), 0),
  standIn: cpuSeconds(process.pid),
})

function makeNoise(folder: string): string {
  const path = join(folder, 'long-noise.opus')
  const source = `anoisesrc=color=pink:sample_rate=48000:duration=${NOISE_SECONDS}:seed=1`
  execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', source, '-ac', '2', '-c:a', 'libopus', path])
  return path
}

/** Resolves when every shard is ready and the services know all guilds together. */
export async function whenAllRun(
  installed: Installation,
  { guilds, shards }: Pick<Size, 'guilds' | 'shards'>,
): Promise<void> {
  const untilMs = performance.now() + START_WITHIN_MS
  for (;;) {
    const { bots, services } = await installed.admin('cluster').catch(() => ({ bots: [], services: [] }))
    const ready = bots[0]?.shards.filter(({ state }: { state: string }) => state === 'ready').length ?? 0
    const known = services.reduce((sum: number, one: { guilds: number }) => sum + one.guilds, 0)
    if (ready === shards && known >= guilds) return
    if (performance.now() > untilMs) throw new Error(`${ready} of ${shards} shards are ready, with ${known} guilds.`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

async function findSongs({ services }: Installation): Promise<readonly Songs[]> {
  const [service] = services
  const songs: Songs[] = []
  for (let at = 0; at < SONGS; at += 1) {
    const title = titleOf(at)
    const path = `/v1/music/search?limit=25&q=${encodeURIComponent(title)}`
    const found = await eventually(
      async () => (await service!.call('GET', path)).body.data?.find((one: any) => one.title === title),
      (one) => one !== undefined,
    )
    songs.push({ title, encoded: found.encoded })
  }
  return songs
}

async function seatListeners(
  installed: Installation,
  noise: string,
  opened: AsyncDisposableStack,
): Promise<Stage['ears']> {
  const naps = opened.adopt(watchNaps(), (it) => it.close())
  const frames = framesOf(noise)
  const ears: { venue: Venue; ear: Ear }[] = []
  for (const venue of installed.venues) {
    const member = await installed.sit(venue)
    opened.defer(() => member.close())
    ears.push({ venue, ear: createEar(member, frames, naps) })
    await playOn(installed, venue)
  }
  await eventually(
    () => ears.filter(({ ear }) => !ear.isSounding()).length,
    (silent) => silent === 0,
  )
  return ears
}

/** Plays the noise again and again. */
export async function playOn(installed: Installation, venue: Venue): Promise<void> {
  await installed.play(venue)
  await repeat(installed, venue)
}

async function repeat({ services }: Installation, { guild }: Venue): Promise<void> {
  const path = `/v1/music/guilds/${guild.id}/player`
  await eventually(
    () => services[0]!.call('PATCH', path, { loop: 'track' }),
    ({ status }) => status === 200,
  )
}
