import { z } from 'zod'
import { html, type Markup } from '../../../api/docs/html.ts'
import type { Account } from '../../../db/people/accounts.ts'
import type { InviteLink } from '../../../db/people/invite-links.ts'
import { EMPTY, readForm, withProblem, type Draft } from '../../http/form.ts'
import { form, page, redirect, type Outcome, type Page, type Route } from '../../http/route.ts'
import { signIn } from '../../auth/session.ts'
import { buttons, field, formTo } from '../../ui/forms.ts'
import { linkButton } from '../../ui/components.ts'
import { record, type PageRequest } from '../../http/page-request.ts'
import { COMMON } from '../../words/common.ts'
import { nameField } from '../fields.ts'
import { isGuessable, newPassword } from './password.ts'
import { ENTRY } from './words.ts'

/** Links that let somebody in: the first account, an invitation, a new password, the owner of the sandbox. */
export const LINKS: readonly Route[] = [
  page('anyone', '/dashboard/enter', (visit) => {
    const token = visit.query.get('token') ?? ''
    const link = visit.desk.links.find(token)
    if (!link) return deadPage(visit)
    return link.kind === 'sandbox' ? enterSandbox(visit, link) : linkPage(visit, link, token, EMPTY)
  }),
  form('anyone', '/dashboard/enter', useLink),
]

/** The link was made on this machine for whoever runs the sandbox, and holds as long as it runs. */
function enterSandbox(visit: PageRequest, link: InviteLink): Outcome {
  const account = link.accountId === null ? null : visit.desk.accounts.find(link.accountId)
  if (!account) return deadPage(visit)
  signIn(visit, account, 'link')
  return redirect('/dashboard')
}

async function useLink(visit: PageRequest): Promise<Outcome> {
  const { desk, form: sent, account } = visit
  const token = sent.get('token') ?? ''
  const link = desk.links.find(token)
  if (!link || link.kind === 'sandbox') return deadPage(visit)
  if (link.kind === 'invitation' && sent.has('join')) {
    return account ? join(visit, link, account) : linkPage(visit, link, token, EMPTY)
  }
  return link.kind === 'reset' ? resetPassword(visit, link, token) : createAccount(visit, link, token)
}

async function createAccount(visit: PageRequest, link: InviteLink, token: string): Promise<Outcome> {
  const { desk, language } = visit
  const w = ENTRY[language]
  const { data, draft } = readForm(z.object({ name: nameField(language), password: newPassword(w) }), visit.form)
  if (!data) return linkPage(visit, link, token, draft)
  if (isGuessable(data.password, data.name)) return linkPage(visit, link, token, withProblem(draft, 'password', w.weak))
  const password = await desk.passwords.hash(data.password)
  if (desk.accounts.findByName(data.name)) return linkPage(visit, link, token, withProblem(draft, 'name', w.taken))
  return enterWith(visit, link, { name: data.name, password })
}

/** Makes the account of somebody who holds the link, and lets them in. Whoever comes second finds it used. */
export function enterWith(
  visit: PageRequest,
  link: InviteLink,
  wish: { readonly name: string; readonly password?: string; readonly discordId?: string },
): Outcome {
  const { desk } = visit
  if (!desk.links.use(link)) return deadPage(visit)
  const isFirst = link.kind === 'first'
  const account = desk.accounts.create({ ...wish, isOperator: isFirst })
  if (isFirst) desk.memberships.adoptOrphans(account.id)
  record({ ...visit, account }, 'account.created', account.name, { by: link.kind })
  signIn(visit, account, wish.discordId === undefined ? 'password' : 'discord')
  return belong(visit, link, account)
}

function join(visit: PageRequest, link: InviteLink, account: Account): Outcome {
  return visit.desk.links.use(link) ? belong(visit, link, account) : deadPage(visit)
}

/** Who is a member already keeps a role that allows more. */
export function belong(visit: PageRequest, link: InviteLink, account: Account): Outcome {
  const { desk } = visit
  const { projectId, role } = link
  if (projectId === null || role === null) return redirect('/dashboard')
  if (desk.memberships.role(projectId, account.id) === null) {
    desk.memberships.set(projectId, account.id, role)
    const project = { ...desk.projects.get(projectId), role }
    record({ ...visit, account, project }, 'member.joined', account.name, { role, invitedBy: link.madeBy })
  }
  return redirect(`/dashboard/projects/${projectId}`)
}

