import { z } from 'zod'
import type { PlayerScope } from '../../../bot/music.ts'
import { PLANS } from '../../../lib/plans.ts'
import type { BotCaller } from '../../http/app-context.ts'
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

export function conductor({ projectId, botId, plan }: BotCaller): PlayerScope {
  return { projectId, botId, playerCeiling: PLANS[plan].players }
}
