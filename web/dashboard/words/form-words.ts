import type { z } from 'zod'
import { issueMessage } from '../../../lib/validation/issue-message.ts'
import type { PageLanguage } from './language.ts'

type Issue = z.core.$ZodRawIssue

const GERMAN = {
  required: 'Dieses Feld ist erforderlich.',
  choice: (values: string) => `Wähle eines von ${values}.`,
  tooShort: (chars: string) => `Mindestens ${chars} Zeichen.`,
  tooLong: (chars: string) => `Höchstens ${chars} Zeichen.`,
  tooFew: (items: string) => `Wähle mindestens ${items}.`,
  tooMany: (items: string) => `Wähle höchstens ${items}.`,
  tooLow: (bound: string) => `Muss mindestens ${bound} sein.`,
  tooHigh: (bound: string) => `Darf höchstens ${bound} sein.`,
  number: 'Muss eine Zahl sein.',
  url: 'Muss eine URL sein, etwa https://example.com/.',
  invalid: 'Dieser Wert ist ungültig.',
}

/** For `safeParse`: messages of issues that the schema of a form does not give itself. */
export function formMessage(language: PageLanguage): (issue: Issue) => string {
  return language === 'en' ? issueMessage : germanMessage
}

/** German messages for the errors of text fields and lists of texts, the only fields of forms. */
function germanMessage(issue: Issue): string {
  const { required, number, url, invalid } = GERMAN
  if (issue.code === 'invalid_type' && issue.input === undefined) return required
  if (issue.code === 'invalid_type' && issue.expected === 'number') return number
  if (issue.code === 'invalid_value') return GERMAN.choice(issue.values.map(String).join(', '))
  if (issue.code === 'invalid_format' && issue.format === 'url') return url
  if (issue.code === 'too_big')
    return bounded(issue.origin, String(issue.maximum), [GERMAN.tooLong, GERMAN.tooMany, GERMAN.tooHigh])
  if (issue.code !== 'too_small') return invalid
  if (issue.origin === 'string' && Number(issue.minimum) === 1) return required
  return bounded(issue.origin, String(issue.minimum), [GERMAN.tooShort, GERMAN.tooFew, GERMAN.tooLow])
}

type Say = (bound: string) => string

function bounded(origin: string, bound: string, [text, list, number]: readonly [Say, Say, Say]): string {
  if (origin === 'string') return text(bound)
  return origin === 'array' ? list(bound) : number(bound)
}
