import { html, type Markup } from '../../../api/docs/html.ts'
import type { AuditEntry } from '../../../db/people/audit.ts'
import { toCsv } from '../../http/csv.ts'
import { page, type Outcome, type Page, type Route } from '../../http/route.ts'
import { emptyState, head, linkButton, moment, table } from '../../ui/components.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import { AUDIT, deedWords } from './words.ts'

const PATH = '/dashboard/projects/:projectId/audit'
const PER_PAGE = 50
/** Keeps the answer small enough to be made at once. */
const MOST_EXPORTED = 5000

export const AUDIT_PAGES: readonly Route[] = [
  page('viewer', PATH, auditPage),
  page('viewer', `${PATH}/export.csv`, exportCsv),
]

function auditPage(request: ProjectRequest): Page {
  const { context, project, language, query } = request
  const w = AUDIT[language]
  const base = `/dashboard/projects/${project.id}/audit`
  const before = /^\d{1,15}$/.test(query.get('before') ?? '') ? Number(query.get('before')) : null
  const deeds = context.audit.ofProject(project.id, before, PER_PAGE + 1)
  const shown = deeds.slice(0, PER_PAGE)
  const last = deeds.length > PER_PAGE ? shown.at(-1) : undefined
  const pages = [
    before !== null && linkButton(base, w.newest),
    last !== undefined && linkButton(`${base}?before=${last.id}`, w.older),
  ].filter((link) => link !== false)
  return {
    kind: 'page',
    title: w.title,
    body: html`${head(w.title, { lead: w.lead, action: shown.length > 0 && linkButton(`${base}/export.csv`, w.export) })}
    ${
      shown.length === 0
        ? emptyState('audit', w.emptyTitle, w.emptyText)
        : table(
            w.title,
            [w.when, w.who, w.what, w.target, w.address],
            shown.map((deed) => row(request, deed)),
          )
    }
    ${pages.length > 0 && html`<p class="after actions">${pages}</p>`}`,
  }
}

function row(request: ProjectRequest, deed: AuditEntry): Markup {
  return html`<tr>
    <td>${moment(request, deed.atMs)}</td>
    <th scope="row">${deed.who}</th>
    <td>${deedWords(request.language, deed.action)}</td>
    <td class="long">${deed.target} <small>${detailWords(request, deed)}</small></td>
    <td><code>${deed.address}</code></td>
  </tr>`
}

/** What changed, in words; a bot by its name where it is still there. */
function detailWords({ context, project, language }: ProjectRequest, { detail: values }: AuditEntry): string {
  const w = AUDIT[language].details
  const bots = new Map(context.bots.list(project.id).map(({ id, name }) => [id, name]))
  const shown = Object.entries(values).map(([name, value]) => {
    if (value === null) return ''
    return `${w[name] ?? name}: ${name === 'bot' ? (bots.get(String(value)) ?? value) : value}`
  })
  return shown.filter((part) => part !== '').join(' · ')
}

function detail({ detail: values }: AuditEntry): string {
  const parts = Object.entries(values).filter(([, value]) => value !== null)
  return parts.map(([name, value]) => `${name}: ${value}`).join(', ')
}

function exportCsv({ context, project }: ProjectRequest): Outcome {
  const rows = context.audit
    .ofProject(project.id, null, MOST_EXPORTED)
    .map((deed) => [new Date(deed.atMs).toISOString(), deed.who, deed.action, deed.target, detail(deed), deed.address])
  const body = toCsv([['at', 'who', 'action', 'target', 'detail', 'address'], ...rows])
  return { kind: 'file', contentType: 'text/csv; charset=utf-8', body, name: 'audit.csv' }
}
