import { z } from 'zod'
import { html, type Markup } from '../../../../lib/html.ts'
import { ROLES, type ProjectMember } from '../../../../db/people/memberships.ts'
import type { InviteLink } from '../../../../db/people/invite-links.ts'
import { Fault } from '../../../../lib/errors.ts'
import { EMPTY_DRAFT, readForm, withProblem, type Draft } from '../../http/form.ts'
import { form, page, redirect, type Outcome, type HtmlPage, type PageRoute } from '../../http/route.ts'
import { formPage, buttons, choices, formTo, inlineForm } from '../../ui/forms.ts'
import { ago, copyable, doneNote, head, linkButton, note } from '../../ui/components.ts'
import { table } from '../../../ui/table.ts'
import { record, type ProjectRequest } from '../../http/page-request.ts'
import { bulkCell, bulkColumn, bulkPages, bulkTable, type BulkList } from '../bulk.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const MEMBERS = textsOf('dashboard-members')

const PATH = '/dashboard/projects/:projectId/members'
const INVITATION_MS = 3 * 86_400_000
const RoleForm = z.object({ role: z.enum(ROLES) })

const BULK: BulkList = {
  path: 'members',
  access: 'owner',
  param: 'accountId',
  words: (language) => ({ remove: MEMBERS[language].bulk.remove }),
  // Leaving is asked about alone.
  rows: async ({ context, project, account }) =>
    (await context.memberships.members(project.id))
      .filter(({ accountId }) => accountId !== account.id)
      .map(({ accountId, name }) => ({ id: accountId, name, can: ['remove'] })),
  actions: { remove },
}

const INVITATION_BULK: BulkList = {
  path: 'members/invitations',
  access: 'owner',
  param: 'linkId',
  words: (language) => ({ withdraw: MEMBERS[language].bulk.withdraw }),
  rows: async (request) =>
    (await request.context.links.invitations(request.project.id)).map((link) => ({
      id: link.id,
      name: invitationName(request, link),
      can: ['withdraw'],
    })),
  actions: { withdraw },
}

export const MEMBER_PAGES: readonly PageRoute[] = [
  page('viewer', PATH, (request) => listPage(request)),
  form('owner', `${PATH}/invite`, invite),
  page('owner', `${PATH}/invited`, invitedPage),
  form('owner', `${PATH}/invitations/:linkId/withdraw`, withdraw),
  page('owner', `${PATH}/:accountId`, (request) => rolePage(request)),
  form('owner', `${PATH}/:accountId`, changeRole),
  page('viewer', `${PATH}/:accountId/remove`, (request) => removePage(request)),
  form('viewer', `${PATH}/:accountId/remove`, remove),
  ...bulkPages(BULK),
  ...bulkPages(INVITATION_BULK),
]

const baseOf = ({ project }: ProjectRequest) => `/dashboard/projects/${project.id}/members`

async function memberOf({ context, project, params }: ProjectRequest): Promise<ProjectMember> {
  const member = (await context.memberships.members(project.id)).find(
    ({ accountId }) => accountId === params['accountId'],
  )
  if (!member) throw new Fault('not_found', 'Member not found.')
  return member
}

async function listPage(request: ProjectRequest): Promise<HtmlPage> {
  const { context, project, language } = request
  const w = MEMBERS[language]
  const isOwner = project.role === 'owner'
  const rows = (await context.memberships.members(project.id)).map((member) => row(request, member))
  return {
    kind: 'page',
    title: w.title,
    body: html`${head(w.title, { lead: w.lead })} ${doneNote(request, w.done)}
    ${bulkTable(
      request,
      BULK,
      table(
        w.title,
        [...bulkColumn(request, BULK), [w.name, 'name'], [w.role, 'label'], [w.since, 'label'], ['', 'actions']],
        rows,
      ),
    )}
    ${isOwner && (await invitations(request))}`,
  }
}

