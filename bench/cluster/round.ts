import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../../lib/random/seeded-random.ts'
import type { Hearing } from './ears.ts'
import type { Fault } from './faults.ts'
import { createScene } from './scene.ts'
import type { Venue } from '../../test/support/installation.ts'
import { playOn, whenAllRun, type Size, type Stage } from './stage.ts'
import { startWriting, type Writes } from './writes.ts'

/** What one fault did to those who listen, write and wait for events. */
export interface Outcome {
  readonly seed: number
  readonly victim: string
  readonly silenceMs: number
  /** In words, for the logs: which player was silent for so long, and until when. */
  readonly silentWhere: string
  /** The worst; negative: back in the track. */
  readonly positionErrorMs: number
  readonly positionWhere: string
  /** Guilds in which a second voice was sent, as the voice server saw it. */
  readonly twoVoices: number
  /** Players that did not sound at the end. */
  readonly silent: number
  readonly writes: Writes
  /** Acknowledged, and not there or there twice when read back. */
  readonly writesLost: readonly string[]
  readonly eventsLost: readonly string[]
  readonly eventsDoubled: readonly string[]
  readonly eventsTold: number
  readonly tookMs: number
}

/** Faults come at any moment between two saves of positions, and between two renewals of leases. */
const PHASE_MS = 2500
/** Once all is well again: a service that was stopped has had its say by then. */
const AFTER_MS = 1500
/** Of webhooks, whose second attempt comes after 5 s and the third after 30 s. */
const EVENTS_WITHIN_MS = 45_000
const LOOK_EVERY_MS = 250
const SOUNDING_WITHIN_MS = 30_000

export async function runRound(
  stage: Stage,
  size: Size,
  { fault, seed }: { fault: Fault; seed: number },
): Promise<Outcome> {
  const { installed, ledger, ears, songs } = stage
  const startedMs = performance.now()
  const random = createRandom(seed)
  await whenCalm(stage, size)
  const venues = writers(stage)
  const onBegin = async () => {
    await forgetPackets(stage)
    ledger.begin()
    for (const { ear } of ears) ear.begin()
  }
  const writing = await startWriting({ installed, songs, random, venues, onBegin })
  await sleep(random() * PHASE_MS)
  const scene = createScene(stage, random)
  const victim = await fault.run(scene)
  await scene.whenHealed()
  await sleep(AFTER_MS)
  const writes = await writing.end()
  // A shard may have moved just now so that all services have as much to do: a gap as any other.
  await scene.whenHealed()
  const heard = ears.map(({ venue, ear }) => Object.assign(ear.hearing(), { venue }))
  const twoVoices = await countStrays(stage)
  const writesLost = await writing.readBack(installed.services)
  const untilMs = performance.now() + EVENTS_WITHIN_MS
  while (!(await ledger.isComplete(writes.started)) && performance.now() < untilMs) await sleep(LOOK_EVERY_MS)
  const { lost, doubled, told } = ledger.events(writes.started, writes.tried)
  // A track that is replaced starts again: its position says nothing.
  const steady = heard.filter(({ venue }) => !venues.now.includes(venue))
  const [quietest] = heard.toSorted((a, b) => b.silenceMs - a.silenceMs)
  const [furthest] = steady.toSorted((a, b) => Math.abs(b.positionErrorMs) - Math.abs(a.positionErrorMs))
  return {
    seed,
    victim,
    silenceMs: quietest?.silenceMs ?? Infinity,
    silentWhere: whereOf(quietest),
    positionErrorMs: furthest?.positionErrorMs ?? 0,
    positionWhere: whereOf(furthest),
    twoVoices,
    silent: heard.filter(({ isSounding }) => !isSounding).length,
    writes,
    writesLost,
    eventsLost: lost,
    eventsDoubled: doubled,
    eventsTold: told,
    tookMs: performance.now() - startedMs,
  }
}

function whereOf(one: (Hearing & { readonly venue: Venue }) | undefined): string {
  return one ? `${one.venue.guild.id}, until ${new Date(one.heardAgainAtMs).toISOString()}` : 'none'
}

/** A tenth of the players each: in the first ones tracks replace each other, in the next ones queues grow. */
function writers({ ears }: Stage) {
  const each = Math.max(1, Math.floor(ears.length / 10))
  const venues = ears.map(({ venue }) => venue)
  return { now: venues.slice(0, each), last: venues.slice(each, 2 * each) }
}

/**
 * All shards run, and all players sound. One that is silent for good has made its round fail, and is asked to play again, so that
 * the other rounds can be had. @throws {Error} what does not heal even so
 */
async function whenCalm({ installed, ears, ledger }: Stage, size: Size): Promise<void> {
  await whenAllRun(installed, size)
  let isAsked = false
  let untilMs = performance.now() + SOUNDING_WITHIN_MS
  for (;;) {
    const silent = ears.filter(({ ear }) => !ear.isSounding())
    if (silent.length === 0 && ledger.isOpen()) return
    if (performance.now() > untilMs) {
      const guilds = silent.map(({ venue }) => venue.guild.id).join(', ')
      const words = `${silent.length} players are silent and stay so, or a socket stays closed: ${guilds}`
      if (isAsked) throw new Error(words)
      console.log(`    ${words}; they are asked to play`)
      await Promise.all(silent.map(({ venue }) => playOn(installed, venue)))
      isAsked = true
      untilMs = performance.now() + SOUNDING_WITHIN_MS
    }
    await sleep(LOOK_EVERY_MS)
  }
}

const report = ({ installed }: Stage, reset: boolean) =>
  Promise.all(
    installed.venues.map(({ guild }) => installed.sandbox.voice.packets(guild.id, installed.bot.id, { reset })),
  )

async function forgetPackets(stage: Stage): Promise<void> {
  await report(stage, true)
}

async function countStrays(stage: Stage): Promise<number> {
  return (await report(stage, false)).filter(({ strays }) => strays > 0).length
}
