import { ChannelType, GatewayDispatchEvents } from 'discord-api-types/v10'
import type { Application, Dispatch, Guild, World } from '../world.ts'
import { createUser } from '../applications.ts'
import { createMember, newGuild } from '../guilds.ts'
import { EVERYONE, MUSIC_BOT } from '../permissions.ts'
import { createChannel } from './channels.ts'
import { guildCreate } from './describe.ts'
import { madeAtMs } from '../snowflake.ts'
import type { QuietGuilds } from './guild-map.ts'
import { addRole } from './roles.ts'

/** First bit of the time in an ID; the bits below it number the objects of one guild. */
const TIME_BIT = 22n
/** Time of the first guild, in 2023. */
const FIRST_TIME = 1n << 38n
const IDS_OF_GUILD = 1n << TIME_BIT
const BOT_ROLE = 1n
const ROLES_FROM = 100n
const CHANNELS_FROM = 1000n
const SNOWFLAKE = /\d{17,20}/g

export interface QuietFacts {
  readonly count: number
  /** Roles besides @everyone and the bot's. Defaults to 4. */
  readonly roles?: number
  /** Defaults to 6. */
  readonly textChannels?: number
  /** Defaults to 2. */
  readonly voiceChannels?: number
}

/**
 * Adds guilds for a bot that is not logged in yet, evenly over its shards. They are not part of snapshots, and the
 * lists of the controls show only those that were requested.
 */
export function addQuietGuilds(world: World, application: Application, facts: QuietFacts): void {
  const end = world.quiet.reduce((latest, one) => (one.end > latest ? one.end : latest), FIRST_TIME)
  const first = end - (end % BigInt(application.shards))
  const last = first + BigInt(facts.count)
  world.quiet.push({
    application,
    end: last,
    make(id) {
      const at = /^\d{1,20}$/.test(id) ? BigInt(id) : 0n
      const isOne = at % IDS_OF_GUILD === 0n && at >> TIME_BIT >= first && at >> TIME_BIT < last
      return isOne ? makeGuild(world, { application, facts, id: at }) : null
    },
    ids([index, count]) {
      const step = BigInt(count)
      const ids: string[] = []
      const begin = first + ((BigInt(index) - (first % step) + step) % step)
      for (let at = begin; at < last; at += step) ids.push(String(at << TIME_BIT))
      return ids
    },
  })
}

function makeGuild(
  world: World,
  { application, facts, id }: { readonly application: Application; readonly facts: QuietFacts; readonly id: bigint },
): Guild {
  const { roles = 4, textChannels = 6, voiceChannels = 2 } = facts
  const owner = createUser(String(id + 2n), 'owner')
  const guild = newGuild(world, { id: String(id), name: `Guild ${id}`, ownerId: owner.id })
  const botRole = String(id + BOT_ROLE)
  addRole(guild, { id: botRole, name: application.name, permissions: MUSIC_BOT, botId: application.id })
  for (let at = 0; at < roles; at += 1) {
    addRole(guild, { id: String(id + ROLES_FROM + BigInt(at)), name: `role ${at}`, permissions: EVERYONE })
  }
  const joinedAtMs = madeAtMs(guild.id)
  const bot = createMember(application.user, joinedAtMs)
  bot.roles.push(botRole)
  guild.members.set(application.id, bot)
  guild.members.set(owner.id, createMember(owner, joinedAtMs))
  for (let at = 0; at < textChannels + voiceChannels; at += 1) {
    const type = at < textChannels ? ChannelType.GuildText : ChannelType.GuildVoice
    const channel = createChannel(guild, { id: String(id + CHANNELS_FROM + BigInt(at)), name: `channel-${at}`, type })
    guild.channels.set(channel.id, channel)
  }
  return guild
}

/**
 * Writes GUILD_CREATE of quiet guilds: one is described, and for the others its ids are replaced, since all else is the same.
 * @param shape as the intents of a session want the event
 */
export function createQuietWriter(
  world: World,
  { application, make }: QuietGuilds,
  shape: (event: Dispatch) => Dispatch | null,
): (id: string) => string | null {
  let parts: readonly (string | bigint)[] | null = null

  function describe(id: string): readonly (string | bigint)[] {
    const guild = make(id)
    const event = guild && { t: GatewayDispatchEvents.GuildCreate, d: guildCreate(world, guild, application.id) }
    const shaped = event && shape(event as Dispatch)
    return shaped ? split(JSON.stringify(shaped.d), BigInt(id)) : []
  }
  return (id) => {
    parts ??= describe(id)
    const base = BigInt(id)
    return parts.length === 0 ? null : parts.map((part) => (typeof part === 'string' ? part : base + part)).join('')
  }
}

/** Splits a text at the guild's IDs, each replaced by its distance from the ID of the guild itself. */
function split(text: string, base: bigint): readonly (string | bigint)[] {
  const parts: (string | bigint)[] = []
  let from = 0
  for (const { 0: digits, index } of text.matchAll(SNOWFLAKE)) {
    const distance = BigInt(digits) - base
    if (distance < 0n || distance >= IDS_OF_GUILD) continue
    parts.push(text.slice(from, index), distance)
    from = index + digits.length
  }
  return [...parts, text.slice(from)]
}
