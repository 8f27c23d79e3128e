import { Fault } from '../../../lib/errors.ts'
import type { Words } from '../words/words.ts'

/** A member may not do this, or not now. The words are theirs already. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** A failure in the words of the member; null for one that nobody expected. */
export function explain(failure: unknown, { failed }: Words): string | null {
  if (failure instanceof Refusal) return failure.message
  if (!(failure instanceof Fault)) return null
  if (failure.reason !== undefined) return failed.reasons[failure.reason]
  switch (failure.code) {
    case 'validation_error':
    case 'bad_request':
      return explainField(failure, failed)
    case 'not_found':
      return failed.notFound
    case 'conflict':
      return failed.conflict
    case 'player_limit':
      return failed.playerLimit
    case 'forbidden':
      return failed.forbidden
    case 'rate_limited':
      return failed.rateLimited
    case 'service_unavailable':
    case 'upstream_failed':
    case 'timed_out':
      return failed.unavailable
    case 'invalid_api_key':
    case 'api_key_revoked':
    case 'method_not_allowed':
    case 'internal_error':
      return null
  }
}

function explainField({ details }: Fault, failed: Words['failed']): string {
  const field = details?.[0]?.field
  if (field === 'body.channelId') return failed.cannotJoin
  if (field === 'body.query' || field === 'body.track.encoded') return failed.notPlayable
  return failed.invalid
}
