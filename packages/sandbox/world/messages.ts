import {
  ChannelType,
  EmbedType,
  GatewayDispatchEvents,
  MessageFlags,
  MessageType,
  type APIEmbed,
  type APIMessage,
  type APIMessageTopLevelComponent,
  type APIUser,
  type GatewayMessageCreateDispatchData,
} from 'discord-api-types/v10'
import type { UploadedFile } from '../http/body.ts'
import { attach, filesOf } from './message/attachments.ts'
import { checkDraft, type Draft, type EmbedDraft, type Part } from './message/drafts.ts'
import { mustFind } from './errors.ts'
import { createPoll } from './message/poll-draft.ts'
import { mention, refer } from './message/references.ts'
import { tell, type Guild, type World } from './world.ts'

/** Messages kept per channel; older ones are dropped. */
const KEPT_PER_CHANNEL = 500

/** Notices of Discord's own, which need no text. */
const NOTICES: ReadonlySet<MessageType> = new Set([
  MessageType.ChannelPinnedMessage,
  MessageType.ThreadStarterMessage,
  MessageType.AutoModerationAction,
  MessageType.ChannelFollowAdd,
])

/** Channel of a message. Direct messages have no guild. */
export interface Place {
  readonly channelId: string
  readonly guild: Guild | null
}

export interface Posting {
  readonly author: APIUser
  readonly draft: Draft
  readonly files?: readonly UploadedFile[]
  readonly type?: MessageType
  /** ID of the application whose answer to an interaction it is. */
  readonly applicationId?: string
  /** The webhook that sends it, and the application that made the webhook. */
  readonly webhook?: { readonly id: string; readonly applicationId: string | null }
  /** The id that is kept for it, as the first message of a forum's thread has. */
  readonly id?: string
  readonly interaction?: Pick<APIMessage, 'interaction' | 'interaction_metadata'>
  /** Deferred: an empty message that says the bot is thinking. */
  readonly loading?: boolean
}

/** A message in its channel. Those only one person may see (ephemeral) are made but neither kept there nor told. */
export function postMessage(world: World, place: Place, posting: Posting): APIMessage {
  const { draft, files = [] } = posting
  const isNotice = posting.type !== undefined && NOTICES.has(posting.type)
  if (!posting.loading && !isNotice) checkDraft(draft, files.length)
  const message = compose(world, place, posting)
  if (draft.nonce !== null && draft.nonce !== undefined) message.nonce = draft.nonce
  refer(world, message, place, draft)
  fill(world, place, message, { draft, files })
  if (isEphemeral(message)) return message
  const list = messagesOf(world, place.channelId)
  list.set(message.id, message)
  for (const id of list.keys()) {
    if (list.size <= KEPT_PER_CHANNEL) break
    list.delete(id)
    forgetParts(world, id)
  }
  countIn(place, message)
  announce(world, place, GatewayDispatchEvents.MessageCreate, message)
  return message
}

/** Changes what the draft names and leaves the rest. */
export function editMessage(
  world: World,
  place: Place,
  message: APIMessage,
  change: { draft: Draft; files?: readonly UploadedFile[] },
): APIMessage {
  const files = change.files ?? []
  const wasLoading = ((message.flags ?? 0) & MessageFlags.Loading) !== 0
  const merged = { ...asDraft(message), ...change.draft, flags: change.draft.flags ?? message.flags }
  checkDraft(merged, message.attachments.length + files.length)
  fill(world, place, message, { draft: change.draft, files })
  const flags = (message.flags ?? 0) & ~MessageFlags.Loading
  const may = MessageFlags.SuppressEmbeds | MessageFlags.IsComponentsV2
  message.flags = flags | ((change.draft.flags ?? 0) & may)
  // The first words after "thinking" are not an edit to those who read.
  message.edited_timestamp = wasLoading ? null : new Date(world.now()).toISOString()
  if (!isEphemeral(message)) announce(world, place, GatewayDispatchEvents.MessageUpdate, message)
  return message
}

