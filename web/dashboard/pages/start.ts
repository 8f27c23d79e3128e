import { form, page, redirect, type Outcome, type PageRoute } from '../http/route.ts'
import { safeNext } from '../auth/session.ts'
import { THEMES, type AccountRequest, type PageRequest } from '../http/page-request.ts'
import { isPageLanguage } from '../../../lib/texts/languages.ts'

const YEAR_SECONDS = 365 * 86_400

/** The door, and the switches that every page has. */
export const START: readonly PageRoute[] = [
  page('account', '/dashboard', start),
  form('anyone', '/dashboard/looks', changeLooks),
]

async function start({ context, account }: AccountRequest): Promise<Outcome> {
  const [only, ...others] = await context.memberships.projectsOf(account.id)
  return redirect(only && others.length === 0 ? `/dashboard/projects/${only.id}` : '/dashboard/projects')
}

async function changeLooks(request: PageRequest): Promise<Outcome> {
  const { context, account, form: sent } = request
  const theme = THEMES.find((it) => it === sent.get('theme'))
  const language = sent.get('language')
  if (theme !== undefined) request.setCookie('theme', theme, YEAR_SECONDS)
  if (isPageLanguage(language)) request.setCookie('language', language, YEAR_SECONDS)
  if (account) {
    await context.accounts.change(account.id, {
      ...(theme && { theme }),
      ...(isPageLanguage(language) && { language }),
    })
  }
  return redirect(safeNext(sent.get('from')))
}
