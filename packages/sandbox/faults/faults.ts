import type { Clock } from '../clock/clock.ts'
import { matchesPath } from '../record/search.ts'
import { draw } from './random.ts'
import { FaultRule, type EffectOn, type FaultDraft, type FaultOn } from './schema.ts'

const RULES_MAX = 200

/** A rule with how often it fitted and how often it was applied. */
export type FaultView = FaultRule & { readonly id: string; readonly matched: number; readonly applied: number }

interface RequestFacts {
  readonly applicationId: string | null
  readonly method: string
  readonly path: string
  readonly route: string | null
}

interface FrameFacts {
  readonly applicationId: string | null
  readonly direction: 'sent' | 'received'
  readonly op: number
  readonly event: string | null
}

/** Passage of a request or frame: its delay, and the fault that replaces it, if any. */
export interface Passage<End> {
  readonly delayMs: number
  readonly end: End | null
}
export type RequestEnd = Exclude<EffectOn<'rest'>, { type: 'delay' }>
export type FrameEnd = Exclude<EffectOn<'gateway'>, { type: 'delay' | 'outage' }>

/** A rule that begins or ends: the voice server and the sockets of the gateway follow it. */
export interface Turn {
  readonly rule: FaultRule
  readonly isOn: boolean
  /** Counts a match, and says whether the rule applies to it. */
  readonly applies: () => boolean
}

interface Running {
  readonly id: string
  readonly rule: FaultRule
  matched: number
  applied: number
  dice: number
  /** Time of the world's clock. */
  readonly beginsAtMs: number
  readonly endsAtMs: number | null
  isOn: boolean
}

/** Fault rules. If several match, delays add up, and the oldest with another effect decides. */
export type Faults = ReturnType<typeof createFaults>

/** Why a rule cannot be added. */
export class FaultLimit extends Error {
  override readonly name = 'FaultLimit'
}

interface FaultsOptions {
  readonly clock: Clock
  readonly onTurn: (turn: Turn) => void
}

/** The rules there are, which begin and end by the clock. */
function createSchedule({ clock, onTurn }: FaultsOptions) {
  const running = new Map<string, Running>()
  const timers = new Map<string, (() => void)[]>()

  function start(one: Running): void {
    running.set(one.id, one)
    const nowMs = clock.now()
    const stops = [clock.after(Math.max(0, one.beginsAtMs - nowMs), () => turn(one, true))]
    if (one.endsAtMs !== null) stops.push(clock.after(Math.max(0, one.endsAtMs - nowMs), () => stop(one.id)))
    timers.set(one.id, stops)
    if (one.beginsAtMs <= nowMs) turn(one, true)
  }

  function turn(one: Running, isOn: boolean): void {
    if (one.isOn === isOn || !running.has(one.id)) return
    one.isOn = isOn
    onTurn({ rule: one.rule, isOn, applies: () => applies(one) })
  }

  function stop(id: string): boolean {
    const one = running.get(id)
    if (!one) return false
    for (const cancel of timers.get(id) ?? []) cancel()
    timers.delete(id)
    turn(one, false)
    return running.delete(id)
  }
  return { running, start, stop }
}

export function createFaults(options: FaultsOptions) {
  const { clock } = options
  const { running, start, stop } = createSchedule(options)
  let lastId = 0
  const clear = () => {
    for (const id of running.keys()) stop(id)
  }
  const on = <K extends FaultRule['on']>(kind: K) =>
    [...running.values()].filter((one): one is Running & { rule: FaultOn<K> } => one.isOn && one.rule.on === kind)

  return {
    add(draft: FaultDraft): FaultView {
      if (running.size >= RULES_MAX) throw new FaultLimit(`Fault limit reached (${RULES_MAX}). Remove some first.`)
      const rule = FaultRule.parse(draft)
      lastId += 1
      const beginsAtMs = clock.now() + rule.afterMs
      const endsAtMs = rule.forMs === undefined ? null : beginsAtMs + rule.forMs
      const one = { id: `fault-${lastId}`, rule, matched: 0, applied: 0, dice: rule.seed, beginsAtMs, endsAtMs }
      const begun: Running = { ...one, isOn: false }
      start(begun)
      return view(begun)
    },
    list: (): readonly FaultView[] => [...running.values()].map(view),
    /** False if no rule has this id. */
    remove: stop,
    clear,
    ofRequest: (facts: RequestFacts): Passage<RequestEnd> =>
      passageOf(on('rest').filter(({ rule }) => fitsRequest(rule, facts))),
    ofFrame(facts: FrameFacts): Passage<FrameEnd> {
      const fitting = on('gateway').filter(({ rule }) => rule.effect.type !== 'outage' && fitsFrame(rule, facts))
      return passageOf(fitting) as Passage<FrameEnd>
    },
    /** The status with which a gateway refuses connections during an outage; null otherwise. */
    refusal(): number | null {
      const outage = on('gateway').find(({ rule }) => rule.effect.type === 'outage')
      return outage?.rule.effect.type === 'outage' ? outage.rule.effect.status : null
    },
    save: (): readonly Running[] => [...running.values()].map((one) => Object.assign({}, one, { isOn: false })),
    restore(saved: readonly Running[]) {
      clear()
      for (const one of saved) start({ ...one })
    },
    close: clear,
  }
}

function view({ id, rule, matched, applied }: Running): FaultView {
  return { id, ...rule, matched, applied }
}

function fitsRequest(rule: FaultOn<'rest'>, { applicationId, method, path, route }: RequestFacts): boolean {
  if (rule.applicationId !== undefined && rule.applicationId !== applicationId) return false
  if (rule.method !== undefined && rule.method !== method) return false
  const pattern = rule.path
  return pattern === undefined || [path, route].some((one) => one !== null && matchesPath(one, pattern))
}

function fitsFrame(rule: FaultOn<'gateway'>, { applicationId, direction, op, event }: FrameFacts): boolean {
  if (rule.applicationId !== undefined && rule.applicationId !== applicationId) return false
  if (rule.direction !== direction) return false
  return (rule.op === undefined || rule.op === op) && (rule.event === undefined || rule.event === event)
}

function passageOf<E extends FaultRule['effect']>(
  fitting: readonly (Running & { readonly rule: { readonly effect: E } })[],
): Passage<Exclude<E, { type: 'delay' }>> {
  let delayMs = 0
  let end: Exclude<E, { type: 'delay' }> | null = null
  for (const one of fitting) {
    if (!applies(one)) continue
    const { effect } = one.rule
    if (effect.type === 'delay') delayMs += effect.ms + Math.floor(roll(one) * effect.jitterMs)
    else end ??= effect as Exclude<E, { type: 'delay' }>
  }
  return { delayMs, end }
}

/** Counts the match, and throws the dice of its rule. */
function applies(one: Running): boolean {
  const { skip, times, probability } = one.rule
  one.matched += 1
  if (one.matched <= skip || (times !== undefined && one.applied >= times)) return false
  if (probability < 1 && roll(one) >= probability) return false
  one.applied += 1
  return true
}

function roll(one: Running): number {
  const { value, state } = draw(one.dice)
  one.dice = state
  return value
}
