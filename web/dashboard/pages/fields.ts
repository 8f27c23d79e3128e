import { z } from 'zod'
import { html, type Markup } from '../../../lib/html.ts'
import { field } from '../ui/forms.ts'
import type { PageLanguage } from '../../../lib/texts/languages.ts'
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

/** A moment in ISO 8601, in UTC where it names no zone. */
export function momentOf(text: string | null | undefined): number | undefined {
  const given = text?.trim() ?? ''
  if (!/^\d{4}-\d\d-\d\d(?:T|$)/.test(given)) return undefined
  const hasZone = given.length <= 10 || /(?:Z|[+-]\d\d:?\d\d)$/i.test(given)
  const ms = Date.parse(hasZone ? given : `${given}Z`)
  return Number.isNaN(ms) ? undefined : ms
}

/** A field for a moment, in the zone that it names: UTC, or with script that of the reader. */
export function momentField(name: string, label: string, ms: number | undefined): Markup {
  const value = ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 19)
  const named = html`${label} <small data-zone>UTC</small>`
  return field({ name, label: named, type: 'datetime-local', value, step: 1 })
}
