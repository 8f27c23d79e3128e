import { Refusal } from './reply.ts'
import { Fault, type FaultReason, type InputReason } from '../../../lib/errors.ts'
import { OWN_SOURCES, SOURCE_FACTS, type SourceFacts } from '../../sources/settings.ts'
import { PermissionRefused } from '../../permissions/member-controls.ts'
import type { Words } from '../common-text.ts'

/**
 * A failure in the words of the member; null for an unexpected one.
 * @param lookup the name of the command, if it asks a service for more than music
 */
export function explain(failure: unknown, words: Words, lookup?: string): string | null {
  const { failed } = words
  if (failure instanceof Refusal) return failure.message
  if (failure instanceof PermissionRefused) return explainRefusal(failure, words)
  if (!(failure instanceof Fault)) return null
  const { reason, source } = failure
  if (reason !== undefined) {
    if (isInput(reason, failed)) return explainInput(reason, failed)
    // Only a link names one source; a search that finds nothing has queried all of them.
    const isLink = reason === 'nothing_found' && source !== undefined
    if (reason === 'no_answer' && source === undefined && lookup !== undefined)
      return failed.lookup({ command: lookup })
    return isLink ? of(source, failed.notThere) : explainReason(reason, source, failed)
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
      return lookup === undefined ? failed.unavailable : failed.lookup({ command: lookup })
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

type MemberReason = keyof Words['failed']['reasons']

function explainReason(reason: MemberReason, source: string | undefined, failed: Words['failed']): string {
  const { named, reasons } = failed
  const site = siteOf(source)
  return site !== null && isNamed(reason, named) ? named[reason]({ source: site }) : of(source, reasons[reason])
}

function isNamed(reason: MemberReason, named: Words['failed']['named']): reason is keyof Words['failed']['named'] {
  return reason in named
}

/** Names the source of a failure, where it is a site that members know by name. */
function of(source: string | undefined, words: string): string {
  const site = siteOf(source)
  return site === null ? words : `${site}: ${words}`
}

function siteOf(source: string | undefined): string | null {
  if (source === undefined || OWN_SOURCES.has(source)) return null
  const facts: Readonly<Record<string, SourceFacts>> = SOURCE_FACTS
  return facts[source]?.title ?? source
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
