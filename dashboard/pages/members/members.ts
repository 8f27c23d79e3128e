import { z } from 'zod'
import { html, type Markup } from '../../../api/docs/html.ts'
import { ROLES, type Member } from '../../../db/people/memberships.ts'
import { Fault } from '../../../lib/errors.ts'
import { EMPTY, readForm, withProblem, type Draft } from '../../http/form.ts'
import { form, page, redirect, type Outcome, type Page, type Route } from '../../http/route.ts'
import { buttons, choices, formTo } from '../../ui/forms.ts'
import { ago, copyable, doneNote, head, linkButton, note, table } from '../../ui/components.ts'
import { record, type ProjectVisit } from '../../http/page-request.ts'
import { MEMBERS } from './words.ts'

const PATH = '/dashboard/projects/:projectId/members'
const INVITATION_MS = 3 * 86_400_000
const RoleForm = z.object({ role: z.enum(ROLES) })

export const MEMBER_PAGES: readonly Route[] = [
  page('viewer', PATH, (visit) => listPage(visit)),
  form('owner', `${PATH}/invite`, invite),
  page('owner', `${PATH}/invited`, invitedPage),
  form('owner', `${PATH}/invitations/:linkId/withdraw`, withdraw),
  page('owner', `${PATH}/:accountId`, (visit) => rolePage(visit)),
  form('owner', `${PATH}/:accountId`, changeRole),
  page('viewer', `${PATH}/:accountId/remove`, (visit) => removePage(visit)),
  form('viewer', `${PATH}/:accountId/remove`, remove),
]

const baseOf = ({ project }: ProjectVisit) => `/dashboard/projects/${project.id}/members`

function memberOf({ desk, project, params }: ProjectVisit): Member {
  const member = desk.memberships.members(project.id).find(({ accountId }) => accountId === params['accountId'])
  if (!member) throw new Fault('not_found', 'There is no such member.')
  return member
}

function listPage(visit: ProjectVisit): Page {
  const { desk, project, language } = visit
  const w = MEMBERS[language]
  const isOwner = project.role === 'owner'
  const rows = desk.memberships.members(project.id).map((member) => row(visit, member))
  return {
    kind: 'page',
    title: w.title,
    body: html`${head(w.title, { lead: w.lead })} ${doneNote(visit, w.done)}
    ${table(w.title, [w.name, w.role, w.since, ''], rows)} ${isOwner && invitations(visit)}`,
  }
}

function row(visit: ProjectVisit, member: Member): Markup {
  const { account, project, language } = visit
  const w = MEMBERS[language]
  const to = `${baseOf(visit)}/${member.accountId}`
  const isSelf = member.accountId === account.id
  const isOwner = project.role === 'owner'
  const small = (address: string, label: string) =>
    html`<a class="button small" href="${address}">${label}<span class="hidden"> ${member.name}</span></a>`
  return html`<tr>
    <th scope="row">${member.name} ${isSelf && html`<small>${w.you}</small>`}</th>
    <td>${w.roles[member.role][0]}</td>
    <td>${ago(visit, member.sinceMs)}</td>
    <td>
      <div class="row-actions">
        ${isOwner && small(to, w.change)} ${(isOwner || isSelf) && small(`${to}/remove`, isSelf ? w.leave : w.remove)}
      </div>
    </td>
  </tr>`
}

function invitations(visit: ProjectVisit): Markup {
  const { desk, project, language } = visit
  const w = MEMBERS[language]
  const base = baseOf(visit)
  const rows = desk.links.invitations(project.id).map(
    (link) =>
      html`<tr>
        <th scope="row">${w.roles[link.role ?? 'viewer'][0]}</th>
        <td>${link.madeBy}</td>
        <td>${ago(visit, link.expiresAtMs)}</td>
        <td>
          <div class="row-actions">
            ${formTo(
              visit,
              `${base}/invitations/${link.id}/withdraw`,
              html`<button class="button small">${w.withdraw}</button>`,
              { isInline: true },
            )}
          </div>
        </td>
      </tr>`,
  )
  return html`<section>
      <h2>${w.invite}</h2>
      <p class="lead">${w.inviteLead}</p>
      ${formTo(visit, `${base}/invite`, [roleChoices(visit, w.inviteAs, 'manager'), buttons(w.inviteButton)])}
    </section>
    ${
      rows.length > 0 &&
      html`<section>
        <h2>${w.waiting}</h2>
        ${table(w.waiting, [w.role, w.madeBy, w.expires, ''], rows)}
      </section>`
    }`
}

function roleChoices({ language }: ProjectVisit, label: string, chosen: string, draft?: Draft): Markup {
  const w = MEMBERS[language]
  const options = ROLES.map((value) => ({ value, label: w.roles[value][0] ?? '', hint: w.roles[value][1] ?? '' }))
  return choices({ name: 'role', kind: 'radio', label, options, chosen: [chosen], ...(draft && { draft }) })
}

