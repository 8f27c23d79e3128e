import type { PlayerInfo } from '../../../../../bot/player/player-info.ts'
import type { PlayerScope } from '../../../../../bot/player-service.ts'
import type { AuditDetail } from '../../../../../db/people/audit.ts'
import { changesBetween } from '../../../http/changes.ts'
import type { ProjectRequest } from '../../../http/page-request.ts'

/** Looks at a player before an action. @returns a function that returns the changes afterwards, for the audit log. */
export async function watchChanges(
  { context }: ProjectRequest,
  scope: PlayerScope,
  guildId: string,
): Promise<() => Promise<AuditDetail>> {
  const look = async () => {
    const info = await context.music.info(scope, guildId).catch(() => null)
    return info && shownOf(info)
  }
  const before = await look()
  return async () => {
    const after = before && (await look())
    return after ? changesBetween(before, after) : {}
  }
}

/** Settings that an action can change, as short texts; pausing and muting are named by the action. */
function shownOf({ current, volume, loop, crossfadeMs, fadeMs, autoplay, filters, sleep, queue }: PlayerInfo) {
  const { preset, ...others } = filters
  const names = Object.entries(others).filter(([, value]) => value !== null && value !== undefined)
  return {
    title: current?.title ?? null,
    volume,
    loop,
    crossfadeMs,
    fadeMs,
    autoplay,
    filters: preset ?? (names.map(([name]) => name).join(', ') || null),
    sleep: sleep === null ? null : (sleep.endsAt ?? 'track'),
    queue: queue.length,
  }
}
