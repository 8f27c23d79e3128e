import { setTimeout as sleep } from 'node:timers/promises'
import { Command, InvalidArgumentError } from 'commander'
import type { ClusterControl } from '../../cluster/leases/cluster-control.ts'
import { drainOrder, pinOrder, SERVICE_WEIGHTS, weightOrder } from '../../cluster/leases/orders.ts'
import { shardKey, shardsOf, type ClusterLeases } from '../../cluster/leases/view.ts'
import { Fault } from '../../../lib/errors.ts'
import type { AdminContext, Json } from '../context.ts'
import { withCluster } from './connect.ts'
import { describeCluster, reportCluster } from './report.ts'
import { assertOthersTake, assertTakes, selectService, selectShard, shortId } from './select.ts'
import { counted } from '../../../lib/text.ts'

const EXAMPLES = `
Examples:
  npm run admin -- cluster
  npm run admin -- cluster move 123456789012345678 3 --to 10.0.0.12:8080
  npm run admin -- cluster drain 8f2c91aa
  npm run admin -- cluster weight http://10.0.0.12:8080 2
  npm run admin -- cluster reshard 123456789012345678 64

Services are named by the beginning of their ID, their URL, its host and port, or the name of their machine.`

const SERVICE = 'its ID (four characters or more of it), URL, host:port or host name'
const LOOK_EVERY_MS = 100
const MOST_SHARDS = 16_000
/** Two renewals, and a login if the session cannot be resumed. */
const MOVE_WITHIN_MS = 15_000
const DRAIN_WITHIN_MS = 60_000
const HEARD_WITHIN_MS = 5000

/** Lists the shards of each service, and gives an operator's orders. */
export function clusterCommand(context: AdminContext): Command {
  const cluster = new Command('cluster')
    .description('show which service runs which shards, move shards and drain services')
    .addHelpText('after', EXAMPLES)
  cluster
    .command('list', { isDefault: true })
    .description('list services, their shards, Discord servers, players and leases (also without "list")')
    .action((options: Json) =>
      withCluster(context.config(), async (control) => {
        const report = reportCluster(await control.look())
        context.show(options, report, describeCluster(report, Date.now()))
      }),
    )
  addMove(cluster, context)
  addDrain(cluster, context)
  addReshard(cluster, context)
  cluster
    .command('weight')
    .description("set a service's share of the work, relative to the others; kept for its URL")
    .argument('<service>', SERVICE)
    .argument(
      '<weight>',
      `${SERVICE_WEIGHTS.min} to ${SERVICE_WEIGHTS.max}; default ${SERVICE_WEIGHTS.default}`,
      parseWeight,
    )
    .action((text: string, weight: number, options: Json) =>
      withCluster(context.config(), async (control) => {
        const view = await control.look()
        const id = selectService(view, text)
        const isHeard = (now: ClusterLeases) => (now.services.get(id)?.weight ?? weight) === weight
        await waitUntil(
          control,
          () => control.order(weightOrder(view.services.get(id)?.url ?? '', weight)),
          isHeard,
          HEARD_WITHIN_MS,
        )
        context.show(options, { id, weight }, [`weight ${weight}  ${id}`])
      }),
    )
  return cluster
}

function addMove(cluster: Command, context: AdminContext): void {
  cluster
    .command('move')
    .description('move a shard to a service, where it stays until that service ends or drains')
    .argument('<bot>', 'bot ID')
    .argument('<shard>', 'shard number, starting at 0', parseShard)
    .requiredOption('--to <service>', `${SERVICE}; "any" lets the services place it again`)
    .action((botId: string, shardId: number, options: Json & { readonly to: string }) =>
      withCluster(context.config(), async (control) => {
        const view = await control.look()
        const key = selectShard(view, botId, shardId)
        const to = options.to === 'any' ? null : selectService(view, options.to)
        if (to !== null) assertTakes(view, to, key)
        const isThere = (now: ClusterLeases) => to === null || now.leases.get(key)?.serviceId === to
        const pin = to === null ? null : { to, orderedAtMs: Date.now() }
        const tookMs = await waitUntil(control, () => control.order(pinOrder(key, pin)), isThere, MOVE_WITHIN_MS)
        const where = to === null ? 'may move' : `runs at ${shortId(to)} after ${(tookMs / 1000).toFixed(1)} s`
        context.show(options, { botId, shardId, serviceId: to, tookMs }, [`shard ${shardId} of ${botId} ${where}`])
      }),
    )
}

