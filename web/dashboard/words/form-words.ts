import type { z } from 'zod'
import { textsOf } from '../../../lib/texts/texts.ts'
import { issueMessage } from '../../../lib/validation/issue-message.ts'
import type { PageLanguage } from '../../../lib/texts/languages.ts'

const FORMS = textsOf('dashboard-forms')

type Issue = z.core.$ZodRawIssue
type Words = (typeof FORMS)[PageLanguage]

/** For `safeParse`: messages of issues that the schema of a form does not give itself. */
export function formMessage(language: PageLanguage): (issue: Issue) => string {
  return language === 'en' ? issueMessage : (issue) => messageOf(issue, FORMS[language])
}

/** Messages for the errors of text fields and lists of texts, the only fields of forms. */
function messageOf(issue: Issue, w: Words): string {
  if (issue.code === 'invalid_type' && issue.input === undefined) return w.required
  if (issue.code === 'invalid_type' && issue.expected === 'number') return w.number
  if (issue.code === 'invalid_value') return w.choice({ values: issue.values.map(String).join(', ') })
  if (issue.code === 'invalid_format' && issue.format === 'url') return w.url
  if (issue.code === 'too_big') return bounded(issue.origin, Number(issue.maximum), [w.tooLong, w.tooMany, w.tooHigh])
  if (issue.code !== 'too_small') return w.invalid
  if (issue.origin === 'string' && Number(issue.minimum) === 1) return w.required
  return bounded(issue.origin, Number(issue.minimum), [w.tooShort, w.tooFew, w.tooLow])
}

type Count = Words['tooShort']

function bounded(
  origin: string,
  bound: number,
  [text, list, number]: readonly [Count, Count, Words['tooLow']],
): string {
  if (origin === 'string') return text({ count: bound })
  return origin === 'array' ? list({ count: bound }) : number({ bound })
}
