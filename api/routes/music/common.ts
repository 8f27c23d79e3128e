import { z } from 'zod'
import type { PlayerScope } from '../../../bot/player-service.ts'
import type { Input, OperationName, Output } from '../../../bot/player/operations.ts'
import { PLANS } from '../../../lib/plans.ts'
import type { App, BotCaller } from '../../http/app-context.ts'
import * as envelopes from '../../http/envelopes.ts'
import { Snowflake } from '../../schemas/common.ts'

/** What every music route has. */
export const music = {
  tag: 'Music',
  class: 'player',
  envelope: envelopes.data,
  faults: ['not_found', 'conflict', 'validation_error', 'service_unavailable'],
} as const

/** What every route on one guild's player has. */
export const guild = {
  ...music,
  path: z.object({ guildId: Snowflake.meta({ description: 'The guild whose player is meant.' }) }),
} as const

export const guildExample = { guildId: '81384788765712384' } as const

export function playerScopeOf({ projectId, botId, plan }: BotCaller): PlayerScope {
  return { projectId, botId, playerCeiling: PLANS[plan].players }
}

/** The handler of a route that is one operation on a player: its input is what the path and the body hold. */
export function perform<Name extends OperationName>(name: Name) {
  return (
    { caller, path, body }: { caller: BotCaller; path: { guildId: string }; body: unknown },
    { music }: App,
  ): Promise<Output<Name>> => {
    const { guildId, ...inPath } = path
    return music.perform(playerScopeOf(caller), guildId, name, { ...inPath, ...(body as object) } as Input<Name>)
  }
}