function addDrain(cluster: Command, context: AdminContext): void {
  cluster
    .command('drain')
    .description('hand all shards of a service over to the others; it takes none until "undrain" or its restart')
    .argument('<service>', SERVICE)
    .action((text: string, options: Json) =>
      withCluster(context.config(), async (control) => {
        const view = await control.look()
        const id = selectService(view, text)
        assertOthersTake(view, id)
        const held = shardsHeldBy(view, id)
        const isEmpty = (now: ClusterLeases) =>
          held.every((key) => ![null, id, undefined].includes(now.leases.get(key)?.serviceId))
        const tookMs = await waitUntil(control, () => control.order(drainOrder(id, true)), isEmpty, DRAIN_WITHIN_MS)
        const shards = held.length
        const line = `drained  ${id}: ${shards} shards handed over in ${(tookMs / 1000).toFixed(1)} s`
        context.show(options, { id, shards, tookMs }, [line])
      }),
    )
  cluster
    .command('undrain')
    .description('let a drained service take shards again')
    .argument('<service>', SERVICE)
    .action((text: string, options: Json) =>
      withCluster(context.config(), async (control) => {
        const id = selectService(await control.look(), text)
        const isHeard = (now: ClusterLeases) => now.services.get(id)?.isDraining !== true
        await waitUntil(control, () => control.order(drainOrder(id, false)), isHeard, HEARD_WITHIN_MS)
        context.show(options, { id }, [`undrained  ${id}`])
      }),
    )
}

/** All shards log in again, so this waits longer the more there are; one login in 5 s is the least that Discord allows. */
const LOGIN_MS = 5100

function addReshard(cluster: Command, context: AdminContext): void {
  cluster
    .command('reshard')
    .description(
      "divide a bot's Discord servers into another number of shards; its players are silent until these are connected",
    )
    .argument('<bot>', 'bot ID')
    .argument('<count>', 'number of shards; Discord recommends one, see the log', parseCount)
    .action((botId: string, count: number, options: Json) =>
      withCluster(context.config(), async (control) => {
        selectShard(await control.look(), botId, 0)
        const isDone = (view: ClusterLeases) => countReady(view, botId, count) === count
        const change = () => control.setCount(botId, count)
        const tookMs = await waitUntil(control, change, isDone, MOVE_WITHIN_MS + LOGIN_MS * count)
        const line = `bot ${botId} has ${counted(count, 'shard')}, connected after ${(tookMs / 1000).toFixed(1)} s`
        context.show(options, { botId, shardCount: count, tookMs }, [line])
      }),
    )
}

/** Shards of the new division that are connected. */
function countReady({ leases, services }: ClusterLeases, botId: string, shardCount: number): number {
  return shardsOf(botId, shardCount).filter((shard) => {
    const key = shardKey(shard)
    return services.get(leases.get(key)?.serviceId ?? '')?.shards[key]?.isReady ?? false
  }).length
}

/** @returns how long it took. @throws {Fault} `timed_out` where the services have not done it; the order still stands. */
async function waitUntil(
  control: ClusterControl,
  change: () => Promise<void>,
  isDone: (view: ClusterLeases) => boolean,
  withinMs: number,
): Promise<number> {
  const startedMs = performance.now()
  await change()
  for (;;) {
    const tookMs = performance.now() - startedMs
    if (isDone(await control.look())) return Math.round(tookMs)
    if (tookMs > withinMs) {
      const advice = 'The services still carry it out; see npm run admin -- cluster.'
      throw new Fault('timed_out', `Not done within ${withinMs / 1000} s. ${advice}`)
    }
    await sleep(LOOK_EVERY_MS)
  }
}

function shardsHeldBy({ leases }: ClusterLeases, id: string): readonly string[] {
  return [...leases].flatMap(([key, { serviceId }]) => (serviceId === id ? [key] : []))
}

function parseShard(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('Must be a whole number, 0 or more.')
  return Number(text)
}

function parseCount(text: string): number {
  const count = Number(text)
  if (!/^\d{1,5}$/.test(text) || count < 1 || count > MOST_SHARDS)
    throw new InvalidArgumentError(`Must be a number from 1 to ${MOST_SHARDS}.`)
  return count
}

function parseWeight(text: string): number {
  const { min, max } = SERVICE_WEIGHTS
  const weight = Number(text)
  if (!/^\d{1,3}$/.test(text) || weight < min || weight > max)
    throw new InvalidArgumentError(`Must be a whole number from ${min} to ${max}. To take a service out, drain it.`)
  return weight
}
