import { PLAYER_ACTIONS } from '../players/action-table.ts'
import { isQueueAction, QUEUE_ACTIONS } from '../players/player/queue-actions.ts'
import type { PageLanguage, PageWords } from '../../words/language.ts'
import { AUDIT_DE } from './words-de.ts'
import { AUDIT_EN, type AuditWords } from './words-en.ts'

export const AUDIT: PageWords<AuditWords> = { en: AUDIT_EN, de: AUDIT_DE }

/** The label of an action; an unknown action stays as it is. */
export function actionLabel(language: PageLanguage, action: string): string {
  const name = action.replace(/^player\./, '')
  const player = isQueueAction(name) ? QUEUE_ACTIONS[name] : PLAYER_ACTIONS[name]?.done
  return AUDIT[language].deeds[action] ?? player?.[language] ?? action
}