function row(request: ProjectRequest, member: ProjectMember): Markup {
  const { account, project, language } = request
  const w = MEMBERS[language]
  const to = `${baseOf(request)}/${member.accountId}`
  const isSelf = member.accountId === account.id
  const isOwner = project.role === 'owner'
  const small = (address: string, label: string) =>
    html`<a class="button small" href="${address}">${label}<span class="hidden"> ${member.name}</span></a>`
  return html`<tr>
    ${bulkCell(request, BULK, member.accountId, isSelf ? null : member.name)}
    <th scope="row">${member.name} ${isSelf && html`<small>${w.you}</small>`}</th>
    <td>${w.roles[member.role][0]}</td>
    <td>${ago(request, member.sinceMs)}</td>
    <td>
      <div class="row-actions">
        ${isOwner && small(to, w.change)} ${(isOwner || isSelf) && small(`${to}/remove`, isSelf ? w.leave : w.remove)}
      </div>
    </td>
  </tr>`
}

function invitationName({ language }: ProjectRequest, { role, madeBy }: Pick<InviteLink, 'role' | 'madeBy'>): string {
  return `${MEMBERS[language].roles[role ?? 'viewer'][0]} · ${madeBy}`
}

async function invitations(request: ProjectRequest): Promise<Markup> {
  const { context, project, language } = request
  const w = MEMBERS[language]
  const base = baseOf(request)
  const rows = (await context.links.invitations(project.id)).map(
    (link) =>
      html`<tr>
        ${bulkCell(request, INVITATION_BULK, link.id, invitationName(request, link))}
        <th scope="row">${w.roles[link.role ?? 'viewer'][0]}</th>
        <td>${link.madeBy}</td>
        <td>${ago(request, link.expiresAtMs)}</td>
        <td>
          <div class="row-actions">
            ${inlineForm(request, `${base}/invitations/${link.id}/withdraw`, html`<button class="button small">${w.withdraw}</button>`)}
          </div>
        </td>
      </tr>`,
  )
  return html`<section>
      <h2>${w.invite}</h2>
      <p class="lead">${w.inviteLead}</p>
      ${formTo(request, `${base}/invite`, [roleChoices(request, w.inviteAs, 'manager'), buttons(w.inviteButton)])}
    </section>
    ${
      rows.length > 0 &&
      html`<section>
        <h2>${w.waiting}</h2>
        ${bulkTable(request, INVITATION_BULK, table(w.waiting, [['', 'box'], [w.role, 'label'], w.madeBy, [w.expires, 'label'], ['', 'actions']], rows))}
      </section>`
    }`
}

function roleChoices({ language }: ProjectRequest, label: string, chosen: string, draft?: Draft): Markup {
  const w = MEMBERS[language]
  const options = ROLES.map((value) => ({ value, label: w.roles[value][0] ?? '', hint: w.roles[value][1] ?? '' }))
  return choices({ name: 'role', kind: 'radio', label, options, chosen: [chosen], ...(draft && { draft }) })
}

async function invite(request: ProjectRequest): Promise<Outcome> {
  const { context, project, account, session } = request
  const { data } = readForm(RoleForm, request)
  if (!data) return listPage(request)
  const input = { kind: 'invitation', projectId: project.id, role: data.role, accountId: account.id } as const
  const secret = await context.links.make({ ...input, madeBy: account.name, lifetimeMs: INVITATION_MS })
  await record(request, 'member.invited', data.role)
  const ticket = await context.tickets.issue('shown', session.id, { of: project.id, secret })
  return redirect(`${baseOf(request)}/invited?ticket=${ticket}`)
}

