import type { PageLanguage } from '../../../lib/texts/languages.ts'
import { textsOf } from '../../../lib/texts/texts.ts'

export const REFERENCE = textsOf('reference')
export type ReferenceWords = (typeof REFERENCE)[PageLanguage]
