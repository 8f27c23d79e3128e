import type { z } from 'zod'
import { formMessage } from '../words/form-words.ts'
import type { PageLanguage } from '../../../lib/texts/languages.ts'

/** Values of a form and their problems; given back to the page that shows the form again. */
export interface Draft {
  readonly values: Readonly<Record<string, string>>
  /** Problems by the name of the field; `form` is the whole of it. */
  readonly problems: Readonly<Record<string, string>>
}

export const EMPTY_DRAFT: Draft = { values: {}, problems: {} }

export type Read<T> = { readonly data: T; readonly draft: Draft } | { readonly data: null; readonly draft: Draft }

/**
 * Reads a form by its schema, with messages in the language of the reader.
 * @param lists the fields whose values are lists: each comes as several fields of the same name.
 */
export function readForm<S extends z.ZodType>(
  schema: S,
  { form, language }: { readonly form: URLSearchParams; readonly language: PageLanguage },
  lists: readonly string[] = [],
): Read<z.output<S>> {
  const names = [...new Set(form.keys())].filter((name) => name !== 'csrf')
  const given = names.map((name) => [name, lists.includes(name) ? form.getAll(name) : (form.get(name) ?? '')] as const)
  const values = Object.fromEntries(names.map((name) => [name, form.getAll(name).join('\n')]))
  const parsed = schema.safeParse(Object.fromEntries(given), { error: formMessage(language) })
  if (parsed.success) return { data: parsed.data, draft: { values, problems: {} } }
  const problems = Object.fromEntries(
    parsed.error.issues.toReversed().map(({ path, message }) => [String(path[0] ?? 'form'), message]),
  )
  return { data: null, draft: { values, problems } }
}

/** The same draft with one more problem. */
export function withProblem(draft: Draft, field: string, problem: string): Draft {
  return { ...draft, problems: { ...draft.problems, [field]: problem } }
}
