import { z } from 'zod'
import { readForm, withProblem } from '../../http/form.ts'
import { form, page, redirect, type Outcome, type Route } from '../../http/route.ts'
import { record, type AccountVisit } from '../../http/page-request.ts'
import { isGuessable, newPassword } from '../auth/password.ts'
import { ENTRY } from '../auth/words.ts'
import { nameField } from '../fields.ts'
import { proved } from './reauthenticate.ts'
import { recoveryPage, renewCodes } from './recovery.ts'
import { accountPage } from './show.ts'
import { confirmTotp, startTotp } from './totp.ts'
import { ACCOUNT } from './words.ts'

const PATH = '/dashboard/account'

export const ACCOUNT_PAGES: readonly Route[] = [
  page('account', PATH, (visit) => accountPage(visit)),
  form('account', `${PATH}/name`, rename),
  form('account', `${PATH}/password`, changePassword),
  page('account', `${PATH}/totp`, startTotp),
  form('account', `${PATH}/totp`, confirmTotp),
  form('account', `${PATH}/totp/off`, endTotp),
  page('account', `${PATH}/recovery`, (visit) => recoveryPage(visit)),
  form('account', `${PATH}/recovery`, renewCodes),
  form('account', `${PATH}/discord/off`, endDiscord),
  form('account', `${PATH}/sessions/end-others`, (visit) => {
    visit.desk.sessions.endOthers(visit.account.id, visit.session.id)
    record(visit, 'sessions.ended', visit.account.name)
    return redirect(`${PATH}?done=others`)
  }),
  form('account', `${PATH}/sessions/:sessionId/end`, (visit) => {
    const { desk, account, params } = visit
    if (desk.sessions.end(account.id, params['sessionId'] ?? '')) record(visit, 'session.ended', account.name)
    return redirect(`${PATH}?done=ended`)
  }),
]

function rename(visit: AccountVisit): Outcome {
  const { desk, account, language } = visit
  const { data, draft } = readForm(z.object({ name: nameField(language) }), visit.form)
  if (!data) return accountPage(visit, { form: 'name', draft })
  const other = desk.accounts.findByName(data.name)
  if (other && other.id !== account.id) {
    return accountPage(visit, { form: 'name', draft: withProblem(draft, 'name', ACCOUNT[language].taken) })
  }
  desk.accounts.change(account.id, { name: data.name })
  record(visit, 'account.renamed', data.name, { before: account.name })
  return redirect(`${PATH}?done=saved`)
}

async function changePassword(visit: AccountVisit): Promise<Outcome> {
  const { desk, account, session, language } = visit
  const words = ENTRY[language]
  const schema = z.object({ current: z.string().max(200).default(''), fresh: newPassword(words) })
  const { data, draft } = readForm(schema, visit.form)
  if (!data) return accountPage(visit, { form: 'password', draft })
  if (isGuessable(data.fresh, account.name)) {
    return accountPage(visit, { form: 'password', draft: withProblem(draft, 'fresh', words.weak) })
  }
  if (account.hasPassword) {
    const wrong = await proved(visit, data.current, draft, 'current')
    if (wrong) return accountPage(visit, { form: 'password', draft: wrong })
  }
  desk.accounts.change(account.id, { password: await desk.passwords.hash(data.fresh) })
  desk.sessions.endOthers(account.id, session.id)
  record(visit, 'password.changed', account.name)
  return redirect(`${PATH}?done=password`)
}

async function endTotp(visit: AccountVisit): Promise<Outcome> {
  const { desk, account } = visit
  const { data, draft } = readForm(z.object({ password: z.string().max(200) }), visit.form)
  const wrong = await proved(visit, data?.password ?? '', draft, 'password')
  if (wrong) return accountPage(visit, { form: 'totp', draft: wrong })
  desk.accounts.setTotp(account.id, null)
  record(visit, 'totp.off', account.name)
  return redirect(`${PATH}?done=totp-off`)
}

function endDiscord(visit: AccountVisit): Outcome {
  const { desk, account } = visit
  // Without a password there would be no way back in.
  if (!account.hasPassword) return redirect(PATH)
  desk.accounts.change(account.id, { discordId: null })
  record(visit, 'discord.disconnected', account.name)
  return redirect(`${PATH}?done=discord-off`)
}
