import { randomBytes } from 'node:crypto'
import { EventEmitter } from 'node:events'
import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  GatewayDispatchEvents,
  InteractionContextType,
  InteractionResponseType as R,
  InteractionType,
  Locale,
  MessageFlags,
  MessageType,
  type APIApplicationCommandInteraction,
  type APIInteraction,
  type APIMessage,
  type APIMessageInteractionMetadata,
  type APIUser,
  type RESTPostAPIInteractionCallbackWithResponseResult,
} from 'discord-api-types/v10'
import type { UploadedFile } from '../http/body.ts'
import type { Draft } from './message/drafts.ts'
import { DiscordError, invalidForm } from './errors.ts'
import { deleteMessage, editMessage, isEphemeral, postMessage, type Place } from './messages.ts'
import { permissionsOf } from './permissions.ts'
import {
  getMember,
  tell,
  type Application,
  type Channel,
  type Guild,
  type Interaction,
  type InteractionAnswer,
  type World,
} from './world.ts'

const SUBCOMMANDS: ReadonlySet<number> = new Set([
  ApplicationCommandOptionType.Subcommand,
  ApplicationCommandOptionType.SubcommandGroup,
])
/** Lifetime of an interaction token. */
const TOKEN_MS = 15 * 60_000

export interface Doing {
  readonly guild: Guild
  readonly channel: Channel
  readonly application: Application
  readonly userId: string
  /** Locale of the user's app. */
  readonly locale?: Locale
}

type Kind = Pick<APIInteraction, 'type'> & { readonly data: unknown; readonly message?: APIMessage }

/** Tells a bot what someone did. The interaction waits for its answer. */
export function interact(world: World, doing: Doing, kind: Kind): Interaction {
  sweep(world)
  const { guild, channel, application, userId, locale = Locale.EnglishUS } = doing
  const id = world.nextId()
  const member = { ...getMember(guild, userId), permissions: String(permissionsOf(guild, userId, channel)) }
  const shown = { ...channel, permissions: member.permissions }
  const payload = {
    ...kind,
    id,
    application_id: application.id,
    token: `aW50ZXJhY3Rpb24:${randomBytes(48).toString('base64url')}`,
    version: 1,
    guild: { id: guild.id, features: [], locale: Locale.EnglishUS },
    guild_id: guild.id,
    guild_locale: Locale.EnglishUS,
    channel: shown,
    channel_id: channel.id,
    member,
    locale,
    app_permissions: String(permissionsOf(guild, application.id, channel)),
    entitlements: [],
    authorizing_integration_owners: { [ApplicationIntegrationType.GuildInstall]: guild.id },
    context: InteractionContextType.Guild,
    attachment_size_limit: 10 * 1024 * 1024,
  } as APIInteraction
  const interaction: Interaction = {
    id,
    token: payload.token,
    application,
    guild,
    userId,
    payload,
    createdAtMs: world.now(),
    answer: null,
    originalId: null,
    messages: new Map(),
    notices: new EventEmitter(),
  }
  world.interactions.set(interaction.token, interaction)
  tell(world, guild.id, { t: GatewayDispatchEvents.InteractionCreate, d: payload }, application.id)
  return interaction
}

/** The interaction that a URL names, while its token lives. */
export function getInteraction(world: World, applicationId: string, token: string): Interaction {
  const interaction = world.interactions.get(token)
  if (!interaction || interaction.application.id !== applicationId) throw new DiscordError('unknownWebhook')
  if (world.now() - interaction.createdAtMs > TOKEN_MS) throw new DiscordError('invalidWebhookToken')
  return interaction
}

type Callback = RESTPostAPIInteractionCallbackWithResponseResult

export interface Answering {
  readonly id: string
  readonly token: string
  readonly response: InteractionAnswer
  readonly draft: Draft
  readonly files: readonly UploadedFile[]
}

