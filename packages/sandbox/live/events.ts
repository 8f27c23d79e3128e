import { Readable } from 'node:stream'
import { GatewayDispatchEvents as Event, InteractionType, type APIMessage } from 'discord-api-types/v10'
import type { Stage } from '../control/route.ts'
import { viewGuild, viewInteraction, viewMessage, viewNetwork, viewVoice } from '../control/views.ts'
import { isEphemeral } from '../world/messages.ts'
import type { Guild, Happening, Interaction } from '../world/world.ts'
import { createActivityReader } from './activity.ts'
import type { Kept } from '../record/recorder.ts'
import { recentTraffic, viewTraffic } from './traffic.ts'

/** A reader that is so far behind is cut; it comes back and begins with the whole. */
const UNREAD_BYTES = 4 * 1024 * 1024
const ACTIVITY_MS = 500
/** Changes of a guild within so long are told at once. */
const GATHER_MS = 50
const PING_MS = 15_000
/** Answers of a bot that are followed at the same time. */
const FOLLOWED_MAX = 100

const MESSAGE_EVENTS = new Set<Event>([
  Event.MessageCreate,
  Event.MessageUpdate,
  Event.MessageReactionAdd,
  Event.MessageReactionRemove,
])
/** Only bots care. */
const SILENT_EVENTS = new Set<Event>([Event.VoiceServerUpdate, Event.GuildMembersChunk])

export interface EventsOptions {
  /** The first one where it is null. */
  readonly guildId: string | null
  readonly withTraffic: boolean
}

/**
 * Events of one guild as server-sent events: first the whole guild (`hello`), then the changes. Messages come whole and
 * name their channel; those for one member only come with the interaction that they answer.
 */
export function streamEvents(stage: Stage, { guildId, withTraffic }: EventsOptions): Readable {
  const { world, recorder } = stage
  const guild = guildId === null ? world.guilds.values().next().value : world.guilds.get(guildId)
  const stream = new Readable({ read: () => undefined })
  const send = (body: object) => {
    if (stream.readableLength > UNREAD_BYTES) stream.destroy()
    else stream.push(`data: ${JSON.stringify(body)}\n\n`)
  }
  send({ type: 'hello', ...describe(stage, guild) })

  const ping = setInterval(() => stream.push(': still here\n\n'), PING_MS)
  const unfollow = guild ? followGuild(stage, guild, send) : () => undefined
  const onApplications = () => send({ type: 'applications', applications: viewApplications(stage, guild) })
  const onRules = () => send({ type: 'network', network: guild && viewNetwork(stage, guild), links: world.links })
  const onRestored = () => {
    // Another guild of the same id has to be followed from the start: the page comes back for it.
    if (guild && world.guilds.get(guild.id) !== guild) stream.destroy()
    else send({ type: 'hello', ...describe(stage, guild) })
  }
  const onEntry = (kept: Kept) => {
    const entry = viewTraffic(kept)
    if (entry) send({ type: 'traffic', entries: [entry] })
  }
  world.notices.on('applications', onApplications).on('presence', onApplications).on('rules', onRules)
  world.notices.on('restored', onRestored)
  if (withTraffic) {
    send({ type: 'traffic', entries: recentTraffic(recorder) })
    recorder.notices.on('entry', onEntry)
  }
  stream.once('close', () => {
    clearInterval(ping)
    unfollow()
    world.notices.off('applications', onApplications).off('presence', onApplications).off('rules', onRules)
    world.notices.off('restored', onRestored)
    recorder.notices.off('entry', onEntry)
  })
  return stream
}

function describe(stage: Stage, guild: Guild | undefined) {
  const { world } = stage
  return {
    guilds: [...world.guilds.values()].map(({ id, name }) => ({ id, name })),
    guild: guild ? viewGuild(world, guild) : null,
    applications: viewApplications(stage, guild),
    interactions: guild ? earlier(stage, guild).map(viewAnswers) : [],
    network: guild ? viewNetwork(stage, guild) : null,
    links: world.links,
    suggestions: world.suggestions,
  }
}

