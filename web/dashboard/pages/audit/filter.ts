import { html, type Markup } from '../../../../lib/html.ts'
import { AUDIT_KINDS, type AuditQuery } from '../../../../db/people/audit.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import { filterTags, linkButton, moment } from '../../ui/components.ts'
import { field, searchField, select } from '../../ui/forms.ts'
import { momentField, momentOf } from '../fields.ts'
import { entryOf, textsOf } from '../../../../lib/texts/texts.ts'

const AUDIT = textsOf('dashboard-audit')

const KINDS = [...AUDIT_KINDS, 'all'] as const
type Kind = (typeof KINDS)[number]

/** The filter in the address. */
export interface AuditFilter {
  readonly kind: Kind
  readonly who?: string | undefined
  readonly area?: string | undefined
  readonly target?: string | undefined
  readonly q?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

const MOST_CHARS = 100

/** Changes, unless it asks for more; what makes no sense in it is left out. */
export function filterOf({ query }: ProjectRequest): AuditFilter {
  const text = (name: string) => query.get(name)?.trim().slice(0, MOST_CHARS) || undefined
  const moment = (name: string) => (momentOf(text(name)) === undefined ? undefined : text(name))
  const area = text('area')
  return {
    kind: KINDS.find((it) => it === query.get('kind')) ?? 'change',
    who: text('who'),
    area: area !== undefined && Object.hasOwn(AUDIT.en.areas, area) ? area : undefined,
    target: text('target'),
    q: text('q'),
    from: moment('from'),
    to: moment('to'),
  }
}

export function isFiltered(filter: Partial<AuditFilter>): boolean {
  return Object.entries(filter).some(([name, value]) => name !== 'kind' && value !== undefined)
}

export function auditQuery({ project }: ProjectRequest, filter: AuditFilter): Omit<AuditQuery, 'limit'> {
  const { kind, who, area, target, q, from, to } = filter
  return {
    projectId: project.id,
    kind: kind === 'all' ? undefined : kind,
    who,
    area,
    target,
    text: q,
    fromMs: momentOf(from),
    toMs: momentOf(to),
  }
}

export function auditPath(projectId: string, filter: AuditFilter, page = ''): string {
  const pairs = Object.entries(filter).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== 'change',
  )
  const query = new URLSearchParams(pairs).toString()
  const path = `/dashboard/projects/${projectId}/audit${page}`
  return query === '' ? path : `${path}?${query}`
}

/** Changes apart from controls of players, which are many. */
export function kindTabs({ project, language }: ProjectRequest, filter: AuditFilter): Markup {
  const w = AUDIT[language]
  return html`<nav class="tab-row" aria-label="${w.kind}">
    ${KINDS.map(
      (kind) =>
        html`<a
          href="${auditPath(project.id, { ...filter, kind, area: undefined })}"
          ${kind === filter.kind && { markup: 'aria-current="true"' }}
          >${w.kinds[kind]}</a
        >`,
    )}
  </nav>`
}

/** The filters in use. */
export function filterChips(request: ProjectRequest, filter: AuditFilter): Markup | false {
  const { project, language } = request
  const w = AUDIT[language]
  const { who, area, target, q, from, to } = filter
  const at = (text: string | undefined) => {
    const ms = momentOf(text)
    return ms === undefined ? undefined : moment(request, ms)
  }
  const used = [
    ['q', w.filter, q],
    ['who', w.who, who],
    ['area', w.what, area && entryOf(w.areas, area)],
    ['target', w.target, target],
    ['from', w.from, at(from)],
    ['to', w.to, at(to)],
  ] as const
  return filterTags(
    language,
    used.map(([name, label, value]) => [label, value, auditPath(project.id, { ...filter, [name]: undefined })]),
  )
}

/** All filters as a form, which works without script. */
export async function filterForm({ context, project, language }: ProjectRequest, filter: AuditFilter): Promise<Markup> {
  const w = AUDIT[language]
  const { kind, who, area, target, q, from, to } = filter
  const areas = Object.entries(w.areas).filter(
    ([name]) => kind === 'all' || (name === 'player') === (kind === 'control'),
  )
  const names = (await context.memberships.members(project.id)).map(({ name }) => name)
  const isOpen = isFiltered({ ...filter, q: undefined })
  return html`<form method="get" action="${auditPath(project.id, { kind: 'change' })}" class="filters" role="search">
    <input type="hidden" name="kind" value="${kind}" />
    ${searchField('q', w.search, q)}
    <button class="button">${w.filter}</button>
    ${isFiltered(filter) && linkButton(auditPath(project.id, { kind }), w.clear)}
    <details ${isOpen && { markup: 'open' }}>
      <summary>${w.more}</summary>
      <div class="filter-fields">
        ${field({ name: 'who', label: w.who, value: who, maxLength: MOST_CHARS, list: 'members' })}
        <datalist id="members">${names.map((name) => html`<option value="${name}"></option>`)}</datalist>
        ${select({ name: 'area', label: w.what, value: area, choices: [{ value: '', label: w.any }, ...areas.map(([value, label]) => ({ value, label }))] })}
        ${field({ name: 'target', label: w.target, value: target, maxLength: MOST_CHARS })}
        ${momentField('from', w.from, momentOf(from))} ${momentField('to', w.to, momentOf(to))}
      </div>
    </details>
  </form>`
}