async function resetPassword(visit: PageRequest, link: InviteLink, token: string): Promise<Outcome> {
  const { desk, language } = visit
  const w = ENTRY[language]
  const account = link.accountId === null ? null : desk.accounts.find(link.accountId)
  if (!account) return deadPage(visit)
  const { data, draft } = readForm(z.object({ password: newPassword(w) }), visit.form)
  if (!data) return linkPage(visit, link, token, draft)
  if (isGuessable(data.password, account.name)) {
    return linkPage(visit, link, token, withProblem(draft, 'password', w.weak))
  }
  const password = await desk.passwords.hash(data.password)
  if (!desk.links.use(link)) return deadPage(visit)
  desk.accounts.change(account.id, { password })
  desk.sessions.endOthers(account.id, null)
  record({ ...visit, account }, 'password.reset', account.name)
  return redirect('/dashboard/sign-in?done=password')
}

function linkPage(visit: PageRequest, link: InviteLink, token: string, draft: Draft): Page {
  const w = ENTRY[visit.language]
  const [title, lead] = linkWords(visit, link)
  const hidden = html`<input type="hidden" name="token" value="${token}" />`
  const isMember = link.kind === 'invitation' && visit.account
  const content = isMember
    ? formTo(visit, '/dashboard/enter', [
        hidden,
        html`<input type="hidden" name="join" value="yes" />`,
        buttons(w.joinAs(visit.account.name)),
      ])
    : html`${formTo(visit, '/dashboard/enter', [hidden, ...accountFields(visit, link, draft)], { draft })}
      ${link.kind !== 'reset' && otherWays(visit, link, token)}`
  return {
    kind: 'page',
    title,
    isBare: true,
    status: Object.keys(draft.problems).length > 0 ? 422 : 200,
    body: html`<div class="entry">
      <h1>${title}</h1>
      <p class="lead">${lead}</p>
      ${content}
    </div>`,
  }
}

function linkWords({ desk, language }: PageRequest, link: InviteLink): readonly [title: string, lead: string] {
  const w = ENTRY[language]
  if (link.kind === 'first') return [w.firstTitle, w.firstLead]
  if (link.kind === 'reset') {
    const account = link.accountId === null ? null : desk.accounts.find(link.accountId)
    return [w.resetTitle, w.resetLead(account?.name ?? '')]
  }
  const project = link.projectId === null ? null : desk.projects.find(link.projectId)
  return [w.joinTitle(project?.name ?? ''), w.joinLead(link.madeBy, COMMON[language].roles[link.role ?? 'viewer'])]
}

function accountFields({ language }: PageRequest, link: InviteLink, draft: Draft): readonly (Markup | false)[] {
  const w = ENTRY[language]
  const isNew = link.kind !== 'reset'
  const common = { draft, isRequired: true } as const
  return [
    isNew &&
      field({ ...common, name: 'name', label: w.name, autocomplete: 'username', maxLength: 100, hasFocus: true }),
    field({
      ...common,
      name: 'password',
      label: w.newPassword,
      type: 'password',
      hint: w.passwordHint,
      autocomplete: 'new-password',
    }),
    buttons(isNew ? w.create : w.reset),
  ]
}

function otherWays({ desk, language }: PageRequest, link: InviteLink, token: string): Markup | false {
  const w = ENTRY[language]
  const here = encodeURIComponent(`/dashboard/enter?token=${token}`)
  const ways = [
    desk.discord && linkButton(`/dashboard/discord?token=${token}`, w.createDiscord),
    link.kind === 'invitation' && linkButton(`/dashboard/sign-in?next=${here}`, w.haveAccount),
  ].filter((way) => way !== null && way !== false)
  return (
    ways.length > 0 &&
    html`<p class="divider"><span>${w.or}</span></p>
      <div class="stack">${ways}</div>`
  )
}

export function deadPage({ language }: PageRequest): Page {
  const w = ENTRY[language]
  return {
    kind: 'page',
    title: w.deadTitle,
    isBare: true,
    status: 404,
    body: html`<div class="entry">
      <h1>${w.deadTitle}</h1>
      <p class="lead">${w.deadText}</p>
      ${linkButton('/dashboard', COMMON[language].toStart)}
    </div>`,
  }
}
