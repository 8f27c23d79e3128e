import { createLru } from '../../lib/sharing/lru.ts'
import { z } from 'zod'
import type { PeerReads } from '../../bot/peer-reads.ts'
import type { BotManager } from '../../bot/discord/bot-manager.ts'
import type { BotGuild } from '../../bot/discord/bot-status.ts'
import type { EventCounts } from './forwarding/event-link.ts'
import type { OpenPeerLink } from './forwarding/peer-link.ts'
import { answerReads } from './forwarding/peer-reads.ts'
import type { BotControl } from '../../web/dashboard/http/context.ts'
import type { WebPlayerPeers } from '../../web/player/http/context.ts'

/** The bots as pages show them: whole, from whichever service. */
export interface WholeBots {
  readonly fleet: BotControl
  readonly onPlayerChanged: BotManager['onPlayerChanged']
  /** Null if this service runs all. */
  readonly webPeers: WebPlayerPeers | null
}

interface Parts {
  readonly peers: OpenPeerLink | null
  readonly reads: PeerReads
  readonly bots: BotManager
}

export interface PeerCounts extends EventCounts {
  readonly services: number
}

const NO_EVENTS: EventCounts = { sent: 0, received: 0, dropped: 0, refused: 0 }

/** The other services, and what went between this one and them. */
export function countPeers(link: OpenPeerLink | null): PeerCounts {
  return { ...(link?.events.counts() ?? NO_EVENTS), services: link?.countOthers() ?? 0 }
}

/** Answers the other services, and puts together what they answer. */
export function connectPeers({ peers: link, reads, bots }: Parts, opening: AsyncDisposableStack): WholeBots {
  if (!link) {
    const countGuilds = (botId: string) => bots.guildsOf(botId).length
    return {
      fleet: { ...bots, countGuilds, refresh: async () => undefined },
      onPlayerChanged: (listener) => bots.onPlayerChanged(listener),
      webPeers: null,
    }
  }
  answerReads(link, {
    players: (group) => bots.music.ownPlayers(group),
    guilds: (botId) => bots.guildsOf(botId),
    occupied: (group, guildId) => bots.music.bots.occupied(group, guildId),
  })
  const webPeers = connectWebPlayers(link, bots.webPlayers)
  opening.defer(bots.onPlayerChanged((player) => link.events.changed(player)))
  return {
    webPeers,
    fleet: { ...bots, ...wholeFleet(link, { reads, bots }) },
    onPlayerChanged(listener) {
      const endings = [bots.onPlayerChanged(listener), link.events.onPeerChanged(listener)]
      return () => endings.forEach((end) => end())
    },
  }
}

const InGuild = z.object({ guildId: z.string() })
const Person = InGuild.extend({ userId: z.string() })
const Bots = z.array(z.object({ botId: z.string(), projectId: z.string(), isPlaying: z.boolean() }))
const Memberships = z.array(z.object({ projectId: z.string(), guildName: z.string(), isHeard: z.boolean() }))

/** Connects the web players of all services: the bots in a guild, and a user's memberships there. */
function connectWebPlayers(link: OpenPeerLink, own: BotManager['webPlayers']): WebPlayerPeers {
  link.answer('webBots', (body) => own.botsIn(InGuild.parse(body).guildId))
  link.answer('webMemberships', (body) => {
    const { guildId, userId } = Person.parse(body)
    return own.membershipsOf(guildId, userId)
  })
  return {
    forwarding: link,
    botsIn: async (guildId) => (await link.callAll('webBots', { guildId })).flatMap((answer) => Bots.parse(answer)),
    membershipsOf: async (guildId, userId) =>
      (await link.callAll('webMemberships', { guildId, userId })).flatMap((answer) => Memberships.parse(answer)),
  }
}

/** Pages that are made one after the other show the same. */
const KEPT_MS = 2000
const MOST_BOTS = 500

function wholeFleet(link: OpenPeerLink, { reads, bots }: Omit<Parts, 'peers'>) {
  const known = createLru<
    string,
    { readonly atMs: number; readonly count: number; readonly guilds: readonly BotGuild[] }
  >(MOST_BOTS)

  async function refreshOne(botId: string): Promise<void> {
    const before = known.get(botId)
    if (before && performance.now() - before.atMs < KEPT_MS) return
    const { count, guilds } = await reads.guildsOf(botId)
    known.set(botId, { atMs: performance.now(), count, guilds })
  }

  return {
    guildsOf: (botId: string) =>
      [...bots.guildsOf(botId), ...(known.get(botId)?.guilds ?? [])].toSorted((a, b) => a.name.localeCompare(b.name)),
    countGuilds: (botId: string) => bots.guildsOf(botId).length + (known.get(botId)?.count ?? 0),
    stateOf(botId: string) {
      const here = bots.stateOf(botId)
      return here === 'connecting' && link.isReadyElsewhere(botId) ? 'connected' : here
    },
    async refresh(botIds: readonly string[]) {
      await Promise.all(botIds.map(refreshOne))
    },
  }
}
