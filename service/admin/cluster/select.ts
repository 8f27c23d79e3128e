import { canTake, shardKey, type ClusterLeases } from '../../cluster/leases/view.ts'
import { Fault } from '../../../lib/errors.ts'

const MIN_PREFIX = 4

/**
 * The service that an operator means: its ID or the beginning of it, its URL or host and port, or its host name.
 * @throws {Fault} `not_found` with the services that there are, or `conflict` where several match.
 */
export function selectService({ services }: ClusterLeases, text: string): string {
  const found = [...services].flatMap(([id, { url, host }]) => {
    const isMeant =
      id === text || url === text || URL.parse(url)?.host === text || host === text || isPrefixOf(text, id)
    return isMeant ? [id] : []
  })
  const [id] = found
  if (services.size === 0) throw new Fault('not_found', 'No service is running.')
  if (id === undefined) throw new Fault('not_found', `There is no service ${text}. Running: ${listServices(services)}`)
  if (found.length > 1) throw new Fault('conflict', `${text} means ${found.length} services: ${found.join(', ')}`)
  return id
}

function isPrefixOf(text: string, id: string): boolean {
  return text.length >= MIN_PREFIX && id.startsWith(text)
}

function listServices(services: ClusterLeases['services']): string {
  const names = [...services].map(([id, { url }]) => `${shortId(id)} (${url})`)
  return names.toSorted().join(', ')
}

/** The form that tables show. */
export function shortId(serviceId: string): string {
  return serviceId.slice(0, 8)
}

/** @throws {Fault} `not_found` where no service runs this bot, or it has no such shard. */
export function selectShard({ shardCounts, services }: ClusterLeases, botId: string, shardId: number): string {
  const shardCount = shardCounts.get(botId)
  const isRun = [...services.values()].some(({ bots }) => bots.includes(botId))
  if (shardCount === undefined || !isRun) {
    const bots = [...new Set([...services.values()].flatMap(({ bots: all }) => all))]
    throw new Fault('not_found', `No service runs bot ${botId}. Bots: ${bots.join(', ') || 'none'}`)
  }
  if (shardId >= shardCount)
    throw new Fault('not_found', `Bot ${botId} has no shard ${shardId}; its shards are 0 to ${shardCount - 1}.`)
  return shardKey({ botId, shardId, shardCount })
}

/** @throws {Fault} `conflict` if the service could not take the shard. */
export function assertTakes(view: ClusterLeases, serviceId: string, key: string): void {
  if (canTake(view, serviceId, key)) return
  const why = view.services.get(serviceId)?.isDraining
    ? `it drains; first run: npm run admin -- cluster undrain ${shortId(serviceId)}`
    : "SERVICE_BOTS keeps this bot from it, or it can't read its token"
  throw new Fault('conflict', `Service ${shortId(serviceId)} can't take the shard: ${why}.`)
}

/** @throws {Fault} `conflict` if its bots would have no service left. */
export function assertOthersTake(view: ClusterLeases, serviceId: string): void {
  const others = [...view.services].filter(([id, { isDraining }]) => id !== serviceId && !isDraining)
  const left = (view.services.get(serviceId)?.bots ?? []).filter(
    (botId) => !others.some(([, { bots }]) => bots.includes(botId)),
  )
  if (left.length === 0) return
  throw new Fault('conflict', `No other service can run ${left.join(', ')}: start one, or undrain one.`)
}