/** Recent interactions, for the lines above messages and for those that only one member sees. */
function earlier({ world }: Stage, guild: Guild): Interaction[] {
  return [...world.interactions.values()].filter((one) => one.guild === guild).slice(-FOLLOWED_MAX)
}

function viewApplications({ world, gateway }: Stage, guild: Guild | undefined) {
  const sessions = [...gateway.sessions.values()]
  return [...world.applications.values()]
    .filter(({ id }) => guild?.members.has(id))
    .map(({ id, name }) => ({
      id,
      name,
      online: sessions.some(({ application, carrier }) => application.id === id && carrier !== null),
    }))
}

function viewAnswers(interaction: Interaction) {
  const messages = [...interaction.messages.values()].filter(isEphemeral).map(withoutRaw)
  return { ...viewInteraction(interaction), messages }
}

function withoutRaw(message: APIMessage) {
  const { raw: _, ...view } = viewMessage(message)
  return view
}

type Send = (body: object) => void

function followGuild(stage: Stage, guild: Guild, send: Send): () => void {
  const { world, voice } = stage
  const followed = new Map<Interaction, () => void>()
  let gathering: NodeJS.Timeout | undefined
  const readActivity = createActivityReader(voice, guild, () => performance.now())
  let isFollowing = true
  const tellActivity = async () => {
    const speakers = await readActivity()
    if (speakers && isFollowing) send({ type: 'activity', speakers })
  }
  const timer = setInterval(() => void tellActivity(), ACTIVITY_MS)
  void tellActivity()

  function follow(interaction: Interaction): void {
    const tell = () => send({ type: 'interaction', interaction: viewAnswers(interaction) })
    interaction.notices.on('changed', tell)
    followed.set(interaction, () => interaction.notices.off('changed', tell))
    tell()
    const oldest = followed.keys().next().value
    if (followed.size <= FOLLOWED_MAX || !oldest) return
    followed.get(oldest)?.()
    followed.delete(oldest)
  }

  function gather(): void {
    gathering ??= setTimeout(() => {
      gathering = undefined
      if (world.guilds.has(guild.id)) send({ type: 'guild', guild: viewGuild(world, guild) })
      else send({ type: 'guild-gone' })
    }, GATHER_MS)
  }

  const onHappening = ({ event, guildId }: Happening) => {
    if (guildId === guild.id) tellOf({ event, guildId }, { stage, send, follow, gather })
  }
  for (const interaction of earlier(stage, guild)) follow(interaction)
  world.notices.on('happening', onHappening)
  return () => {
    isFollowing = false
    clearInterval(timer)
    clearTimeout(gathering)
    for (const stop of followed.values()) stop()
    world.notices.off('happening', onHappening)
  }
}

type GuildHappening = Happening & { readonly guildId: string }

interface Telling {
  readonly stage: Stage
  readonly send: Send
  readonly follow: (interaction: Interaction) => void
  readonly gather: () => void
}

function tellOf({ event, guildId }: GuildHappening, { stage: { world }, send, follow, gather }: Telling): void {
  if (SILENT_EVENTS.has(event.t)) return
  if (event.t === Event.InteractionCreate) {
    const interaction = world.interactions.get(event.d.token)
    if (interaction && event.d.type !== InteractionType.ApplicationCommandAutocomplete) follow(interaction)
  } else if (event.t === Event.VoiceStateUpdate) {
    const userId = event.d.user_id
    send({ type: 'voice', userId, state: viewVoice(world, guildId, userId) })
  } else if (event.t === Event.MessageDelete) {
    send({ type: 'message-gone', id: event.d.id, channelId: event.d.channel_id })
  } else if (event.t === Event.TypingStart) {
    send({ type: 'typing', userId: event.d.user_id, channelId: event.d.channel_id })
  } else if (MESSAGE_EVENTS.has(event.t)) {
    const d = event.d as { id?: string; message_id?: string; channel_id: string }
    const message = world.messages.get(d.channel_id)?.get(d.message_id ?? d.id ?? '')
    if (message) send({ type: 'message', message: withoutRaw(message) })
  } else gather()
}
