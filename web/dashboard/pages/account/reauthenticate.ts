import { withProblem, type Draft } from '../../http/form.ts'
import type { AccountRequest } from '../../http/page-request.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const ACCOUNT = textsOf('dashboard-account')

/** Null when the password is right; otherwise the problem. Guesses are slowed down as at sign-in. */
export async function proved(
  request: AccountRequest,
  password: string,
  draft: Draft,
  field: string,
): Promise<Draft | null> {
  const { context, account, address, language } = request
  const w = ACCOUNT[language]
  // Nothing that was typed goes back to the page.
  const refuse = (problem: string): Draft => ({ ...withProblem(draft, field, problem), values: {} })
  const waitMs = await context.throttle.attempt(account.name, address)
  if (waitMs > 0) return refuse(w.wait({ count: Math.ceil(waitMs / 1000) }))
  if (!(await context.passwords.verify(password, await context.accounts.password(account.id)))) return refuse(w.wrong)
  await context.throttle.succeeded(account.name, address)
  return null
}
