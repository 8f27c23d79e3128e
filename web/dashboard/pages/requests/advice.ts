import { isSourceReason, type FaultReason } from '../../../../lib/errors.ts'
import type { LoggedRequest } from '../../../../lib/request-log/request-log.ts'
import type { PageLanguage } from '../../words/language.ts'
import { ADVICE, type Advice } from './advice-words.ts'

/** Explains an error and its remedy, as exactly as its code, reason and status allow. */
export function adviceOf(
  language: PageLanguage,
  shown: Pick<LoggedRequest, 'code' | 'reason' | 'status' | 'limitSpent' | 'operation'>,
): Advice {
  const words = ADVICE[language]
  const { code, reason, status, limitSpent, operation } = shown
  if (limitSpent === 'aggregate') return words.overTotal
  if (status === 404 && operation === null) return words.noRoute
  const known = reason === null ? undefined : (words.reasons[reason] ?? sourceAdvice(words.source, reason))
  return known ?? words.codes[code ?? ''] ?? words.other
}

function sourceAdvice(advice: Advice, reason: string): Advice | undefined {
  return isSourceReason(reason as FaultReason) ? advice : undefined
}
