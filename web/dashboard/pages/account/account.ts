import { z } from 'zod'
import { readForm, withProblem } from '../../http/form.ts'
import { form, page, redirect, type Outcome, type PageRoute } from '../../http/route.ts'
import { record, type AccountRequest } from '../../http/page-request.ts'
import { isGuessable, newPassword } from '../auth/password.ts'
import { nameField } from '../fields.ts'
import { proved } from './reauthenticate.ts'
import { recoveryPage, renewCodes } from './recovery-codes.ts'
import { accountPage } from './show.ts'
import { confirmTotp, startTotp } from './totp.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const ENTRY = textsOf('dashboard-auth')
const ACCOUNT = textsOf('dashboard-account')

const PATH = '/dashboard/account'

export const ACCOUNT_PAGES: readonly PageRoute[] = [
  page('account', PATH, (request) => accountPage(request)),
  form('account', `${PATH}/name`, rename),
  form('account', `${PATH}/password`, changePassword),
  page('account', `${PATH}/totp`, startTotp),
  form('account', `${PATH}/totp`, confirmTotp),
  form('account', `${PATH}/totp/off`, endTotp),
  page('account', `${PATH}/recovery`, (request) => recoveryPage(request)),
  form('account', `${PATH}/recovery`, renewCodes),
  form('account', `${PATH}/discord/off`, endDiscord),
  form('account', `${PATH}/sessions/end-others`, async (request) => {
    await request.context.sessions.endOthers(request.account.id, request.session.id)
    await record(request, 'sessions.ended', request.account.name)
    return redirect(`${PATH}?done=others`)
  }),
  form('account', `${PATH}/sessions/:sessionId/end`, async (request) => {
    const { context, account, params } = request
    const hasEnded = await context.sessions.end(account.id, params['sessionId'] ?? '')
    if (hasEnded) await record(request, 'session.ended', account.name)
    return redirect(`${PATH}?done=ended`)
  }),
]

async function rename(request: AccountRequest): Promise<Outcome> {
  const { context, account, language } = request
  const { data, draft } = readForm(z.object({ name: nameField(language) }), request)
  if (!data) return accountPage(request, { form: 'name', draft })
  const other = await context.accounts.findByName(data.name)
  if (other && other.id !== account.id) {
    return accountPage(request, { form: 'name', draft: withProblem(draft, 'name', ACCOUNT[language].taken) })
  }
  await context.accounts.change(account.id, { name: data.name })
  await record(request, 'account.renamed', data.name, { before: account.name, after: data.name })
  return redirect(`${PATH}?done=saved`)
}

async function changePassword(request: AccountRequest): Promise<Outcome> {
  const { context, account, session, language } = request
  const words = ENTRY[language]
  const schema = z.object({ current: z.string().max(200).default(''), fresh: newPassword(words) })
  const { data, draft } = readForm(schema, request)
  if (!data) return accountPage(request, { form: 'password', draft })
  if (isGuessable(data.fresh, account.name)) {
    return accountPage(request, { form: 'password', draft: withProblem(draft, 'fresh', words.weak) })
  }
  if (account.hasPassword) {
    const wrong = await proved(request, data.current, draft, 'current')
    if (wrong) return accountPage(request, { form: 'password', draft: wrong })
  }
  await context.accounts.change(account.id, { password: await context.passwords.hash(data.fresh) })
  await context.sessions.endOthers(account.id, session.id)
  await record(request, 'password.changed', account.name)
  return redirect(`${PATH}?done=password`)
}

async function endTotp(request: AccountRequest): Promise<Outcome> {
  const { context, account } = request
  const { data, draft } = readForm(z.object({ password: z.string().max(200) }), request)
  const wrong = await proved(request, data?.password ?? '', draft, 'password')
  if (wrong) return accountPage(request, { form: 'totp', draft: wrong })
  await context.accounts.setTotp(account.id, null)
  await record(request, 'totp.off', account.name)
  return redirect(`${PATH}?done=totp-off`)
}

async function endDiscord(request: AccountRequest): Promise<Outcome> {
  const { context, account } = request
  // Without a password there would be no way back in.
  if (!account.hasPassword) return redirect(PATH)
  await context.accounts.change(account.id, { discordId: null })
  await record(request, 'discord.disconnected', account.name)
  return redirect(`${PATH}?done=discord-off`)
}