/** A bot's first answer: within three seconds, once. */
export function answerInteraction(world: World, { id, token, response, draft, files }: Answering): Callback {
  const interaction = world.interactions.get(token)
  const isLate = !interaction || world.now() - interaction.createdAtMs > world.rules.interactionMs
  if (!interaction || interaction.id !== id || (isLate && !interaction.answer))
    throw new DiscordError('unknownInteraction')
  if (interaction.answer) throw new DiscordError('alreadyAcknowledged')
  if (!ALLOWED[interaction.payload.type].includes(response.type)) {
    throw invalidForm(
      'type',
      'BASE_TYPE_CHOICES',
      `Value must be one of {${ALLOWED[interaction.payload.type].join(', ')}}.`,
    )
  }
  const message = firstMessage(world, interaction, { type: response.type, draft, files })
  if (message) keep(interaction, message, true)
  interaction.answer = response
  interaction.notices.emit('answered')
  const shown = {
    id,
    type: interaction.payload.type,
    ...(message ? { response_message_id: message.id, response_message_ephemeral: isEphemeral(message) } : {}),
    response_message_loading: response.type === R.DeferredChannelMessageWithSource,
  }
  return message ? { interaction: shown, resource: { type: response.type, message } } : { interaction: shown }
}

const MESSAGE_ANSWERS = [R.ChannelMessageWithSource, R.DeferredChannelMessageWithSource] as const
const COMPONENT_ANSWERS = [...MESSAGE_ANSWERS, R.DeferredMessageUpdate, R.UpdateMessage] as const
const ALLOWED: Readonly<Record<InteractionType, readonly R[]>> = {
  [InteractionType.Ping]: [R.Pong],
  [InteractionType.ApplicationCommand]: [...MESSAGE_ANSWERS, R.Modal],
  [InteractionType.MessageComponent]: [...COMPONENT_ANSWERS, R.Modal],
  [InteractionType.ApplicationCommandAutocomplete]: [R.ApplicationCommandAutocompleteResult],
  [InteractionType.ModalSubmit]: COMPONENT_ANSWERS,
}

interface First {
  readonly type: R
  readonly draft: Draft
  readonly files: readonly UploadedFile[]
}

function firstMessage(world: World, interaction: Interaction, { type, draft, files }: First): APIMessage | null {
  const source = 'message' in interaction.payload ? interaction.payload.message : undefined
  if (type === R.ChannelMessageWithSource) return say(world, interaction, { draft, files, first: true })
  if (type === R.DeferredChannelMessageWithSource) {
    return say(world, interaction, { draft: { flags: draft.flags ?? 0 }, files: [], first: true, loading: true })
  }
  if (type !== R.DeferredMessageUpdate && type !== R.UpdateMessage) return null
  if (!source) throw invalidForm('type', 'BASE_TYPE_CHOICES', 'There is no message to update.')
  const message = world.messages.get(source.channel_id)?.get(source.id) ?? source
  return type === R.UpdateMessage ? editMessage(world, placeOf(interaction), message, { draft, files }) : message
}

interface Saying {
  readonly draft: Draft
  readonly files: readonly UploadedFile[]
  readonly first?: boolean
  readonly loading?: boolean
}

function say(
  world: World,
  interaction: Interaction,
  { draft, files, first = false, loading = false }: Saying,
): APIMessage {
  return postMessage(world, placeOf(interaction), {
    author: interaction.application.user,
    draft,
    files,
    type: first ? typeOf(interaction.payload) : MessageType.Default,
    applicationId: interaction.application.id,
    interaction: describeSource(world, interaction, first),
    loading,
  })
}

function typeOf(payload: APIInteraction): MessageType {
  if (payload.type !== InteractionType.ApplicationCommand) return MessageType.Default
  const isSlash = payload.data.type === ApplicationCommandType.ChatInput
  return isSlash ? MessageType.ChatInputCommand : MessageType.ContextMenuCommand
}