export function deleteMessage(world: World, place: Place, messageId: string): boolean {
  if (!messagesOf(world, place.channelId).delete(messageId)) return false
  world.pins.get(place.channelId)?.delete(messageId)
  forgetParts(world, messageId)
  const thread = place.guild?.threads.get(place.channelId)
  if (thread) thread.message_count = Math.max(0, (thread.message_count ?? 0) - 1)
  const { guild, channelId } = place
  const d = { id: messageId, channel_id: channelId, ...(guild ? { guild_id: guild.id } : {}) }
  tell(world, guild?.id ?? null, { t: GatewayDispatchEvents.MessageDelete, d }, readerOf(world, place))
  return true
}

/** Several at once, with one event for all that were there. */
export function deleteMessages(world: World, { guild, channelId }: Place, ids: readonly string[]): readonly string[] {
  const list = messagesOf(world, channelId)
  const gone = ids.filter((id) => list.delete(id))
  for (const id of gone) {
    world.pins.get(channelId)?.delete(id)
    forgetParts(world, id)
  }
  const d = { ids: gone, channel_id: channelId, ...(guild ? { guild_id: guild.id } : {}) }
  if (gone.length > 0) tell(world, guild?.id ?? null, { t: GatewayDispatchEvents.MessageDeleteBulk, d })
  return gone
}

/** Tells a change of a message that is no edit. */
export function announceUpdate(world: World, place: Place, message: APIMessage): void {
  announce(world, place, GatewayDispatchEvents.MessageUpdate, message)
}

/** All of a channel that is gone. */
export function forgetMessages(world: World, channelId: string): void {
  for (const id of world.messages.get(channelId)?.keys() ?? []) forgetParts(world, id)
  world.messages.delete(channelId)
  world.pins.delete(channelId)
}

/** Deletes the votes and reactions of a message. */
function forgetParts(world: World, messageId: string): void {
  world.votes.delete(messageId)
  world.reactions.delete(messageId)
}

/** A channel knows its last message; a thread also how many it has. The first message of a thread is not among them. */
function countIn({ guild, channelId }: Place, message: APIMessage): void {
  const thread = guild?.threads.get(channelId)
  const place = thread ?? guild?.channels.get(channelId)
  if (place && 'last_message_id' in place) place.last_message_id = message.id
  if (!thread || message.id === thread.id || message.type === MessageType.ThreadStarterMessage) return
  thread.message_count = (thread.message_count ?? 0) + 1
  thread.total_message_sent = (thread.total_message_sent ?? 0) + 1
}

export function getMessage(world: World, channelId: string, messageId: string): APIMessage {
  return mustFind(world.messages.get(channelId)?.get(messageId), 'unknownMessage')
}

export function messagesOf(world: World, channelId: string): Map<string, APIMessage> {
  const known = world.messages.get(channelId)
  if (known) return known
  const fresh = new Map<string, APIMessage>()
  world.messages.set(channelId, fresh)
  return fresh
}

export const isEphemeral = ({ flags }: APIMessage): boolean => ((flags ?? 0) & MessageFlags.Ephemeral) !== 0

function compose(world: World, { channelId }: Place, posting: Posting): APIMessage {
  const { draft, author, type = MessageType.Default, applicationId, interaction, webhook } = posting
  return {
    id: posting.id ?? world.nextId(),
    channel_id: channelId,
    type,
    author,
    content: '',
    timestamp: new Date(world.now()).toISOString(),
    edited_timestamp: null,
    tts: draft.tts ?? false,
    mention_everyone: false,
    mentions: [],
    mention_roles: [],
    attachments: [],
    embeds: [],
    components: [],
    pinned: false,
    flags: (draft.flags ?? 0) | (posting.loading ? MessageFlags.Loading : (0 as MessageFlags)),
    ...(applicationId === undefined ? {} : { application_id: applicationId, webhook_id: applicationId }),
    ...(webhook ? { webhook_id: webhook.id } : {}),
    ...(webhook?.applicationId ? { application_id: webhook.applicationId } : {}),
    ...interaction,
  }
}

