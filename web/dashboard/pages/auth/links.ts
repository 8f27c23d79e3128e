import { z } from 'zod'
import { html, type Markup } from '../../../../lib/html.ts'
import type { Account } from '../../../../db/people/accounts.ts'
import type { InviteLink } from '../../../../db/people/invite-links.ts'
import { EMPTY_DRAFT, readForm, withProblem, type Draft } from '../../http/form.ts'
import { form, page, redirect, type Outcome, type HtmlPage, type PageRoute } from '../../http/route.ts'
import { signIn } from '../../auth/session.ts'
import { buttons, field, formTo } from '../../ui/forms.ts'
import { linkButton } from '../../ui/components.ts'
import { record, type PageRequest } from '../../http/page-request.ts'
import { nameField } from '../fields.ts'
import { isGuessable, newPassword } from './password.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const COMMON = textsOf('dashboard-common')
const ENTRY = textsOf('dashboard-auth')

/** Links that grant access: the first account, an invitation, a new password, the owner of the sandbox. */
export const LINKS: readonly PageRoute[] = [
  page('anyone', '/dashboard/enter', async (request) => {
    const token = request.query.get('token') ?? ''
    const link = await request.context.links.find(token)
    if (!link) return deadPage(request)
    return link.kind === 'sandbox' ? enterSandbox(request, link) : linkPage(request, link, token, EMPTY_DRAFT)
  }),
  form('anyone', '/dashboard/enter', useLink),
]

/** The link was made on this machine for the owner of the sandbox, and holds as long as it runs. */
async function enterSandbox(request: PageRequest, link: InviteLink): Promise<Outcome> {
  const account = link.accountId === null ? null : await request.context.accounts.find(link.accountId)
  if (!account) return deadPage(request)
  await signIn(request, account, 'link')
  return redirect('/dashboard')
}

async function useLink(request: PageRequest): Promise<Outcome> {
  const { context, form: sent, account } = request
  const token = sent.get('token') ?? ''
  const link = await context.links.find(token)
  if (!link || link.kind === 'sandbox') return deadPage(request)
  if (link.kind === 'invitation' && sent.has('join')) {
    return account ? join(request, link, account) : linkPage(request, link, token, EMPTY_DRAFT)
  }
  return link.kind === 'reset' ? resetPassword(request, link, token) : createAccount(request, link, token)
}

async function createAccount(request: PageRequest, link: InviteLink, token: string): Promise<Outcome> {
  const { context, language } = request
  const w = ENTRY[language]
  const { data, draft } = readForm(z.object({ name: nameField(language), password: newPassword(w) }), request)
  if (!data) return linkPage(request, link, token, draft)
  if (isGuessable(data.password, data.name))
    return linkPage(request, link, token, withProblem(draft, 'password', w.weak))
  const password = await context.passwords.hash(data.password)
  const isTaken = (await context.accounts.findByName(data.name)) !== null
  if (isTaken) return linkPage(request, link, token, withProblem(draft, 'name', w.taken))
  return enterWith(request, link, { name: data.name, password })
}

/** Creates the account of the link's holder and signs them in. A second use is refused. */
export async function enterWith(
  request: PageRequest,
  link: InviteLink,
  input: { readonly name: string; readonly password?: string; readonly discordId?: string },
): Promise<Outcome> {
  const { context } = request
  const isFirst = link.kind === 'first'
  const account = await context.links.redeem(link, async () => {
    const created = await context.accounts.create({ ...input, isOperator: isFirst })
    if (isFirst) await context.memberships.adoptOrphans(created.id)
    await record({ ...request, account: created }, 'account.created', created.name, { by: link.kind })
    await addMember(request, link, created)
    return created
  })
  if (!account) return deadPage(request)
  await signIn(request, account, input.discordId === undefined ? 'password' : 'discord')
  return toProject(link)
}

async function join(request: PageRequest, link: InviteLink, account: Account): Promise<Outcome> {
  return (await joinWith(request, link, account)) ? toProject(link) : deadPage(request)
}

/** Makes an account a member by the secret of a valid invitation. */
export async function joinByToken(request: PageRequest, token: string | null, account: Account): Promise<void> {
  const link = token === null ? null : await request.context.links.find(token)
  if (link?.kind === 'invitation') await joinWith(request, link, account)
}

