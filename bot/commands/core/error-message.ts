import { Fault, type FaultReason, type InputReason } from '../../../lib/errors.ts'
import { OWN_SOURCES, SOURCE_FACTS, type SourceFacts } from '../../sources/settings.ts'
import { PermissionRefused } from '../../permissions/member-controls.ts'
import type { Words } from '../common-text.ts'

/** A member may not do this, or not now. The words are theirs already. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** A failure in the words of the member; null for an unexpected one. */
export function explain(failure: unknown, words: Words): string | null {
  const { failed } = words
  if (failure instanceof Refusal) return failure.message
  if (failure instanceof PermissionRefused) return explainRefusal(failure, words)
  if (!(failure instanceof Fault)) return null
  const { reason, source } = failure
  if (reason !== undefined) {
    if (isInput(reason, failed)) return explainInput(reason, failed)
    // Only a link names one source; a search that finds nothing has queried all of them.
    const isLink = reason === 'nothing_found' && source !== undefined
    return of(source, isLink ? failed.notThere : failed.reasons[reason])
  }
  switch (failure.code) {
    case 'validation_error':
    case 'bad_request':
      return failed.invalid
    case 'not_found':
      return failed.notFound
    case 'conflict':
    case 'precondition_failed':
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

function explainRefusal({ reason, channelId, djRoleId }: PermissionRefused, { refused }: Words): string {
  switch (reason) {
    case 'elsewhere':
      return refused.elsewhere({ channel: `<#${channelId}>` })
    case 'deafened':
      return refused.deafened
    case 'requester':
      return refused.notRequester
    case 'dj':
      return djRoleId === null ? refused.notManager : refused.notDj({ role: `<@&${djRoleId}>` })
  }
}

/** Names the source of a failure, where it is a site that members know by name. */
function of(source: string | undefined, words: string): string {
  if (source === undefined || OWN_SOURCES.has(source)) return words
  const facts: Readonly<Record<string, SourceFacts>> = SOURCE_FACTS
  return `${facts[source]?.title ?? source}: ${words}`
}

function isInput(reason: FaultReason, { reasons }: Words['failed']): reason is InputReason {
  return !(reason in reasons)
}

function explainInput(reason: InputReason, { reasons, cannotJoin, invalid }: Words['failed']): string {
  const words: Partial<Record<InputReason, string>> = {
    channel_not_joinable: cannotJoin,
    no_such_target: reasons.no_such_position,
  }
  return words[reason] ?? invalid
}
