import { html, type Markup } from '../../../lib/html.ts'
import type { Fault } from '../../../lib/errors.ts'
import { entryOf, textsOf } from '../../../lib/texts/texts.ts'
import type { PageLanguage } from '../../../lib/texts/languages.ts'

const FAULTS = textsOf('dashboard-faults')

/**
 * The fault in the reader's language. Faults are written in English where they happen; elsewhere their code and reason choose
 * the words, with the English sentence if that says more, such as the name of a source.
 */
export function faultWords(language: PageLanguage, { reason, code, message }: Fault): Markup {
  if (language === 'en') return html`${message}`
  const { reasons, inputs, codes } = FAULTS[language]
  const own = entryOf(reasons, reason ?? '')
  if (own !== undefined) return html`${own}`
  return html`${entryOf(inputs, reason ?? '') ?? codes[code]} <small lang="en">${message}</small>`
}
