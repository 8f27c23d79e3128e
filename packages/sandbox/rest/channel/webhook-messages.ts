import { ChannelType, ComponentType, MessageFlags, type APIWebhook } from 'discord-api-types/v10'
import { z } from 'zod'
import { createUser } from '../../world/applications.ts'
import { DiscordError, invalidForm, mustFind } from '../../world/errors.ts'
import { isForum } from '../../world/guild/channels.ts'
import { checkTags, createThread, describeThread, editThread } from '../../world/guild/threads.ts'
import { keepLink } from '../../world/images.ts'
import { Draft, partsOf, type Part } from '../../world/message/drafts.ts'
import { deleteMessage, editMessage, getMessage, postMessage } from '../../world/messages.ts'
import type { Channel, Guild, Thread } from '../../world/world.ts'
import { Id, parseBody, readFlag, readId } from '../form.ts'
import { changeAnswer, removeAnswer, sayAgain, showAnswer } from '../interactions.ts'
import { noContent, ok, param, type Answer, type OpenCall, type Route } from '../route.ts'
import { byToken } from './webhooks.ts'

const Execution = z.object({
  username: z
    .string()
    .min(1)
    .max(80)
    .refine((text) => !/clyde|discord/i.test(text), 'Username cannot contain "clyde" or "discord"')
    .nullish(),
  avatar_url: z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .or(z.literal(''))
    .nullish(),
  thread_name: z.string().min(1).max(100).nullish(),
  applied_tags: z.array(Id).max(5).nullish(),
})
type Execution = z.infer<typeof Execution>

/** Says something in the webhook's channel, in a thread of it, or as a new post of a forum. */
function execute(call: OpenCall): Answer {
  const { guild, webhook } = byToken(call)
  const channel = mustFind(guild.channels.get(webhook.channel_id ?? ''), 'unknownWebhook')
  const { embeds, ...rest } = parseBody(Draft, call.body)
  const execution = parseBody(Execution, call.body)
  const allowed = MessageFlags.SuppressEmbeds | MessageFlags.SuppressNotifications | MessageFlags.IsComponentsV2
  const draft = { ...rest, embeds, flags: (rest.flags ?? 0) & allowed }
  checkComponents(call, webhook, draft)
  const author = { ...createUser(webhook.id, execution.username ?? webhook.name ?? 'Webhook', { bot: true }) }
  const { avatar_url: url } = execution
  const avatar = url ? keepLink(call.world, `avatars/${webhook.id}`, url) : webhook.avatar
  const whose = { ...author, avatar, discriminator: '0000' }
  const hook = { id: webhook.id, applicationId: webhook.application_id }
  const { thread, isNew } = threadFor(call, { guild, webhook, channel, execution })
  const place = { guild, channelId: thread?.id ?? channel.id }
  const id = isNew && thread ? { id: thread.id } : {}
  const message = postMessage(call.world, place, { author: whose, draft, files: call.files, webhook: hook, ...id })
  if (!readFlag(call.query, 'wait')) return noContent
  return ok(isNew && thread ? { ...message, thread: describeThread(guild, thread) } : message)
}

/** Webhooks that no application owns send only what no one can press, and that only where it is asked for. */
function checkComponents(call: OpenCall, { application_id: owner }: APIWebhook, draft: Draft): void {
  if (owner !== null || !draft.components?.length) return
  const isPressed = partsOf(draft.components as Part[]).some(
    ({ type, custom_id }) => custom_id || type === ComponentType.StringSelect,
  )
  if (isPressed || !readFlag(call.query, 'with_components')) delete draft.components
}

interface Target {
  readonly guild: Guild
  readonly webhook: APIWebhook
  readonly channel: Channel
  readonly execution: Execution
}

/** The thread that the message goes to; null for the channel itself. */
function threadFor(
  call: OpenCall,
  { guild, webhook, channel, execution }: Target,
): { thread: Thread | null; isNew: boolean } {
  const threadId = readId(call.query, 'thread_id')
  const { thread_name: name, applied_tags } = execution
  if (threadId !== null && name) throw new DiscordError('webhookThreadTwice')
  if (isForum(channel) && threadId === null && !name) throw new DiscordError('webhookNeedsThread')
  if (name && !isForum(channel)) throw new DiscordError('webhookNoForum')
  if (threadId !== null) {
    const thread = guild.threads.get(threadId)
    if (thread?.parent_id !== channel.id) throw new DiscordError('unknownChannel')
    if (thread.thread_metadata?.locked) throw new DiscordError('threadLocked')
    if (thread.thread_metadata?.archived) editThread(call.world, guild, thread, { change: { archived: false } })
    return { thread, isNew: false }
  }
  if (!name || !isForum(channel)) return { thread: null, isNew: false }
  const tags = applied_tags ?? []
  checkTags(guild, channel, tags, guild.ownerId)
  const facts = {
    name,
    type: ChannelType.PublicThread as const,
    by: { id: webhook.id, reason: null },
    autoArchiveMinutes: channel.default_auto_archive_duration ?? 4320,
    slowmodeSeconds: channel.default_thread_rate_limit_per_user ?? 0,
    invitable: true,
    tags,
  }
  return { thread: createThread(call.world, guild, channel, facts), isNew: true }
}

/** A message that this webhook sent, in its channel or in the thread that the query names. */
function find(call: OpenCall) {
  const { guild, webhook } = byToken(call)
  const threadId = readId(call.query, 'thread_id')
  const messageId = param(call, 'messageId')
  if (messageId === '@original')
    throw invalidForm('message_id', 'NUMBER_TYPE_COERCE', `Value "${messageId}" is not snowflake.`)
  if (threadId !== null && guild.threads.get(threadId)?.parent_id !== webhook.channel_id) {
    throw new DiscordError('unknownChannel')
  }
  const place = { guild, channelId: threadId ?? webhook.channel_id ?? '' }
  const message = getMessage(call.world, place.channelId, messageId)
  if (message.webhook_id !== webhook.id) throw new DiscordError('unknownMessage')
  return { place, message }
}

function edit(call: OpenCall): Answer {
  const { place, message } = find(call)
  const draft = parseBody(Draft, call.body)
  checkComponents(call, byToken(call).webhook, draft)
  return ok(editMessage(call.world, place, message, { draft, files: call.files }))
}

function remove(call: OpenCall): Answer {
  const { place, message } = find(call)
  deleteMessage(call.world, place, message.id)
  return noContent
}

/** The same addresses are for answers to interactions, whose webhook is the application itself. */
function either(ofInteraction: (call: OpenCall) => Answer, ofWebhook: (call: OpenCall) => Answer) {
  return (call: OpenCall): Answer =>
    call.world.applications.has(param(call, 'webhookId')) ? ofInteraction(call) : ofWebhook(call)
}

const WEBHOOK = '/webhooks/{webhookId}/{webhookToken}'
const MESSAGE = `${WEBHOOK}/messages/{messageId}`
const limit = { requests: 5, perMs: 2000 }

export const WEBHOOK_MESSAGE_ROUTES: readonly Route[] = [
  { method: 'POST', path: WEBHOOK, limit, isApart: true, open: either(sayAgain, execute) },
  { method: 'GET', path: MESSAGE, isApart: true, open: either(showAnswer, (call) => ok(find(call).message)) },
  { method: 'PATCH', path: MESSAGE, limit, isApart: true, open: either(changeAnswer, edit) },
  { method: 'DELETE', path: MESSAGE, isApart: true, open: either(removeAnswer, remove) },
]
