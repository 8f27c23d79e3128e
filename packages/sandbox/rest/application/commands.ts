import { z } from 'zod'
import {
  CommandDraft,
  commandsOf,
  deleteCommand,
  editCommand,
  getCommand,
  putCommand,
  setCommands,
} from '../../world/commands.ts'
import { DiscordError } from '../../world/errors.ts'
import { parseBody } from '../form.ts'
import { ownApplication } from './own-application.ts'
import { created, guildOf, noContent, ok, param, type Call, type Route } from '../route.ts'

const Drafts = z.array(CommandDraft).max(110)
const Change = CommandDraft.partial()

/** The same seven routes for the global commands and for those of a guild. */
function commandRoutes(base: string, guildIdOf: (call: Call) => string | null): Route[] {
  const one = `${base}/{commandId}`
  const find = (call: Call) => getCommand(ownApplication(call), guildIdOf(call), param(call, 'commandId'))
  return [
    { method: 'GET', path: base, handle: (call) => ok(commandsOf(ownApplication(call), guildIdOf(call))) },
    {
      method: 'POST',
      path: base,
      handle(call) {
        const draft = parseBody(CommandDraft, call.body)
        const { command, isNew } = putCommand(call.world, ownApplication(call), guildIdOf(call), draft)
        return isNew ? created(command) : ok(command)
      },
    },
    {
      method: 'PUT',
      path: base,
      handle: (call) =>
        ok(setCommands(call.world, ownApplication(call), guildIdOf(call), parseBody(Drafts, call.body))),
    },
    { method: 'GET', path: one, handle: (call) => ok(find(call)) },
    {
      method: 'PATCH',
      path: one,
      handle: (call) => ok(editCommand(call.world, ownApplication(call), find(call), given(call.body))),
    },
    {
      method: 'DELETE',
      path: one,
      handle(call) {
        deleteCommand(call.world, ownApplication(call), find(call))
        return noContent
      },
    },
  ]
}

/** Only what was sent: the schema would fill in defaults over what the command already has. */
function given(body: unknown): Partial<CommandDraft> {
  const parsed = parseBody(Change, body)
  return Object.fromEntries(Object.entries(parsed).filter(([key]) => key in (body as object)))
}

/** People set command permissions in Discord, or with a token of theirs; here none are set. */
const PERMISSIONS: readonly Route[] = [
  {
    method: 'GET',
    path: '/applications/{applicationId}/guilds/{guildId}/commands/permissions',
    handle(call) {
      ownApplication(call)
      guildOf(call)
      return ok([])
    },
  },
  {
    method: 'GET',
    path: '/applications/{applicationId}/guilds/{guildId}/commands/{commandId}/permissions',
    handle(call) {
      getCommand(ownApplication(call), null, param(call, 'commandId'))
      throw new DiscordError('unknownCommandPermissions')
    },
  },
  {
    method: 'PUT',
    path: '/applications/{applicationId}/guilds/{guildId}/commands/{commandId}/permissions',
    handle(call) {
      ownApplication(call)
      throw new DiscordError('notForBots')
    },
  },
]

export const COMMAND_ROUTES: readonly Route[] = [
  ...commandRoutes('/applications/{applicationId}/commands', () => null),
  ...commandRoutes('/applications/{applicationId}/guilds/{guildId}/commands', (call) => guildOf(call).id),
  ...PERMISSIONS,
]
