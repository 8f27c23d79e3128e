import { z } from 'zod'
import { issueMessage } from './issue-message.ts'
import { unknownFieldMessage } from './unknown-fields.ts'

/** A fault of one field of an input. */
interface FieldProblem {
  /** Names joined by dots; empty for the whole input. */
  readonly field: string
  readonly message: string
}

const MAX_UNKNOWN_FIELDS = 20
const MAX_FIELD_NAME_CHARS = 100

/**
 * Returns the message of each issue that its schema does not give itself, for `safeParse`; for unknown fields, a line each.
 */
export function inputMessage(issue: z.core.$ZodRawIssue): string {
  if (issue.code !== 'unrecognized_keys' || !(issue.inst instanceof z.ZodObject)) return issueMessage(issue)
  const known = Object.keys(issue.inst.shape)
  const named = issue.keys.slice(0, MAX_UNKNOWN_FIELDS)
  return named.map((name) => unknownFieldMessage(name, known)).join('\n')
}

/** All that is wrong with an input, in one line; `whole` names the input itself. */
export function describeProblems({ issues }: z.core.$ZodError, whole: string): string {
  const problems = issues.flatMap(problemsOf)
  return problems.map(({ field, message }) => `${field || whole}: ${message}`).join(' ')
}

/** One problem for each field; of unknown fields, `inputMessage` wrote a line for each. */
export function problemsOf(issue: z.core.$ZodIssue): FieldProblem[] {
  const path = issue.path.map(String)
  if (issue.code !== 'unrecognized_keys') return [{ field: path.join('.'), message: issue.message }]
  return issue.message.split('\n').map((message, at) => ({
    field: [...path, (issue.keys[at] ?? '').slice(0, MAX_FIELD_NAME_CHARS)].join('.'),
    message,
  }))
}
