import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { BotGroup, OccupiedBot } from '../../../bot/bot-selection.ts'
import type { PeerReads } from '../../../bot/peer-reads.ts'
import type { BotGuild } from '../../../bot/discord/bot-status.ts'
import type { GuildPlayer } from '../../../bot/player/player-info.ts'
import { Fault } from '../../../lib/errors.ts'
import type { Forwarding, PeerService } from '../../../lib/sharing/forwarding.ts'
import type { ownersOf } from './forwarding.ts'

/** Reads that this service answers about its own players and guilds. */
interface OwnReads {
  players(group: Pick<BotGroup, 'projectId' | 'botIds'>): readonly GuildPlayer[]
  guilds(botId: string): readonly BotGuild[]
  occupied(group: Pick<BotGroup, 'projectId' | 'botIds'>, guildId: string): readonly OccupiedBot[]
}

const botIds = z.array(z.string()).max(1000)
const Group = z.object({ projectId: z.string(), botIds })
const Players = z.array(z.looseObject({ guildId: z.string(), botId: z.string() }))
const Guild = z.object({
  id: z.string(),
  name: z.string(),
  members: z.number(),
  channels: z.array(z.object({ id: z.string(), name: z.string() })),
})
const Guilds = z.object({ count: z.int(), guilds: z.array(Guild) })
const Occupied = z.array(z.object({ botId: z.string(), channelId: z.string() }))
const LOOK_EVERY_MS = 150
/** A page shows no more. */
const MOST_GUILDS = 2000

export function answerReads(link: AnsweringLink, own: OwnReads): void {
  link.answer('players', (body) => own.players(Group.parse(body)))
  link.answer('guilds', (body) => {
    const guilds = own.guilds(z.object({ botId: z.string() }).parse(body).botId)
    return { count: guilds.length, guilds: guilds.slice(0, MOST_GUILDS) }
  })
  link.answer('occupied', (body) => {
    const { guildId, ...group } = Group.extend({ guildId: z.string() }).parse(body)
    return own.occupied(group, guildId)
  })
}

/** The methods of a link that answering needs. */
interface AnsweringLink {
  answer(name: string, handler: (body: unknown) => unknown): void
}

/** The methods of a link that queries need. */
interface ReadLink extends Pick<Forwarding, 'patienceMs' | 'refresh'> {
  call(service: PeerService, name: string, body: unknown): Promise<unknown>
  ownersOf(botIds: readonly string[]): ReturnType<typeof ownersOf>
}

/** Reads what the other services run of bots whose shards are divided between them. */
export function createPeerReads(link: ReadLink): PeerReads {
  /** @throws {Fault} `service_unavailable` if a shard has no owner, or its owner does not answer. */
  async function whole<T>(botIds: readonly string[], ask: Ask<T>): Promise<readonly T[]> {
    const deadline = performance.now() + link.patienceMs
    for (;;) {
      const { others, isWhole } = link.ownersOf(botIds)
      const answers = isWhole ? await askAll(link, others, ask).catch(() => null) : null
      if (answers) return answers
      if (performance.now() > deadline) throw notWhole()
      await sleep(LOOK_EVERY_MS)
      await link.refresh()
    }
  }

  return {
    playersOf: ({ projectId, botIds }) =>
      whole(botIds, {
        name: 'players',
        body: { projectId, botIds },
        parse: (answer) => Players.parse(answer) as unknown as readonly GuildPlayer[],
      }),
    async guildsOf(botId) {
      // A page that shows guilds shows those that are known.
      const { others } = link.ownersOf([botId])
      const asked = others.map(async (peer) => Guilds.parse(await link.call(peer, 'guilds', { botId })))
      const lists = (await Promise.allSettled(asked)).flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      return {
        count: lists.reduce((sum, { count }) => sum + count, 0),
        guilds: lists.flatMap(({ guilds }) => guilds),
      }
    },
    occupied: ({ projectId, botIds }, guildId) =>
      whole(botIds, {
        name: 'occupied',
        body: { projectId, botIds, guildId },
        parse: (answer) => Occupied.parse(answer),
      }),
  }
}

interface Ask<T> {
  readonly name: string
  readonly body: object
  readonly parse: (answer: unknown) => readonly T[]
}

async function askAll<T>(
  link: Pick<ReadLink, 'call'>,
  peers: readonly PeerService[],
  { name, body, parse }: Ask<T>,
): Promise<readonly T[]> {
  return (await Promise.all(peers.map(async (peer) => parse(await link.call(peer, name, body))))).flat()
}

function notWhole(): Fault {
  const message = "Another service that runs a part of this bot doesn't respond. Try again in a moment."
  return new Fault('service_unavailable', message, { retryAfterMs: 2000 })
}
