import { z } from 'zod'
import { OPERATIONS } from '../../../bot/player/operations.ts'
import { Fault } from '../../../lib/errors.ts'
import { form, redirect, type Page, type Route } from '../../http/route.ts'
import { record, type ProjectRequest } from '../../http/page-request.ts'
import { PLAYER_ACTIONS, type PlayerAction } from './action-table.ts'
import { playerScopeOf } from './search.ts'

/** A form for each action. What a player refuses is said on the page that it was asked from. */
export function actionForms(
  path: string,
  show: (request: ProjectRequest, fault?: Fault) => Promise<Page>,
): readonly Route[] {
  return Object.entries(PLAYER_ACTIONS).map(([name, action]) =>
    form('manager', `${path}/:botId/:guildId/${name}`, async (request) => {
      const { context, params, form: sent, project } = request
      const { botId = '', guildId = '' } = params
      const scope = playerScopeOf(request, botId)
      try {
        const { operation, input } = readAction(action, sent)
        await context.music.perform(scope, guildId, operation, input)
      } catch (thrown) {
        return show(request, refusalOf(thrown))
      }
      record(request, `player.${name}`, guildNameOf(request, botId, guildId))
      return redirect(`/dashboard/projects/${project.id}/players`)
    }),
  )
}

/** @throws {z.ZodError} for a value that no page sends. */
function readAction({ operation, input }: PlayerAction, sent: URLSearchParams) {
  const schema: z.ZodObject = OPERATIONS[operation].input
  const fields = Object.keys(schema.shape).filter((name) => sent.has(name))
  const given = Object.fromEntries(fields.map((name) => [name, readField(schema.shape[name], sent.get(name) ?? '')]))
  return { operation, input: schema.parse(input ?? given) }
}

/** A form's fields are text; numbers are read as such, and nothing as null where that may be. */
function readField(schema: unknown, text: string): unknown {
  if (schema instanceof z.ZodNullable) return text === '' ? null : readField(schema.unwrap(), text)
  const inner = schema instanceof z.ZodExactOptional ? schema.unwrap() : schema
  return inner instanceof z.ZodNumber ? Number(text) : text
}

export function guildNameOf({ context }: ProjectRequest, botId: string, guildId: string): string {
  return context.fleet.guildsOf(botId).find(({ id }) => id === guildId)?.name ?? guildId
}

/** A refusal of the player, or of a value that no page of ours sends. @throws what is neither. */
export function refusalOf(thrown: unknown): Fault {
  if (thrown instanceof z.ZodError) return new Fault('validation_error', 'The value is out of range.')
  if (thrown instanceof Fault && thrown.code !== 'internal_error') return thrown
  throw thrown
}
