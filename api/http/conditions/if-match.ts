import type { PlayerState } from '../../../bot/player/player-state.ts'
import { queueVersionOf } from '../../../bot/player/queue/queue-version.ts'
import { HttpRefusal } from '../errors.ts'
import type { Route } from '../route.ts'

const CHANGED = 'The queue changed since you read it. Read it again, then retry.'

/** Whether a route changes a player, and so takes `If-Match`. */
export function takesIfMatch({ class: routeClass, method }: Pick<Route, 'class' | 'method'>): boolean {
  return routeClass === 'player' && method !== 'GET'
}

/**
 * Returns a check that refuses to change a player whose queue is no longer the one that `If-Match` names (RFC 9110);
 * undefined without that header. The player calls it within the operation, so no other change comes between.
 */
export function guardOf(ifMatch: string): ((state: PlayerState | null) => void) | undefined {
  if (ifMatch === '') return undefined
  const versions = new Set(ifMatch.split(',').map(versionOf))
  return (state) => {
    const version = state && queueVersionOf(state)
    if (version !== null && (versions.has('*') || versions.has(version))) return
    const headers = version === null ? {} : { ETag: `"${version}"` }
    throw new HttpRefusal(412, CHANGED, { code: 'precondition_failed', headers })
  }
}

/**
 * The version that a tag names. Proxies that compress answers make tags weak, and that of a whole player has more behind a dot:
 * both name the same queue.
 */
function versionOf(tag: string): string {
  const [quoted = ''] = tag.trim().replace(/^W\//, '').split('.', 1)
  return quoted.replaceAll('"', '')
}
