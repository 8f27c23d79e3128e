import { setTimeout as sleep } from 'node:timers/promises'
import type { PacketReport } from 'bandstand-sandbox/voice'
import { eventually } from '../../../test/support/service.ts'
import type { Place } from '../../stage/places.ts'
import { startBot, type NodeBot } from './bot.ts'
import { costOf, type Subject } from './subjects.ts'
import type { Kind, Stage } from './stage.ts'

/** The results of one node in one round; of players, unless it says otherwise. */
export interface RoundResult {
  readonly packetsPerSecond: number
  /** p99.9 of the median player, and of the worst one. */
  readonly p999: { readonly median: number; readonly worst: number }
  readonly longestMs: number
  readonly lost: number
  /** Percent of a core, for each player. */
  readonly cpu: number
  /** PSS in MiB: with all players, and what each added. */
  readonly mib: { readonly all: number; readonly each: number }
  /** Milliseconds from the order to play to the first packet. */
  readonly startMs: readonly number[]
  /** Membership changes a second, how many frames visitors heard, and how many of them they could not decrypt. */
  readonly changes: number
  readonly heard: number
  readonly undecrypted: number
  /** The delay of the meter itself: p99.9 and the most. */
  readonly meter: { readonly p999: number; readonly longest: number }
  readonly troubles: number
}

interface RoundOptions {
  readonly stage: Stage
  readonly subject: Subject
  readonly kind: Kind
  readonly seconds: number
}

/** The interval of starts: no node starts a thousand bots at the same moment. */
const START_EVERY_MS = 50
const SETTLE_MS = 5000
/** Long enough for the silence after a track to go out. */
const BETWEEN_STARTS_MS = 1500
const STARTS_MAX = 100

interface Playing {
  readonly bot: NodeBot
  readonly place: Place
}

export async function playRound({ stage, subject, kind, seconds }: RoundOptions): Promise<RoundResult> {
  const node = await subject.start(stage.certificateFile)
  const bots: NodeBot[] = []
  try {
    const playing: Playing[] = []
    for (const { token, places } of stage.bots) {
      const bot = await startBot(`${stage.url}/api`, token, node)
      bots.push(bot)
      await Promise.all(places.map((place) => bot.join(place)))
      playing.push(...places.map((place) => ({ bot, place })))
    }
    const tracks: string[] = []
    for (let i = 0; i < stage.songs; i++) tracks.push(await bots[0]!.find(stage.urlOf(kind, i)))
    const trackOf = (i: number) => tracks[i % tracks.length] ?? ''
    await sleep(1000)
    const idle = costOf(node)
    for (const [i, { bot, place }] of playing.entries()) {
      // A node that has too much to do answers late: others are asked meanwhile.
      void bot.play(place.guildId, trackOf(i)).catch(() => undefined)
      await sleep(START_EVERY_MS)
    }
    await sleep(SETTLE_MS)
    // The last one is for starts.
    const [probe, steady] = [playing.at(-1)!, playing.slice(0, -1)]
    stage.churn(true)
    await stage.tally()
    const resetMs: number[] = []
    for (const { bot, place } of steady) {
      await stage.packets(place, bot.userId, { reset: true })
      resetMs.push(performance.now())
    }
    await stage.delays()
    const [before, startMs] = [costOf(node), performance.now()]
    const starts = await measureStarts(stage, probe, { trackOf, untilMs: startMs + seconds * 1000 })
    const lasted = (performance.now() - startMs) / 1000
    const after = costOf(node)
    const [delays, tally] = [(await stage.delays()).toSorted((a, b) => a - b), await stage.tally()]
    const reports: PacketReport[] = []
    const rates: number[] = []
    for (const [i, { bot, place }] of steady.entries()) {
      const report = await stage.packets(place, bot.userId)
      reports.push(report)
      rates.push((report.packets * 1000) / (performance.now() - (resetMs[i] ?? startMs)))
    }
    stage.churn(false)
    const p999 = reports.map(({ gapMs }) => gapMs.p999).toSorted((a, b) => a - b)
    return {
      packetsPerSecond: sum(rates) / steady.length,
      p999: { median: p999[p999.length >> 1] ?? 0, worst: p999.at(-1) ?? 0 },
      longestMs: Math.max(...reports.map((report) => Math.max(report.gapMs.longest, report.longestSilenceMs))),
      lost: sum(reports.map(({ lost }) => lost)),
      cpu: ((after.cpuSeconds - before.cpuSeconds) * 100) / lasted / playing.length,
      mib: { all: after.mib, each: (after.mib - idle.mib) / playing.length },
      startMs: starts,
      changes: tally.changes / lasted,
      heard: tally.heard,
      undecrypted: tally.undecrypted,
      meter: { p999: delays[Math.floor(delays.length * 0.999)] ?? 0, longest: delays.at(-1) ?? 0 },
      troubles: sum(bots.map(({ troubles }) => troubles.length)),
    }
  } finally {
    for (const bot of bots) await bot.close()
    await node.stop()
  }
}

const isThere = (report: PacketReport) => report.firstAtMs !== null

/** One player stops and starts again until the round is over. */
async function measureStarts(
  stage: Stage,
  { bot, place }: Playing,
  { trackOf, untilMs }: { readonly trackOf: (i: number) => string; readonly untilMs: number },
): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < STARTS_MAX && performance.now() + 15_000 < untilMs; i++) {
    await bot.stop(place.guildId).catch(() => undefined)
    await sleep(BETWEEN_STARTS_MS)
    await stage.packets(place, bot.userId, { reset: true })
    const orderedMs = performance.timeOrigin + performance.now()
    await bot.play(place.guildId, trackOf(i)).catch(() => undefined)
    const report = await eventually(() => stage.packets(place, bot.userId), isThere, 10_000).catch(() => null)
    times.push(report?.firstAtMs ? report.firstAtMs - orderedMs : Number.POSITIVE_INFINITY)
    await sleep(BETWEEN_STARTS_MS)
  }
  await sleep(Math.max(0, untilMs - performance.now()))
  return times.toSorted((a, b) => a - b)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
