import type { AddressInfo } from 'node:net'
import { createEventBus } from '../../bot/event-bus.ts'
import type { EventBus } from '../../bot/events.ts'
import type { PlayerScope, PlayerService } from '../../bot/player-service.ts'
import { OPERATIONS } from '../../bot/player/operations.ts'
import type { App } from '../../api/http/app-context.ts'
import type { Api, ApiOptions } from '../../api/http/server.ts'
import type { OpenPeerLink } from '../../service/cluster/forwarding/peer-link.ts'
import type { Forwarding } from '../../lib/sharing/forwarding.ts'
import { answerReads } from '../../service/cluster/forwarding/peer-reads.ts'
import { silent } from './encode-queue.ts'
import { createHandLeases, startBalancer, type HandLeases } from './one-address.ts'

/** Whether the suites run against several services behind one address: `TEST_SERVICES=3`. */
export const areServicesDivided = Number(process.env['TEST_SERVICES'] ?? 1) > 1

const NAMES = ['one', 'two', 'three'] as const
const SHARDS = 3

/** The pages of a service, with the players that it runs; one that runs all has those of the test. */
export type PagesOf = (own: {
  readonly music?: PlayerService
  readonly forwarding?: Forwarding | null
}) => NonNullable<ApiOptions['pages']>

interface Divided {
  readonly app: Omit<App, 'baseUrl'>
  readonly options: Partial<ApiOptions>
  /** Bots whose shards are divided between the services. */
  readonly botIds: readonly string[]
  readonly pagesOf: PagesOf | undefined
  listen(app: Omit<App, 'baseUrl'>, options: Partial<ApiOptions>): Promise<Api>
}

/**
 * Three APIs behind a balancer that asks another one each time. Each runs a third of the shards of each bot, and fails where
 * it is asked for a player of another third.
 */
export async function listenDivided(divided: Divided): Promise<Api> {
  const { app, options, botIds } = divided
  const leases = createHandLeases()
  leases.spread(botIds, NAMES, SHARDS)
  leases.spreadOthers(NAMES, SHARDS)
  const apis: Api[] = []
  const balancer = await startBalancer(() => apis.map(({ port }) => `http://127.0.0.1:${port}`))
  const buses = new Map<string, EventBus>()
  const links: OpenPeerLink[] = []
  for (const name of NAMES) {
    const events = createEventBus({ log: silent })
    const link = leases.link(name, events)
    buses.set(name, events)
    links.push(link)
    const music = ownMusic(app.music, { leases, link, name })
    const own = { ...app, music, events }
    const api = await divided.listen(own, {
      ...options,
      ...(divided.pagesOf && { pages: divided.pagesOf({ music, forwarding: link }) }),
      peers: link,
      baseUrl: options.baseUrl ?? balancer.url,
    })
    apis.push(api)
    leases.arrive(name, `http://127.0.0.1:${api.port}`)
  }
  // Events of a player are emitted at the service that runs it.
  const unsubscribe = app.events.subscribe((event) => {
    const { botId = '', guildId = '0' } = event.event as { botId?: string; guildId?: string }
    buses.get(leases.ownerOf(botId, guildId) ?? 'one')?.emit(event)
  })
  return {
    port: Number(new URL(balancer.url).port) satisfies AddressInfo['port'],
    baseUrl: apis[0]?.baseUrl ?? balancer.url,
    get openSockets() {
      return apis.reduce((sum, { openSockets }) => sum + openSockets, 0)
    },
    async close() {
      unsubscribe()
      await Promise.all(links.map((link) => link.close()))
      await Promise.all(apis.map((api) => api.close()))
      await balancer.close()
    },
  }
}

interface Own {
  readonly leases: HandLeases
  readonly link: OpenPeerLink
  readonly name: string
}

/** The players of one service, and what the others answer of theirs. */
function ownMusic(music: PlayerService, { leases, link, name }: Own): PlayerService {
  const isOwn = (botId: string, guildId: string) => leases.ownerOf(botId, guildId) === name
  const ownPlayers: PlayerService['ownPlayers'] = (group) =>
    music.ownPlayers(group).filter(({ botId, guildId }) => isOwn(botId, guildId))
  const ownGroup = <G extends { readonly botIds: readonly string[] }>(group: G, guildId: string): G => ({
    ...group,
    botIds: group.botIds.filter((botId) => isOwn(botId, guildId)),
  })
  const { bots } = music
  const selection: PlayerService['bots'] = {
    ...bots,
    occupied: (group, guildId) => bots.occupied(ownGroup(group, guildId), guildId),
    reserve: (group, guildId, channelId) => bots.reserve(ownGroup(group, guildId), guildId, channelId),
    playingAnywhere: (group, place, elsewhere) => {
      const here = bots.occupied(ownGroup(group, place.guildId), place.guildId)
      const all = [...here, ...elsewhere]
      // The bots of the group know of all players, as no service does.
      return bots.playingAnywhere(all.length === 0 ? group : { ...group, botIds: [] }, place, all)
    },
  }
  answerReads(link, { players: ownPlayers, guilds: () => [], occupied: (group, id) => selection.occupied(group, id) })
  const checked = new Set<string | symbol>(['play', 'perform', ...Object.keys(OPERATIONS)])
  return new Proxy(music, {
    get(target, key) {
      if (key === 'bots') return selection
      if (key === 'ownPlayers') return ownPlayers
      if (key === 'players')
        return async (group: Parameters<PlayerService['players']>[0]) => {
          await target.players(group)
          const whole = 'botId' in group ? { ...group, botIds: [group.botId] } : group
          for (const botId of whole.botIds) leases.ownerOf(botId, '0')
          return [...ownPlayers(whole), ...(await link.reads.playersOf(whole))]
        }
      const value: unknown = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      return (...args: unknown[]): unknown => {
        const scope = (key === 'performGuarded' ? (args[0] as { scope: PlayerScope }).scope : args[0]) as PlayerScope
        const guildId = key === 'performGuarded' ? (args[0] as { guildId: string }).guildId : args[1]
        if ((checked.has(key) || key === 'performGuarded') && !isOwn(scope.botId, String(guildId)))
          throw new Error(`${name} was asked for the player of ${scope.botId} in ${String(guildId)}.`)
        return Reflect.apply(value, target, args)
      }
    },
  })
}
