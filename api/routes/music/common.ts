import { z } from 'zod'
import type { BotGroup } from '../../../bot/bot-selection.ts'
import type { PlayerScope, PlayerService } from '../../../bot/player-service.ts'
import { OPERATIONS, type Input, type OperationName, type Output } from '../../../bot/player/operations.ts'
import { PLANS } from '../../../lib/plans.ts'
import type { App, Caller } from '../../http/app-context.ts'
import * as envelopes from '../../http/envelopes.ts'
import { admitChange, admitRead } from '../../limits/long-answers.ts'
import { guardOf } from '../../http/conditions/if-match.ts'
import { Snowflake, wholeNumber } from '../../../lib/validation/inputs.ts'

/** Common properties of music routes. */
export const music = {
  tag: 'Music',
  class: 'player',
  envelope: envelopes.data,
  faults: ['not_found', 'conflict', 'validation_error', 'service_unavailable'],
} as const

/** Selects the player of a guild in which several bots play. */
export const channelQuery = {
  channelId: Snowflake.exactOptional().describe(
    "The player's voice channel. Required if several bots of a pool play in the guild.",
  ),
} as const

/** Common properties of routes on one guild's player. */
export const guild = {
  ...music,
  path: z.object({ guildId: Snowflake.describe("The player's guild.") }),
  query: z.object(channelQuery),
} as const

/**
 * Tracks in the answer of a command that returns the queue: a caller that changes the volume does not need ten
 * thousand.
 */
const ANSWERED_TRACKS = 25
/** More than a queue holds. */
const MOST_ANSWERED = 10_000

/** Common properties of commands that return the queue. */
export const queueCommand = {
  ...guild,
  query: guild.query.extend({
    queue: wholeNumber(0, MOST_ANSWERED)
      .default(ANSWERED_TRACKS)
      .meta({
        description: "Maximum number of tracks in the response's `queue`. `queueLength` counts all.",
        override: { default: ANSWERED_TRACKS },
      }),
  }),
} as const

export const guildExample = { guildId: '81384788765712384' } as const

/** The bots that a key controls. */
export function groupOf({ projectId, botIds, plan }: Caller): BotGroup {
  return { projectId, botIds, playerCeiling: PLANS[plan].players }
}

/** The bot whose player in a guild is meant. @throws {Fault} if none is, or several are. */
export function playerScopeOf(
  caller: Caller,
  { guildId, channelId }: { readonly guildId: string; readonly channelId?: string | undefined },
  { bots }: Pick<PlayerService, 'bots'>,
): PlayerScope {
  return bots.playing(groupOf(caller), guildId, channelId)
}

interface PlayerRequest {
  readonly caller: Caller
  readonly path: { readonly guildId: string }
  readonly query: { readonly channelId?: string }
  readonly body: unknown
  get(name: string): string
}

/** Reads whose answers grow with the queue. */
const ANSWERS_QUEUE: ReadonlySet<OperationName> = new Set(['info', 'queue'])

async function admit(name: OperationName, projectId: string, tracks: number): Promise<void> {
  if (OPERATIONS[name].isChange) await admitChange(projectId, tracks)
  else if (ANSWERS_QUEUE.has(name)) await admitRead(projectId, tracks)
}

/** The handler of a route that is one operation on a player: its input is what the path and the body hold. */
export function perform<Name extends OperationName>(name: Name) {
  const isRead = !OPERATIONS[name].isChange && name !== 'close'
  return async (request: PlayerRequest, { music }: App): Promise<Output<Name>> => {
    const { caller, path, query, body } = request
    const { guildId, ...inPath } = path
    const input = { ...inPath, ...(body as object) } as Input<Name>
    const scope = playerScopeOf(caller, { guildId, ...query }, music)
    await admit(name, caller.projectId, music.queueLength(scope, guildId))
    const guard = isRead ? undefined : guardOf(request.get('If-Match'))
    if (guard) return music.performGuarded({ scope, guildId, guard }, name, input)
    return music.perform(scope, guildId, name, input)
  }
}

/** Operations that answer with the queue. */
type QueueOperation = {
  [Name in OperationName]: Output<Name> extends { readonly queue: readonly unknown[] } ? Name : never
}[OperationName]

/** The same for an operation that answers with the queue, of which it gives the beginning. */
export function performBriefly<Name extends QueueOperation>(name: Name) {
  const run = perform(name)
  return async (
    request: PlayerRequest & { readonly query: { readonly queue: number } },
    app: App,
  ): Promise<Output<Name>> => {
    const { caller, path, body } = request
    const { queue: most, ...query } = request.query
    const get = (name: string) => request.get(name)
    const info = (await run({ caller, path, query, body, get }, app)) as Output<Name> & { queue: readonly unknown[] }
    return { ...info, queue: info.queue.slice(0, most) }
  }
}
