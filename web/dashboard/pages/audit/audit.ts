import { html, type Markup } from '../../../../lib/html.ts'
import { page, type HtmlPage, type PageRoute } from '../../http/route.ts'
import { emptyState, head, linkButton, moment, pager } from '../../ui/components.ts'
import { table, type Column } from '../../../ui/table.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import { detailMarkup } from './details.ts'
import { exportCsv, exportJson } from './export.ts'
import {
  auditPath,
  filterChips,
  filterForm,
  filterOf,
  isFiltered,
  kindTabs,
  auditQuery,
  type AuditFilter,
} from './filter.ts'
import { mergeRepeats, type MergedEntry } from './merge.ts'
import { actionLabel } from './words.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const AUDIT = textsOf('dashboard-audit')

const PATH = '/dashboard/projects/:projectId/audit'
const PER_PAGE = 50
/** Entries that become the rows of a page, once repeats are one. */
const MOST_MERGED = 500

export const AUDIT_PAGES: readonly PageRoute[] = [
  page('viewer', PATH, auditPage),
  page('viewer', `${PATH}/export.csv`, exportCsv),
  page('viewer', `${PATH}/export.json`, exportJson),
]

async function auditPage(request: ProjectRequest): Promise<HtmlPage> {
  const { project, language, query } = request
  const w = AUDIT[language]
  const filter = filterOf(request)
  const before = /^\d{1,15}$/.test(query.get('before') ?? '') ? Number(query.get('before')) : undefined
  const { rows, next } = await readRows(request, filter, before)
  const exports = [
    linkButton(auditPath(project.id, filter, '/export.csv'), w.exportCsv),
    linkButton(auditPath(project.id, filter, '/export.json'), w.exportJson),
  ]
  const heads: readonly Column[] = [
    [w.when, 'moment'],
    [w.who, 'label'],
    w.what,
    w.target,
    w.change,
    [w.address, 'label'],
  ]
  return {
    kind: 'page',
    title: w.title,
    body: html`${head(w.title, { lead: w.lead, action: rows.length > 0 && exports })}
      <div class="toolbar">${kindTabs(request, filter)} ${await filterForm(request, filter)}</div>
      ${filterChips(request, filter)}
      ${
        rows.length > 0
          ? table(w.title, heads, await Promise.all(rows.map((entry) => row(request, entry))))
          : nothing(request, filter, next)
      }
      ${pager(language, auditPath(project.id, filter), { before: before ?? null, next })}`,
  }
}

/** Merges repeats; a run that continues beyond the page starts the next page. */
async function readRows(request: ProjectRequest, filter: AuditFilter, before: number | undefined) {
  const { audit } = request.context
  const { entries, next } = await audit.list({ ...auditQuery(request, filter), before, limit: MOST_MERGED })
  const merged = mergeRepeats(entries)
  const rows = merged.slice(0, PER_PAGE)
  if (merged.length <= PER_PAGE) return { rows, next }
  const read = rows.reduce((sum, { count }) => sum + count, 0)
  return { rows, next: entries[read - 1]?.id ?? null }
}

function nothing({ language }: ProjectRequest, filter: AuditFilter, next: number | null): Markup {
  const w = AUDIT[language]
  if (isFiltered(filter)) return emptyState('audit', w.noneTitle, next === null ? w.noneText : w.noneSoFar)
  if (filter.kind === 'control') return emptyState('players', w.emptyControls, w.emptyControlsText)
  return emptyState('audit', w.emptyTitle, w.emptyText)
}

async function row(request: ProjectRequest, { latest, firstAtMs, count, detail }: MergedEntry): Promise<Markup> {
  const { language } = request
  const w = AUDIT[language]
  return html`<tr>
    <td>${moment(request, latest.atMs)}</td>
    <th scope="row">${latest.who}</th>
    <td>
      ${actionLabel(language, latest.action)} ${count > 1 && html`<b class="count">${w.times({ count })}</b>`}
      ${count > 1 && latest.atMs - firstAtMs >= 60_000 && html`<small>${w.firstAt} ${moment(request, firstAtMs)}</small>`}
    </td>
    <td>${latest.target}</td>
    <td>${await detailMarkup(request, detail)}</td>
    <td><code>${latest.address}</code></td>
  </tr>`
}
