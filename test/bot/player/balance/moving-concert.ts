import { readFileSync } from 'node:fs'
import { handoverOf, type HandoverMethods } from '../../../../bot/audio/handover/handover-methods.ts'
import type { AudioNode, NodeStats } from '../../../../bot/audio/node/protocol.ts'
import { systemClock, type Clock } from '../../../../bot/player/timers.ts'
import { until } from '../../../support/bots.ts'
import { startConcert, type Concert } from '../../../support/playing-service.ts'

/** Ten times as fast as the machine's. */
const hurried: Clock = {
  ...systemClock,
  nowMs: () => systemClock.nowMs() * 10,
  after: (delayMs, call) => systemClock.after(delayMs / 10, call),
}
const rules = { idleMs: Infinity, aloneMs: Infinity }
/** So that one is not all the load there is. */
const OTHERS = ['second', 'third', 'fourth', 'fifth']

type Step = keyof HandoverMethods

/** Two real audio threads, of which each says how busy it is as the test wants it. */
export interface MovingConcert {
  readonly concert: Concert
  /** Bots that asked Discord for a channel, by guild. */
  readonly joins: readonly string[]
  /** Steps of moves of the player in the demo guild that were answered, or failed. */
  readonly steps: readonly string[]
  /** What the thread of this id says from now on, 0 to 1. */
  setUtilization(id: string, utilization: number): void
  /** Runs once, right before that step of the player in the demo guild, which waits for it. */
  before(step: Step, run: () => unknown): void
  /** Runs once, when the thread has answered; what it returns, if anything, is the answer instead. */
  after(step: Step, run: (answer: unknown) => unknown): void
  /** Plays in the demo guild, first, and in four more; then the thread of the first one becomes full. */
  fillFirst(): Promise<void>
  /** Connections to the voice server. */
  connections(): number
}

export async function startMovingConcert(): Promise<MovingConcert> {
  const utilization = new Map<string, number>()
  const [joins, steps]: [string[], string[]] = [[], []]
  const hooks = new Map<string, (answer: unknown) => unknown>()

  async function hook(name: string, answer: unknown): Promise<unknown> {
    const run = hooks.get(name)
    hooks.delete(name)
    return (await run?.(answer)) ?? answer
  }

  function watched(handover: HandoverMethods): HandoverMethods {
    const watch = (step: Step) => {
      const call = handover[step] as (...args: readonly unknown[]) => Promise<unknown>
      return async (...args: readonly unknown[]) => {
        if (!JSON.stringify(args).includes(concert.guild.id)) return call(...args)
        await hook(`before ${step}`, null)
        const answer = await call(...args).finally(() => steps.push(step))
        return hook(`after ${step}`, answer)
      }
    }
    return new Proxy(handover, { get: (_, step) => watch(step as Step) })
  }

  function shown(node: AudioNode): AudioNode {
    const stats = async (): Promise<NodeStats> => ({
      ...(await node.stats()),
      utilization: utilization.get(node.id) ?? 0,
    })
    node.onEvent((event) => event.type === 'gatewayPayload' && joins.push(event.guildId))
    const inner = handoverOf(node)
    const replaced: Record<PropertyKey, unknown> = { stats, handover: inner && watched(inner) }
    return new Proxy(node, { get: (target, name) => replaced[name] ?? Reflect.get(target, name) })
  }

  const concert = await startConcert({ threadCount: 2, shown, clock: hurried, rules })
  const isIn = (guildId: string) => concert.test.bots.guildsOf(concert.botId).some(({ id }) => id === guildId)
  return {
    concert,
    joins,
    steps,
    setUtilization: (id, share) => void utilization.set(id, share),
    before: (step, run) => void hooks.set(`before ${step}`, run),
    after: (step, run) => void hooks.set(`after ${step}`, run),
    async fillFirst() {
      await concert.play()
      for (const name of OTHERS) {
        const { guildId, channelId } = concert.addGuild(name)
        await until('the bot knows the guild', () => isIn(guildId))
        await concert.play('A', guildId, channelId)
      }
      const { node } = await concert.info()
      utilization.set(node.id, 0.9)
    },
    connections: () => countConnections(Number(concert.sandbox.voice.endpoint.split(':')[1])),
  }
}

const ESTABLISHED = '01'

/** Connections of this machine to a port of it. */
function countConnections(port: number): number {
  const lines = ['tcp', 'tcp6'].flatMap((name) => readFileSync(`/proc/net/${name}`, 'utf8').split('\n').slice(1))
  return lines.filter((line) => {
    const [, , remote = '', state] = line.trim().split(/\s+/)
    return state === ESTABLISHED && parseInt(remote.split(':')[1] ?? '', 16) === port
  }).length
}
