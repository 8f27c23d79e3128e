import type { Check } from '../suite/check.ts'
import { MESSAGE_CHECKS } from './messages.ts'
import { PLUGIN_CHECKS } from './plugins.ts'
import { AUTH_CHECKS } from './rest/auth.ts'
import { DECODING_CHECKS } from './rest/decoding.ts'
import { ERROR_CHECKS } from './rest/errors.ts'
import { INFO_CHECKS, STATS_CHECKS } from './rest/info.ts'
import { PLAYER_CHECKS } from './rest/players.ts'
import { ROBUSTNESS_CHECKS } from './rest/robustness.ts'
import { ROUTE_PLANNER_CHECKS } from './rest/route-planner.ts'
import { TRACK_CHECKS } from './rest/tracks.ts'
import { UPDATE_CHECKS } from './rest/updates.ts'
import { RESUMING_CHECKS } from './socket/resuming.ts'
import { SESSION_CHECKS } from './socket/sessions.ts'
import { EVENT_CHECKS } from './sound/events.ts'
import { FAILURE_CHECKS } from './sound/failures.ts'
import { FILTER_CHECKS } from './sound/filters.ts'
import { PLAYBACK_CHECKS } from './sound/playback.ts'
import { VOICE_CHECKS } from './sound/voice.ts'
import { VOLUME_CHECKS } from './sound/volume.ts'

/** All checks, in the order of a report. */
export const CHECKS: readonly Check[] = [
  ...INFO_CHECKS,
  ...STATS_CHECKS,
  ...AUTH_CHECKS,
  ...ERROR_CHECKS,
  ...TRACK_CHECKS,
  ...DECODING_CHECKS,
  ...PLAYER_CHECKS,
  ...UPDATE_CHECKS,
  ...ROUTE_PLANNER_CHECKS,
  ...ROBUSTNESS_CHECKS,
  ...SESSION_CHECKS,
  ...RESUMING_CHECKS,
  ...VOICE_CHECKS,
  ...PLAYBACK_CHECKS,
  ...VOLUME_CHECKS,
  ...EVENT_CHECKS,
  ...FAILURE_CHECKS,
  ...FILTER_CHECKS,
  ...PLUGIN_CHECKS,
  ...MESSAGE_CHECKS,
]

/** Selects checks whose id or category a pattern names; one that ends with `*` names all that begin so. */
export function selectChecks(only: readonly string[], checks: readonly Check[] = CHECKS): readonly Check[] {
  if (only.length === 0) return checks
  return checks.filter(({ id }) => only.some((pattern) => isNamed(id, pattern)))
}

function isNamed(id: string, pattern: string): boolean {
  if (pattern.endsWith('*')) return id.startsWith(pattern.slice(0, -1))
  return id === pattern || id.startsWith(`${pattern}.`)
}
