import { PLAYER_ACTIONS } from '../players/action-table.ts'
import { isQueueAction, QUEUE_ACTIONS } from '../players/player/queue-actions.ts'
import type { PageLanguage } from '../../words/language.ts'
import { entryOf, textsOf } from '../../../../lib/texts/texts.ts'

const AUDIT = textsOf('dashboard-audit')

/** The label of an action; an unknown action stays as it is. */
export function actionLabel(language: PageLanguage, action: string): string {
  const name = action.replace(/^player\./, '')
  const player = isQueueAction(name) ? QUEUE_ACTIONS[name] : PLAYER_ACTIONS[name]?.done
  return entryOf(AUDIT[language].deeds, action) ?? player?.[language] ?? action
}
