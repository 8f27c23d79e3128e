import type { PageLanguage } from '../../../../lib/texts/languages.ts'
import { entryOf, textsOf } from '../../../../lib/texts/texts.ts'

const AUDIT = textsOf('dashboard-audit')

/** The label of an action; an unknown action stays as it is. */
export function actionLabel(language: PageLanguage, action: string): string {
  return entryOf(AUDIT[language].deeds, action) ?? action
}
