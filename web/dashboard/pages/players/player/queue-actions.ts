import type { PlayerState } from '../../../../../bot/player/player-state.ts'
import type { PlayerScope } from '../../../../../bot/player-service.ts'
import { Fault } from '../../../../../lib/errors.ts'
import type { DashboardContext } from '../../../http/context.ts'
import type { ProjectRequest } from '../../../http/page-request.ts'

/** Actions of pages on tracks of a queue, named by their numbers and independent of their positions. */
export const QUEUE_ACTIONS = ['remove', 'move', 'next', 'skip-to'] as const
type QueueActionName = (typeof QUEUE_ACTIONS)[number]

/** Retries when the queue changes between the read and the operation. */
const MOST_TRIES = 3

interface Chosen {
  readonly scope: PlayerScope
  readonly guildId: string
  readonly action: QueueActionName
  readonly ids: ReadonlySet<number>
  /** From 1. */
  readonly to: number
}

/**
 * The numbers that a form names: of the one row whose button it was, or of all that are selected. The script sends them with
 * the digits 0 to z, so that a form has room for thousands.
 */
export function chosenIds({ form }: ProjectRequest): ReadonlySet<number> {
  const only = form.get('only')
  if (only !== null) return new Set([Number(only)])
  const short = form.get('ids')?.split('.') ?? []
  return new Set([...form.getAll('id').map(Number), ...short.map((id) => Number.parseInt(id, 36))])
}

/**
 * Performs the action on those tracks that are still queued.
 * @throws {Fault} `validation_error` when none is chosen, or none is queued any more.
 */
export async function performOnTracks({ music }: Pick<DashboardContext, 'music'>, chosen: Chosen): Promise<void> {
  const { scope, guildId, ids } = chosen
  if (ids.size === 0) throw new Fault('validation_error', 'Select a track first.', { reason: 'no_such_position' })
  for (let tries = 1; ; tries += 1) {
    const items = await music.queueItems(scope, guildId)
    const positions = items.ids.flatMap((id, at) => (ids.has(id) ? [at + 1] : []))
    if (positions.length === 0) throw gone()
    const moved = new Error('The queue has changed. Try again.')
    // The operation may have to wait for others: by then the same tracks must be at these positions.
    const guard = ({ rotation }: PlayerState) => {
      if (positions.some((position) => rotation.queue[position - 1] !== items.tracks[position - 1])) throw moved
    }
    try {
      return await perform({ scope, guildId, guard }, music, { ...chosen, positions })
    } catch (err) {
      if (err !== moved) throw err
      if (tries === MOST_TRIES) throw new Fault('conflict', 'The queue changes too fast. Try again.')
    }
  }
}

function gone(): Fault {
  return new Fault('validation_error', 'These tracks are no longer in the queue.', { reason: 'no_such_position' })
}

type Guarded = Parameters<DashboardContext['music']['performGuarded']>[0]

async function perform(
  guarded: Guarded,
  music: DashboardContext['music'],
  { action, positions, to }: Chosen & { readonly positions: readonly number[] },
): Promise<void> {
  const all = [...positions]
  const [position = 1] = positions
  if (action === 'remove') await music.performGuarded(guarded, 'removeSeveral', { positions: all })
  else if (action === 'skip-to') await music.performGuarded(guarded, 'skipTo', { position })
  else await music.performGuarded(guarded, 'moveSeveral', { positions: all, to: action === 'next' ? 1 : to })
}