/** A further message. While the bot is still "thinking", it becomes the answer that was waited for. */
export function followUp(
  world: World,
  interaction: Interaction,
  draft: Draft,
  files: readonly UploadedFile[],
): APIMessage {
  if (!interaction.answer) throw new DiscordError('unknownWebhook')
  const original = interaction.originalId === null ? undefined : interaction.messages.get(interaction.originalId)
  if (original && (original.flags ?? 0) & MessageFlags.Loading) {
    editMessage(world, placeOf(interaction), original, { draft, files })
    interaction.notices.emit('changed')
    return original
  }
  const answered = original && !isEphemeral(original) ? { message_id: original.id, fail_if_not_exists: false } : null
  return keep(interaction, say(world, interaction, { draft: { ...draft, message_reference: answered }, files }), false)
}

/** A message of this interaction; `@original` is the first. */
export function messageOf(interaction: Interaction, messageId: string): APIMessage {
  const id = messageId === '@original' ? interaction.originalId : messageId
  const message = id === null ? undefined : interaction.messages.get(id)
  if (!message)
    throw new DiscordError(messageId === '@original' && !interaction.answer ? 'unknownWebhook' : 'unknownMessage')
  return message
}

export function editAnswer(
  world: World,
  interaction: Interaction,
  message: APIMessage,
  change: { draft: Draft; files: readonly UploadedFile[] },
): APIMessage {
  editMessage(world, placeOf(interaction), message, change)
  interaction.notices.emit('changed')
  return message
}

export function deleteAnswer(world: World, interaction: Interaction, message: APIMessage): void {
  interaction.messages.delete(message.id)
  deleteMessage(world, placeOf(interaction), message.id)
  interaction.notices.emit('changed')
}

const placeOf = ({ guild, payload }: Interaction): Place => ({ guild, channelId: payload.channel?.id ?? '' })

function keep(interaction: Interaction, message: APIMessage, isOriginal: boolean): APIMessage {
  interaction.messages.set(message.id, message)
  if (isOriginal) interaction.originalId = message.id
  interaction.notices.emit('changed')
  return message
}

/** Source of a message. The answer to a command also has the older field, which clients before 2024 read. */
function describeSource(
  world: World,
  { id, payload, userId, guild, originalId }: Interaction,
  isFirst: boolean,
): Pick<APIMessage, 'interaction' | 'interaction_metadata'> {
  const user = world.users.get(userId) ?? getMember(guild, userId).user
  const further = isFirst || originalId === null ? {} : { original_response_message_id: originalId }
  const shown = { interaction_metadata: { ...metadata({ id, payload, user }), ...further } }
  if (!isFirst || payload.type !== InteractionType.ApplicationCommand) return shown
  return { ...shown, interaction: { id, type: payload.type, name: nameOf(payload.data), user } }
}

/** A command's name with those of its subcommands: `queue move`. */
function nameOf({ name, ...rest }: APIApplicationCommandInteraction['data']): string {
  const names = [name]
  let options = 'options' in rest ? rest.options : undefined
  for (let next = options?.[0]; next; next = options?.[0]) {
    if (!SUBCOMMANDS.has(next.type)) break
    names.push(next.name)
    options = 'options' in next ? next.options : undefined
  }
  return names.join(' ')
}

interface Source extends Pick<Interaction, 'id' | 'payload'> {
  readonly user: APIUser
}

function metadata({ id, payload, user }: Source): APIMessageInteractionMetadata {
  const base = { id, user, authorizing_integration_owners: payload.authorizing_integration_owners }
  if (payload.type === InteractionType.MessageComponent) {
    return { ...base, type: payload.type, interacted_message_id: payload.message.id }
  }
  if (payload.type === InteractionType.ModalSubmit) {
    const triggering = { ...base, type: InteractionType.ApplicationCommand as const }
    return { ...base, type: payload.type, triggering_interaction_metadata: triggering }
  }
  return { ...base, type: InteractionType.ApplicationCommand }
}

/** Forgets what can no longer be answered. */
function sweep({ interactions, now }: World): void {
  for (const [token, { createdAtMs }] of interactions) {
    if (now() - createdAtMs > 2 * TOKEN_MS) interactions.delete(token)
  }
}
