import { z } from 'zod'
import type { PlayerScope } from '../../../../bot/player-service.ts'
import { OPERATIONS } from '../../../../bot/player/operations.ts'
import { describeProblems, inputMessage } from '../../../../lib/validation/problems.ts'
import { Fault } from '../../../../lib/errors.ts'
import { hasMoved } from '../../../http/page-at-owner.ts'
import { form, redirect, type Outcome, type PageRoute } from '../../http/route.ts'
import { record, type ProjectRequest } from '../../http/page-request.ts'
import { faultWords } from '../../words/faults.ts'
import { PLAYER_ACTIONS, type PlayerAction } from './action-table.ts'
import { watchChanges } from './player/changes.ts'
import { stateOf } from './player/now.ts'
import { chosenIds, performOnTracks, QUEUE_ACTIONS } from './player/queue-actions.ts'
import { playerScopeOf } from './search.ts'

/** A page that shows why the last action failed. */
type ShowRefusal = (request: ProjectRequest, fault: Fault) => Promise<Outcome>

interface ActionPages {
  /** The list of all players. */
  readonly list: ShowRefusal
  /** The page of one. */
  readonly player: ShowRefusal
}

/** A form for each action. What a player refuses is said on the page that it was asked from. */
export function actionForms(path: string, pages: ActionPages): readonly PageRoute[] {
  const player = `${path}/:botId/:guildId`
  return [
    ...Object.entries(PLAYER_ACTIONS).map(([name, action]) =>
      form('manager', `${player}/${name}`, (request) =>
        act(request, name, pages, async (scope, guildId) => {
          const { operation, input } = readAction(action, request.form)
          await request.context.music.perform(scope, guildId, operation, input)
        }),
      ),
    ),
    ...QUEUE_ACTIONS.map((name) =>
      form('manager', `${player}/${name}`, (request) =>
        act(request, name, pages, async (scope, guildId) => {
          const to = z.coerce
            .number()
            .int()
            .min(1)
            .parse(request.form.get('to') ?? 1)
          const chosen = { scope, guildId, action: name, ids: chosenIds(request), to }
          await performOnTracks(request.context, chosen)
        }),
      ),
    ),
  ]
}

type Work = (scope: PlayerScope, guildId: string) => Promise<void>

async function act(request: ProjectRequest, name: string, pages: ActionPages, work: Work): Promise<Outcome> {
  const { params, form: sent, project } = request
  const { botId = '', guildId = '' } = params
  const scope = await playerScopeOf(request, botId)
  const isFromList = sent.get('back') === 'list'
  const changes = await watchChanges(request, scope, guildId)
  try {
    await work(scope, guildId)
  } catch (thrown) {
    const fault = refusalOf(thrown)
    if (isByScript(request)) return await answer(request, fault)
    return isFromList ? pages.list(request, fault) : pages.player(request, fault)
  }
  await record(request, `player.${name}`, guildNameOf(request, botId, guildId), await changes())
  if (isByScript(request)) return await answer(request, null)
  const list = `/dashboard/projects/${project.id}/players`
  return redirect(isFromList || name === 'close' ? list : `${list}/${botId}/${guildId}`)
}

/** Whether the page's script sent it, which needs the result and not a page. */
export function isByScript({ form: sent }: ProjectRequest): boolean {
  return sent.get('answer') === 'json'
}

/** Returns the result and the current settings: a refused slider goes back. */
async function answer(request: ProjectRequest, fault: Fault | null): Promise<Outcome> {
  const { context, params, language } = request
  const { botId = '', guildId = '' } = params
  const scope = await playerScopeOf(request, botId)
  const info = await context.music.info(scope, guildId).catch(() => null)
  const items = info && (await context.music.queueItems(scope, guildId).catch(() => null))
  const body = {
    refused: fault && faultWords(language, fault).markup,
    ...(info && { state: stateOf(info), positionMs: info.positionMs }),
    ...(items && { version: items.version }),
  }
  return { kind: 'file', contentType: 'application/json', body: JSON.stringify(body) }
}

/** @throws {z.ZodError} for a value that no page sends. */
function readAction({ operation, input, read }: PlayerAction, sent: URLSearchParams) {
  const schema: z.ZodObject = OPERATIONS[operation].input
  if (read) return { operation, input: schema.parse(read(sent)) }
  const fields = Object.keys(schema.shape).filter((name) => sent.has(name))
  const given = Object.fromEntries(fields.map((name) => [name, readField(schema.shape[name], sent.get(name) ?? '')]))
  return { operation, input: schema.parse(input ?? given, { error: inputMessage }) }
}

/** A form's fields are text; numbers are read as such, and nothing as null if that may be. */
function readField(schema: unknown, text: string): unknown {
  if (schema instanceof z.ZodNullable) return text === '' ? null : readField(schema.unwrap(), text)
  const inner = schema instanceof z.ZodExactOptional ? schema.unwrap() : schema
  return inner instanceof z.ZodNumber ? Number(text) : text
}

export function guildNameOf({ context }: ProjectRequest, botId: string, guildId: string): string {
  return context.fleet.guildsOf(botId).find(({ id }) => id === guildId)?.name ?? guildId
}

/** Returns a refusal of the player, or of a value that no page of ours sends. @throws any other error. */
export function refusalOf(thrown: unknown): Fault {
  // Another service does it.
  if (hasMoved(thrown)) throw thrown
  if (thrown instanceof z.ZodError) return new Fault('validation_error', describeProblems(thrown, 'form'))
  if (thrown instanceof Fault && thrown.code !== 'internal_error') return thrown
  throw thrown
}
