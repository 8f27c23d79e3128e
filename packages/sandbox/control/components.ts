import {
  ComponentType,
  InteractionResponseType as R,
  InteractionType,
  type APIInteractionDataResolved,
  type APIMessage,
} from 'discord-api-types/v10'
import { z } from 'zod'
import { partsOf, type Part } from '../world/message/drafts.ts'
import { interact } from '../world/interactions.ts'
import { addUser, InvocationError } from '../world/invoke.ts'
import { getMessage } from '../world/messages.ts'
import { permissionsOf } from '../world/permissions.ts'
import type { Guild, World } from '../world/world.ts'
import { InteractionBody, INTERACTIONS, placeOf } from './action.ts'
import { outcome } from './outcome.ts'
import { post, channelIn, ControlError, guildOf, type ControlCall, type ControlRoute } from './route.ts'

const SELECTS = [
  ComponentType.StringSelect,
  ComponentType.UserSelect,
  ComponentType.RoleSelect,
  ComponentType.MentionableSelect,
  ComponentType.ChannelSelect,
]

const OnMessage = InteractionBody.extend({ messageId: z.string(), customId: z.string() })

/** A part of a message that can be used now, of a message this member sees. */
function useComponent(call: ControlCall<z.output<typeof OnMessage>>, kinds: readonly ComponentType[]) {
  const { world, body } = call
  const message = findMessage(world, guildOf(call), body)
  const parts = partsOf((message.components ?? []) as Part[])
  const part = parts.find((one) => one.custom_id === body.customId && kinds.includes(one.type))
  if (!part) {
    const there = parts.flatMap((one) => one.custom_id ?? []).join(', ')
    throw new ControlError(404, `The message has no component "${body.customId}". Components: ${there || 'none'}.`)
  }
  if (part['disabled'] === true) throw new ControlError(409, `The component "${body.customId}" is disabled.`)
  const application = world.applications.get(message.author.id)
  if (!application) throw new ControlError(409, "The message isn't from a bot.")
  const doing = placeOf({ ...call, body: { ...body, channelId: message.channel_id } }, application)
  return { doing, message, part }
}

/** Finds a message in a channel, or one that only this member sees. */
function findMessage(world: World, guild: Guild, { messageId, userId }: z.output<typeof OnMessage>): APIMessage {
  const channelId = [...guild.channels.keys()].find((id) => world.messages.get(id)?.has(messageId))
  if (channelId !== undefined) return getMessage(world, channelId, messageId)
  const mine = world.interactions.values().find((one) => one.userId === userId && one.messages.has(messageId))
  const message = mine?.messages.get(messageId)
  if (!message) throw new ControlError(404, `The member sees no message ${messageId}.`)
  return message
}

/** A select menu with what was chosen in it. */
interface Chosen {
  readonly type: ComponentType
  readonly values?: readonly string[]
}

/** Resolves the chosen IDs. Discord leaves the field out unless there is a menu of IDs. */
function resolveAll(guild: Guild, menus: readonly Chosen[]): { readonly resolved?: APIInteractionDataResolved } {
  const ofIds = menus.filter(({ type }) => SELECTS.includes(type) && type !== ComponentType.StringSelect)
  const resolved: APIInteractionDataResolved = {}
  for (const menu of ofIds) resolveValues(guild, menu, resolved)
  return ofIds.length > 0 ? { resolved } : {}
}

function resolveValues(guild: Guild, { type, values = [] }: Chosen, resolved: APIInteractionDataResolved): void {
  for (const id of values) {
    const role = guild.roles.get(id)
    const channel = guild.channels.get(id)
    const isUser = type === ComponentType.UserSelect || (type === ComponentType.MentionableSelect && !role)
    if (isUser) addUser(guild, id, resolved)
    else if (role && type !== ComponentType.ChannelSelect) resolved.roles = { ...resolved.roles, [id]: role }
    else if (channel && type === ComponentType.ChannelSelect) {
      const permissions = String(permissionsOf(guild, guild.ownerId, channel))
      resolved.channels = { ...resolved.channels, [id]: { id, type: channel.type, name: channel.name, permissions } }
    } else throw new InvocationError(`The guild has no ${id}.`)
  }
}

