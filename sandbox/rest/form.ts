import type { z } from 'zod'
import { DiscordError, invalidForm, type FormErrors } from '../world/errors.ts'

/** The body as this schema reads it; else Discord's 400 with a tree of what is wrong where. */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body ?? {})
  if (parsed.success) return parsed.data
  const root: FormErrors = {}
  for (const issue of parsed.error.issues) plant(root, issue)
  throw new DiscordError('invalidForm', root)
}

/** The `limit` of a list: a whole number from 1 to `most`, `usual` where it is left out. */
export function readLimit(query: URLSearchParams, { most, usual }: { readonly most: number; readonly usual: number }) {
  const limit = Number(query.get('limit') ?? usual)
  if (Number.isInteger(limit) && limit >= 1 && limit <= most) return limit
  throw invalidForm('limit', 'NUMBER_TYPE_MAX', `int value should be between 1 and ${most}.`)
}

function plant(root: FormErrors, issue: z.core.$ZodIssue): void {
  let node = root
  for (const part of issue.path) {
    const next = node[String(part)]
    const child: FormErrors = next && !Array.isArray(next) ? (next as FormErrors) : {}
    node[String(part)] = child
    node = child
  }
  const before = node['_errors']
  node['_errors'] = [...(Array.isArray(before) ? before : []), { code: codeOf(issue), message: issue.message }]
}

/** Discord's word for it; what it has no word for is simply invalid. */
function codeOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_big' || issue.code === 'too_small') return 'BASE_TYPE_BAD_LENGTH'
  if (issue.code === 'invalid_value') return 'BASE_TYPE_CHOICES'
  if (issue.code !== 'invalid_type') return 'BASE_TYPE_INVALID'
  return issue.input === undefined ? 'BASE_TYPE_REQUIRED' : 'BASE_TYPE_BAD_TYPE'
}
