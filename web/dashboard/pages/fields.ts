import { z } from 'zod'
import type { PageLanguage } from '../words/language.ts'
import { textsOf } from '../../../lib/texts/texts.ts'

const COMMON = textsOf('dashboard-common')

/** A name that a person gives to something: what `checkedName` takes, in the words of the reader. */
export function nameField(language: PageLanguage): z.ZodString {
  const { missing, badName } = COMMON[language]
  return z
    .string()
    .trim()
    .min(1, missing)
    .max(100, badName)
    .regex(/^\P{Cc}*$/u, badName)
}