function checkValues({ type, options, min_values, max_values }: Part, values: readonly string[]): void {
  const least = Number(min_values ?? 1)
  const most = Number(max_values ?? 1)
  if (values.length < least || values.length > most) {
    throw new InvocationError(`Send ${least} to ${most} values.`)
  }
  if (type !== ComponentType.StringSelect) return
  const offered = (options as { value: string }[]).map(({ value }) => value)
  const wrong = values.find((value) => !offered.includes(value))
  if (wrong !== undefined) throw new InvocationError(`Unknown value "${wrong}". Use ${offered.join(', ')}.`)
}

/** Members use what is attached to messages, and send forms. */
export const COMPONENT_ROUTES: readonly ControlRoute[] = [
  post(`${INTERACTIONS}/button`, {
    summary: 'Press a button as a member.',
    body: OnMessage,
    handle(call) {
      const { doing, message } = useComponent(call, [ComponentType.Button])
      const data = { custom_id: call.body.customId, component_type: ComponentType.Button }
      return outcome(
        interact(call.world, doing, { type: InteractionType.MessageComponent, data, message }),
        call.body.waitMs,
      )
    },
  }),
  post(`${INTERACTIONS}/select`, {
    summary: 'Choose in a select menu as a member.',
    body: OnMessage.extend({ values: z.array(z.string()).max(25) }),
    handle(call) {
      const { customId, values, waitMs } = call.body
      const { doing, message, part } = useComponent(call, SELECTS)
      checkValues(part, values)
      const resolved = resolveAll(doing.guild, [{ ...part, values }])
      const data = { custom_id: customId, component_type: part.type, values, ...resolved }
      return outcome(interact(call.world, doing, { type: InteractionType.MessageComponent, data, message }), waitMs)
    },
  }),
  post(`${INTERACTIONS}/modal`, {
    summary: 'Submit the modal of an interaction as a member.',
    body: z.object({
      interactionId: z.string(),
      fields: z
        .record(z.string(), z.union([z.string(), z.array(z.string()).max(25)]))
        .describe('text of each field, or the chosen values of a select menu'),
      waitMs: InteractionBody.shape.waitMs,
    }),
    handle({ world, body }) {
      const shown = world.interactions
        .values()
        .find(({ id, answer }) => id === body.interactionId && answer?.type === R.Modal)
      if (!shown) throw new ControlError(404, `Interaction ${body.interactionId} has no modal.`)
      const form = shown.answer?.data as { custom_id: string; components: Part[] }
      const components = fillForm(form.components, body.fields)
      const resolved = resolveAll(shown.guild, partsOf(components as Part[]) as Chosen[])
      const data = { custom_id: form.custom_id, components, ...resolved }
      const doing = { ...shown, channel: channelIn(shown.guild, shown.payload.channel?.id ?? '') }
      const message = 'message' in shown.payload ? shown.payload.message : undefined
      const kind = { type: InteractionType.ModalSubmit as const, data, ...(message ? { message } : {}) }
      return outcome(interact(world, doing, kind), body.waitMs)
    },
  }),
]

type Fields = Readonly<Record<string, string | readonly string[]>>

/** The form's tree with what was written into it; what was left out is empty. */
function fillForm(parts: readonly Part[], fields: Fields): unknown[] {
  return parts.map((part) => {
    const { type, id, custom_id: customId, components, component } = part
    const base = { type, id: typeof id === 'number' ? id : 1 }
    if (components) return { ...base, components: fillForm(components, fields) }
    if (component) return { ...base, component: fillForm([component], fields)[0] }
    if (!customId) return base
    const given = fields[customId]
    const isText = type === ComponentType.TextInput
    return {
      ...base,
      custom_id: customId,
      ...(isText ? { value: String(given ?? '') } : { values: [given ?? []].flat() }),
    }
  })
}
