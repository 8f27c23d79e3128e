import { isSourceReason, type FaultReason } from '../../../../lib/errors.ts'
import type { LoggedRequest } from '../../../../lib/request-log/request-log.ts'
import type { PageLanguage } from '../../../../lib/texts/languages.ts'
import { entryOf, textsOf } from '../../../../lib/texts/texts.ts'

const ADVICE = textsOf('dashboard-advice')

interface Advice {
  readonly meaning: string
  readonly fix: string
}

/** Explains an error and its remedy, as exactly as its code, reason and status allow. */
export function adviceOf(
  language: PageLanguage,
  shown: Pick<LoggedRequest, 'code' | 'reason' | 'status' | 'limitSpent' | 'operation'>,
): Advice {
  const words = ADVICE[language]
  const { code, reason, status, limitSpent, operation } = shown
  if (limitSpent === 'aggregate') return words.overTotal
  if (status === 404 && operation === null) return words.noRoute
  const known = reason === null ? undefined : (entryOf(words.reasons, reason) ?? sourceAdvice(words.source, reason))
  return known ?? entryOf(words.codes, code ?? '') ?? words.other
}

function sourceAdvice(advice: Advice, reason: string): Advice | undefined {
  return isSourceReason(reason as FaultReason) ? advice : undefined
}
