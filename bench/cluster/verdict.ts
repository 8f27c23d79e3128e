import { FAULTS, type Fault } from './faults.ts'
import type { Outcome } from './round.ts'
import { MEASURABLE_GUILDS, type Size, type Stage } from './stage.ts'

const IDENTIFY_EVERY_S = 5
const OVER_FLOOR = 1.1
const KIB_A_GUILD = 25
const POSITION_MS = 3000

interface Goal {
  readonly what: string
  readonly found: string
  readonly goal: string
  readonly isMet: boolean
}

export interface Verdict {
  start(stage: Stage): void
  /** Prints it. @returns the exit code */
  end(outcomes: ReadonlyMap<string, readonly Outcome[]>, isBroken: boolean): number
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`

export function createVerdict({ shards, guilds, maxConcurrency }: Size): Verdict {
  const goals: Goal[] = []
  const add = (goal: Goal) => {
    goals.push(goal)
    console.log(`${goal.what}: ${goal.found} (goal: ${goal.goal}, ${goal.isMet ? 'met' : 'missed'})`)
  }
  return {
    start({ startMs, memoryMiB }) {
      const floorS = Math.ceil(shards / maxConcurrency) * IDENTIFY_EVERY_S
      add({
        what: `start of ${shards} shards with ${guilds} guilds, ${maxConcurrency} at a time (floor ${floorS} s)`,
        found: seconds(startMs),
        goal: `≤ ${(floorS * OVER_FLOOR).toFixed(1)} s`,
        isMet: startMs <= floorS * OVER_FLOOR * 1000,
      })
      if (guilds < MEASURABLE_GUILDS) return
      const kib = ((memoryMiB.after - memoryMiB.before) * 1024) / guilds
      const found = `${kib.toFixed(1)} KiB (${memoryMiB.before.toFixed(0)} to ${memoryMiB.after.toFixed(0)} MiB PSS)`
      add({ what: 'memory a guild, all services', found, goal: `≤ ${KIB_A_GUILD} KiB`, isMet: kib <= KIB_A_GUILD })
    },
    end(outcomes, isBroken) {
      for (const [name, all] of outcomes) {
        const fault = FAULTS[name]
        if (fault && all.length > 0) add(ofFault(fault, all))
      }
      const missed = goals.filter(({ isMet }) => !isMet)
      const verdict = isBroken ? 'FAIL: it ended early' : missed.length > 0 ? 'FAIL' : 'PASS'
      console.log(`\n${verdict}: ${goals.length - missed.length} of ${goals.length} goals met.`)
      for (const { what, found } of missed) console.log(`missed: ${what}: ${found}`)
      return missed.length > 0 || isBroken ? 1 : 0
    },
  }
}

function isMet(fault: Fault, one: Outcome): boolean {
  const faults = [one.twoVoices, one.silent, one.writesLost.length, one.eventsLost.length, one.eventsDoubled.length]
  return (
    one.silenceMs <= fault.silenceMs &&
    Math.abs(one.positionErrorMs) <= POSITION_MS &&
    faults.every((count) => count === 0)
  )
}

function ofFault(fault: Fault, all: readonly Outcome[]): Goal {
  const met = all.filter((one) => isMet(fault, one)).length
  const goal = `silence ≤ ${fault.silenceMs / 1000} s, position ± 3 s, nothing lost or doubled`
  const failed = all.filter((one) => !isMet(fault, one)).map(({ seed }) => seed)
  const seeds = failed.length > 0 ? `, not with the seeds ${failed.join(', ')}` : ''
  return { what: fault.what, found: `${met} of ${all.length} rounds${seeds}`, goal, isMet: met === all.length }
}

/** One round as a line. */
export function lineOf(name: string, fault: Fault, one: Outcome): string {
  const { acknowledged, unknown, longestRefusalMs } = one.writes
  const parts = [
    `${isMet(fault, one) ? 'PASS' : 'FAIL'} ${name} (seed ${one.seed}, ${one.victim})`,
    `silence ${seconds(one.silenceMs)}`,
    `position off by ${seconds(one.positionErrorMs)}`,
    `${one.twoVoices} with two voices`,
    `${one.silent} silent at the end`,
    `${acknowledged} writes, ${unknown} without a 200 (${seconds(longestRefusalMs)} at most), ${one.writesLost.length} lost`,
    `${one.eventsTold} events, ${one.eventsLost.length} lost, ${one.eventsDoubled.length} doubled`,
    `${seconds(one.tookMs)} in all`,
  ]
  const where = [`longest silence in ${one.silentWhere}`, `position of ${one.positionWhere}`]
  const lost = [...one.writesLost, ...one.eventsLost, ...one.eventsDoubled].slice(0, 6)
  const details = isMet(fault, one) ? [] : [...where, ...lost]
  return [parts.join('; '), ...details.map((detail) => `    ${detail}`)].join('\n')
}

export function tableOf(outcomes: ReadonlyMap<string, readonly Outcome[]>): string {
  const head = [
    '| Fault | Rounds passed | Longest silence, median and worst | Worst position error | Guilds with two voices | Writes lost, of | Events lost, doubled, of |',
    '| ----- | ------------- | --------------------------------- | -------------------- | ---------------------- | --------------- | ------------------------ |',
  ]
  const rows = [...outcomes]
    .filter(([, all]) => all.length > 0)
    .map(([name, all]) => {
      const silences = all.map(({ silenceMs }) => silenceMs).toSorted((a, b) => a - b)
      const sum = (of: (one: Outcome) => number) => all.reduce((total, one) => total + of(one), 0)
      const cells = [
        FAULTS[name]?.what ?? name,
        `${all.filter((one) => isMet(FAULTS[name]!, one)).length} of ${all.length}`,
        `${seconds(silences[silences.length >> 1] ?? 0)}, ${seconds(silences.at(-1) ?? 0)}`,
        seconds(Math.max(...all.map(({ positionErrorMs }) => Math.abs(positionErrorMs)))),
        sum(({ twoVoices }) => twoVoices),
        `${sum(({ writesLost }) => writesLost.length)} of ${sum(({ writes }) => writes.acknowledged)}`,
        `${sum(({ eventsLost }) => eventsLost.length)}, ${sum(({ eventsDoubled }) => eventsDoubled.length)} of ${sum(({ eventsTold }) => eventsTold)}`,
      ]
      return `| ${cells.join(' | ')} |`
    })
  return [...head, ...rows].join('\n')
}