/** Writes a draft's words, embeds, components and files into a message. */
function fill(
  world: World,
  place: Place,
  message: APIMessage,
  { draft, files }: { draft: Draft; files: readonly UploadedFile[] },
): void {
  if (draft.attachments || files.length > 0) {
    // New files without a word of those before take their place.
    const kept = new Set((draft.attachments ?? []).map(({ id }) => String(id)))
    const before = message.attachments.filter(({ id }) => kept.has(id))
    message.attachments = [...before, ...attach(world, place.channelId, files, draft.attachments ?? [])]
  }
  if (draft.content !== undefined) message.content = draft.content ?? ''
  if (draft.embeds !== undefined)
    message.embeds = (draft.embeds ?? []).map((embed) => describeEmbed(embed, filesOf(message)))
  if (draft.components !== undefined) {
    const next = { id: 1 }
    message.components = number((draft.components ?? []) as Part[], next) as APIMessageTopLevelComponent[]
  }
  const stickers = (draft.sticker_ids ?? []).flatMap((id) => place.guild?.stickers.get(id) ?? [])
  if (stickers.length > 0) {
    message.sticker_items = stickers.map(({ id, name, format_type }) => ({ id, name, format_type }))
  }
  if (draft.poll) message.poll = createPoll(draft.poll, world.now())
  mention(world, place, message, draft)
}

/** Required field of each part of an embed: Discord leaves out a part without it. */
const CORES = new Map([
  ['image', 'url'],
  ['thumbnail', 'url'],
  ['footer', 'text'],
  ['author', 'name'],
])

function isShown(key: string, value: unknown): boolean {
  const core = CORES.get(key)
  return core === undefined ? value !== null && value !== undefined : Boolean((value as Part | null)?.[core])
}

function describeEmbed(draft: EmbedDraft, files: ReadonlyMap<string, string>): APIEmbed {
  const given = Object.fromEntries(Object.entries(draft).filter(([key, value]) => isShown(key, value)))
  const embed = { ...given, type: EmbedType.Rich } as APIEmbed
  for (const key of ['image', 'thumbnail'] as const) {
    const picture = embed[key]
    const url = picture && files.get(picture.url.replace(/^attachment:\/\//, ''))
    if (picture && url !== undefined) embed[key] = { ...picture, url, proxy_url: url }
  }
  return embed
}

/** Discord gives every component of a sent message a number. */
function number(parts: readonly Part[], next: { id: number }): Part[] {
  return parts.map((part) => {
    const id = typeof part['id'] === 'number' && part['id'] > 0 ? part['id'] : next.id++
    return {
      ...part,
      id,
      ...(part.components ? { components: number(part.components, next) } : {}),
      ...(part.accessory ? { accessory: number([part.accessory], next)[0] ?? part.accessory } : {}),
    }
  })
}

/** Everything of a message that keeps it from being empty. */
const asDraft = ({ content, embeds, components, poll }: APIMessage): Draft =>
  ({ content, embeds, components: components ?? [], poll }) as unknown as Draft

type Told = GatewayDispatchEvents.MessageCreate | GatewayDispatchEvents.MessageUpdate

/** The bot at the other end of a direct message channel. */
function readerOf(world: World, { guild, channelId }: Place): string | undefined {
  return guild ? undefined : world.dms.get(channelId)?.applicationId
}

function announce(world: World, place: Place, t: Told, message: APIMessage): void {
  const { guild, channelId } = place
  if (!guild) return tell(world, null, { t, d: { ...message, channel_type: ChannelType.DM } }, readerOf(world, place))
  const member = guild.members.get(message.author.id)
  const channel = guild.channels.get(channelId) ?? guild.threads.get(channelId)
  const type = channel?.type as ChannelType.GuildText | ChannelType.GuildVoice | undefined
  const d: GatewayMessageCreateDispatchData = {
    ...message,
    guild_id: guild.id,
    ...(member ? { member } : {}),
    ...(type === undefined ? {} : { channel_type: type }),
  }
  tell(world, guild.id, { t, d })
}