/** Makes an account a member by an invitation, which that ends. @returns false when it was used already. */
async function joinWith(request: PageRequest, link: InviteLink, account: Account): Promise<boolean> {
  const joined = await request.context.links.redeem(link, async () => {
    await addMember(request, link, account)
    return true
  })
  return joined === true
}

function toProject({ projectId }: InviteLink): Outcome {
  return redirect(projectId === null ? '/dashboard' : `/dashboard/projects/${projectId}`)
}

/** Adds the account to the project. Members keep a role that allows more. */
async function addMember(request: PageRequest, link: InviteLink, account: Account): Promise<void> {
  const { context } = request
  const { projectId, role } = link
  if (projectId === null || role === null) return
  if ((await context.memberships.role(projectId, account.id)) !== null) return
  await context.memberships.set(projectId, account.id, role)
  const project = { ...(await context.projects.get(projectId)), role }
  await record({ ...request, account, project }, 'member.joined', account.name, { role, invitedBy: link.madeBy })
}

async function resetPassword(request: PageRequest, link: InviteLink, token: string): Promise<Outcome> {
  const { context, language } = request
  const w = ENTRY[language]
  const account = link.accountId === null ? null : await context.accounts.find(link.accountId)
  if (!account) return deadPage(request)
  const { data, draft } = readForm(z.object({ password: newPassword(w) }), request)
  if (!data) return linkPage(request, link, token, draft)
  if (isGuessable(data.password, account.name)) {
    return linkPage(request, link, token, withProblem(draft, 'password', w.weak))
  }
  const password = await context.passwords.hash(data.password)
  const isReset = await context.links.redeem(link, async () => {
    await context.accounts.change(account.id, { password })
    await context.sessions.endOthers(account.id, null)
    await record({ ...request, account }, 'password.reset', account.name)
    return true
  })
  if (!isReset) return deadPage(request)
  return redirect('/dashboard/sign-in?done=password')
}

async function linkPage(request: PageRequest, link: InviteLink, token: string, draft: Draft): Promise<HtmlPage> {
  const w = ENTRY[request.language]
  const [title, lead] = await linkWords(request, link)
  const hidden = html`<input type="hidden" name="token" value="${token}" />`
  const isMember = link.kind === 'invitation' && request.account
  const content = isMember
    ? formTo(request, '/dashboard/enter', [
        hidden,
        html`<input type="hidden" name="join" value="yes" />`,
        buttons(w.joinAs({ name: request.account.name })),
      ])
    : html`${formTo(request, '/dashboard/enter', [hidden, ...accountFields(request, link, draft)], { draft })}
      ${link.kind !== 'reset' && otherWays(request, link, token)}`
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

async function linkWords(
  { context, language }: PageRequest,
  link: InviteLink,
): Promise<readonly [title: string, lead: string]> {
  const w = ENTRY[language]
  if (link.kind === 'first') return [w.firstTitle, w.firstLead]
  if (link.kind === 'reset') {
    const account = link.accountId === null ? null : await context.accounts.find(link.accountId)
    return [w.resetTitle, w.resetLead({ name: account?.name ?? '' })]
  }
  const project = link.projectId === null ? null : await context.projects.find(link.projectId)
  return [
    w.joinTitle({ project: project?.name ?? '' }),
    w.joinLead({ who: link.madeBy, role: COMMON[language].roles[link.role ?? 'viewer'] }),
  ]
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

function otherWays({ context, language }: PageRequest, link: InviteLink, token: string): Markup | false {
  const w = ENTRY[language]
  const here = encodeURIComponent(`/dashboard/enter?token=${token}`)
  const ways = [
    context.discord && linkButton(`/dashboard/discord?token=${token}`, w.createDiscord),
    link.kind === 'invitation' && linkButton(`/dashboard/sign-in?next=${here}`, w.haveAccount),
  ].filter((way) => way !== null && way !== false)
  return (
    ways.length > 0 &&
    html`<p class="divider"><span>${w.or}</span></p>
      <div class="stack">${ways}</div>`
  )
}

function deadPage({ language }: PageRequest): HtmlPage {
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