function invite(visit: ProjectVisit): Outcome {
  const { desk, project, account, session } = visit
  const { data } = readForm(RoleForm, visit.form)
  if (!data) return listPage(visit)
  const wish = { kind: 'invitation', projectId: project.id, role: data.role } as const
  const secret = desk.links.make({ ...wish, madeBy: account.name, lifetimeMs: INVITATION_MS })
  record(visit, 'member.invited', data.role)
  const ticket = desk.tickets.issue('shown', session.id, { of: project.id, secret })
  return redirect(`${baseOf(visit)}/invited?ticket=${ticket}`)
}

function invitedPage(visit: ProjectVisit): Page {
  const { desk, project, session, query, language } = visit
  const w = MEMBERS[language]
  const ticket = desk.tickets.take('shown', session.id, query.get('ticket') ?? '')
  const secret = ticket?.of === project.id ? ticket.secret : null
  const content =
    secret === null
      ? html`${note('warn', w.inviteGone)} ${linkButton(baseOf(visit), w.title)}`
      : html`${note('warn', w.inviteText)}
          ${copyable(language, w.link, `${desk.baseUrl()}/dashboard/enter?token=${secret}`, { isSecret: true })}
          <p>${linkButton(baseOf(visit), w.sent, { kind: 'primary', icon: 'check' })}</p>`
  return {
    kind: 'page',
    title: w.inviteTitle,
    body: html`${head(w.inviteTitle)}
      <div class="panel once">${content}</div>`,
  }
}

function withdraw(visit: ProjectVisit): Outcome {
  const { desk, project, params } = visit
  const id = params['linkId'] ?? ''
  if (!desk.links.withdraw(project.id, id)) throw new Fault('not_found', 'There is no such invitation.')
  record(visit, 'invitation.withdrawn', id)
  return redirect(`${baseOf(visit)}?done=withdrawn`)
}

function rolePage(visit: ProjectVisit, draft: Draft = EMPTY): Page {
  const w = MEMBERS[visit.language]
  const member = memberOf(visit)
  const base = baseOf(visit)
  return {
    kind: 'page',
    title: w.roleOf(member.name),
    status: draft === EMPTY ? 200 : 422,
    body: html`${head(w.roleOf(member.name), { back: { to: base, label: w.title } })}
    ${formTo(
      visit,
      `${base}/${member.accountId}`,
      [roleChoices(visit, w.role, member.role, draft), buttons(w.change, { cancel: { value: base, label: w.keep } })],
      { draft },
    )}`,
  }
}

function changeRole(visit: ProjectVisit): Outcome {
  const { desk, project } = visit
  const member = memberOf(visit)
  const { data, draft } = readForm(RoleForm, visit.form)
  if (!data) return rolePage(visit, draft)
  const isDone = unlessLastOwner(() => desk.memberships.set(project.id, member.accountId, data.role))
  if (!isDone) return rolePage(visit, withProblem(draft, 'form', MEMBERS[visit.language].lastOwner))
  record(visit, 'member.changed', member.name, { before: member.role, after: data.role })
  return redirect(`${baseOf(visit)}?done=changed`)
}

function removePage(visit: ProjectVisit, draft: Draft = EMPTY): Page {
  const { account, project, language } = visit
  const w = MEMBERS[language]
  const member = memberOf(visit)
  const base = baseOf(visit)
  const isSelf = member.accountId === account.id
  if (!isSelf && project.role !== 'owner') throw new Fault('forbidden', 'Only owners remove others.')
  const [title, lead, button] = isSelf
    ? [w.leaveTitle, w.leaveText, w.leaveButton]
    : [w.removeTitle(member.name), w.removeText, w.removeButton]
  return {
    kind: 'page',
    title,
    status: draft === EMPTY ? 200 : 422,
    body: html`${head(title, { lead, back: { to: base, label: w.title } })}
    ${formTo(
      visit,
      `${base}/${member.accountId}/remove`,
      buttons(button, { isDangerous: true, cancel: { value: base, label: w.keep } }),
      { draft },
    )}`,
  }
}

function remove(visit: ProjectVisit): Outcome {
  const { desk, account, project, language } = visit
  const member = memberOf(visit)
  const isSelf = member.accountId === account.id
  if (!isSelf && project.role !== 'owner') throw new Fault('forbidden', 'Only owners remove others.')
  if (!unlessLastOwner(() => desk.memberships.remove(project.id, member.accountId))) {
    return removePage(visit, withProblem(EMPTY, 'form', MEMBERS[language].lastOwner))
  }
  record(visit, isSelf ? 'member.left' : 'member.removed', member.name)
  return redirect(isSelf ? '/dashboard' : `${baseOf(visit)}?done=removed`)
}

/** @returns false when nobody would own the project any more. */
function unlessLastOwner(change: () => unknown): boolean {
  try {
    change()
    return true
  } catch (error) {
    if (error instanceof Fault && error.code === 'conflict') return false
    throw error
  }
}