async function invitedPage(request: ProjectRequest): Promise<HtmlPage> {
  const { context, project, session, query, language } = request
  const w = MEMBERS[language]
  const ticket = await context.tickets.take('shown', session.id, query.get('ticket') ?? '')
  const secret = ticket?.of === project.id ? ticket.secret : null
  const content =
    secret === null
      ? html`${note('warn', w.inviteGone)} ${linkButton(baseOf(request), w.title)}`
      : html`${note('warn', w.inviteText)}
          ${copyable(language, w.link, `${context.baseUrl()}/dashboard/enter?token=${secret}`, { isSecret: true })}
          <p>${linkButton(baseOf(request), w.sent, { kind: 'primary', icon: 'check' })}</p>`
  return {
    kind: 'page',
    title: w.inviteTitle,
    body: html`${head(w.inviteTitle)}
      <div class="panel once">${content}</div>`,
  }
}

async function withdraw(request: ProjectRequest): Promise<Outcome> {
  const { context, project, params } = request
  const id = params['linkId'] ?? ''
  if (!(await context.links.withdraw(project.id, id))) throw new Fault('not_found', 'Invite not found.')
  await record(request, 'invitation.withdrawn', id)
  return redirect(`${baseOf(request)}?done=withdrawn`)
}

async function rolePage(request: ProjectRequest, draft: Draft = EMPTY_DRAFT): Promise<HtmlPage> {
  const w = MEMBERS[request.language]
  const member = await memberOf(request)
  const base = baseOf(request)
  return formPage(
    request,
    w.roleOf({ name: member.name }),
    { back: { to: base, label: w.title }, to: `${base}/${member.accountId}`, button: w.change, cancel: w.keep, draft },
    roleChoices(request, w.role, member.role, draft),
  )
}

async function changeRole(request: ProjectRequest): Promise<Outcome> {
  const { context, project } = request
  const member = await memberOf(request)
  const { data, draft } = readForm(RoleForm, request)
  if (!data) return rolePage(request, draft)
  const isDone = await unlessLastOwner(() => context.memberships.set(project.id, member.accountId, data.role))
  if (!isDone) return rolePage(request, withProblem(draft, 'form', MEMBERS[request.language].lastOwner))
  await record(request, 'member.changed', member.name, { before: member.role, after: data.role })
  return redirect(`${baseOf(request)}?done=changed`)
}

async function removePage(request: ProjectRequest, draft: Draft = EMPTY_DRAFT): Promise<HtmlPage> {
  const { account, project, language } = request
  const w = MEMBERS[language]
  const member = await memberOf(request)
  const base = baseOf(request)
  const isSelf = member.accountId === account.id
  if (!isSelf && project.role !== 'owner') throw new Fault('forbidden', 'Only owners can remove other members.')
  const [title, lead, button] = isSelf
    ? [w.leaveTitle, w.leaveText, w.leaveButton]
    : [w.removeTitle({ name: member.name }), w.removeText, w.removeButton]
  return formPage(request, title, {
    lead,
    back: { to: base, label: w.title },
    to: `${base}/${member.accountId}/remove`,
    button,
    isDangerous: true,
    cancel: w.keep,
    draft,
  })
}

async function remove(request: ProjectRequest): Promise<Outcome> {
  const { context, account, project, language } = request
  const member = await memberOf(request)
  const isSelf = member.accountId === account.id
  if (!isSelf && project.role !== 'owner') throw new Fault('forbidden', 'Only owners can remove other members.')
  if (!(await unlessLastOwner(() => context.memberships.remove(project.id, member.accountId)))) {
    return removePage(request, withProblem(EMPTY_DRAFT, 'form', MEMBERS[language].lastOwner))
  }
  await record(request, isSelf ? 'member.left' : 'member.removed', member.name)
  return redirect(isSelf ? '/dashboard' : `${baseOf(request)}?done=removed`)
}

/** @returns false when the project would be left without an owner. */
async function unlessLastOwner(change: () => Promise<unknown>): Promise<boolean> {
  try {
    await change()
    return true
  } catch (error) {
    if (error instanceof Fault && error.code === 'conflict') return false
    throw error
  }
}
