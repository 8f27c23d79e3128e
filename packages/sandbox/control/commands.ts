import {
  ApplicationCommandType,
  InteractionType,
  type APIInteractionDataResolved,
  type APIMessage,
} from 'discord-api-types/v10'
import { z } from 'zod'
import { interact, type Doing } from '../world/interactions.ts'
import { keepFile } from '../world/message/attachments.ts'
import { addUser, fillIn, findCommand, type Asked, type GivenFile } from '../world/invoke.ts'
import { permissionsOf } from '../world/permissions.ts'
import { botOf, InteractionBody, INTERACTIONS, placeOf, SentFile } from './action.ts'
import { outcome } from './outcome.ts'
import { get, post, guildOf, memberOf, type ControlCall, type ControlRoute } from './route.ts'
import { viewCommand } from './views.ts'

const OPTION = z.union([z.string().max(6000), z.number(), z.boolean(), SentFile])

const Command = InteractionBody.extend({
  command: z.string().min(1).describe('name, with a subcommand after a space'),
  options: z.record(z.string(), OPTION).default({}),
})

function ask(call: ControlCall<z.output<typeof Command>>, focused?: string): { asked: Asked; doing: Doing } {
  const { command, options } = call.body
  const application = botOf(call, guildOf(call), command.split(/\s+/)[0] ?? '')
  const doing = placeOf(call, application)
  const attach = (given: GivenFile) => keepFile(call.world, doing.channel.id, given)
  return { doing, asked: { ...doing, attach, command, options, ...(focused === undefined ? {} : { focused }) } }
}

function fill(asked: Asked) {
  const { command, options, resolved } = fillIn(asked)
  const place = command.guild_id === undefined ? {} : { guild_id: command.guild_id }
  return {
    id: command.id,
    name: command.name,
    type: command.type,
    ...(options.length > 0 ? { options } : {}),
    ...(Object.keys(resolved).length > 0 ? { resolved } : {}),
    ...place,
  }
}

/** Members use commands. */
export const COMMAND_ROUTES: readonly ControlRoute[] = [
  get('/guilds/{guildId}/commands', {
    summary:
      'List the registered commands of all bots in the guild: slash commands and menu commands. `?userId=` lists only those that the member sees.',
    handle(call) {
      const guild = guildOf(call)
      const userId = call.query.get('userId')
      const here = [...call.world.applications.values()].filter(({ id }) => guild.members.has(id))
      const all = here.flatMap(({ id, commands }) => [...commands.values()].map((one) => viewCommand(id, one)))
      if (userId === null) return all
      const { member } = memberOf({ world: call.world, params: { guildId: guild.id, userId } })
      const allowed = permissionsOf(guild, member.user.id)
      return all.filter(
        ({ permissions }) => permissions === null || (allowed & BigInt(permissions)) === BigInt(permissions),
      )
    },
  }),
  post(`${INTERACTIONS}/command`, {
    summary: 'Run a slash command as a member. Waits for the response and returns it.',
    body: Command,
    handle(call) {
      const { asked, doing } = ask(call)
      const sent = interact(call.world, doing, { type: InteractionType.ApplicationCommand, data: fill(asked) })
      return outcome(sent, call.body.waitMs)
    },
  }),
  post(`${INTERACTIONS}/autocomplete`, {
    summary: 'Autocomplete an option (`focused`) as a member. Returns the choices.',
    body: Command.extend({ focused: z.string() }),
    handle(call) {
      const { asked, doing } = ask(call, call.body.focused)
      const data = fill(asked)
      const sent = interact(call.world, doing, { type: InteractionType.ApplicationCommandAutocomplete, data })
      return outcome(sent, call.body.waitMs)
    },
  }),
  post(`${INTERACTIONS}/context-menu`, {
    summary: 'Run a command from the menu of a message or a user.',
    body: InteractionBody.extend({ command: z.string().min(1), targetId: z.string() }),
    handle(call) {
      const { command: called, targetId, waitMs } = call.body
      const doing = placeOf(call, botOf(call, guildOf(call), called))
      const message = call.world.messages.get(doing.channel.id)?.get(targetId)
      const type = message ? ApplicationCommandType.Message : ApplicationCommandType.User
      const command = findCommand(doing, called, type)
      const resolved: APIInteractionDataResolved & { messages?: Record<string, APIMessage> } = {}
      if (message) resolved.messages = { [targetId]: message }
      else addUser(doing.guild, targetId, resolved)
      const data = { id: command.id, name: command.name, type, target_id: targetId, resolved }
      return outcome(interact(call.world, doing, { type: InteractionType.ApplicationCommand, data }), waitMs)
    },
  }),
]
