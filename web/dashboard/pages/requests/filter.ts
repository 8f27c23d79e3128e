import { html, type Markup } from '../../../../lib/html.ts'
import { PUBLIC_CODES } from '../../../../api/http/errors.ts'
import { routes as allRoutes } from '../../../../api/routes/index.ts'
import type { RequestQuery } from '../../../../lib/request-log/request-log.ts'
import { statusesOf } from '../../../../lib/request-log/status-filter.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import { linkButton } from '../../ui/components.ts'
import { field, select, type FormChoice } from '../../ui/forms.ts'
import { requestsPath, type RequestFilter } from './address.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const REQUESTS = textsOf('dashboard-requests')

const STATUSES = ['2xx', 'error', '4xx', '5xx', '401', '403', '404', '409', '422', '429', '500', '502', '503', '504']
const ROUTES = allRoutes.map(({ id, method, url }) => ({ value: id, label: `${method} ${url}` }))
const TEXT = /^[\w.:-]{1,128}$/

/** The filter in the address; invalid values are left out. */
export function filterOf({ query }: ProjectRequest): RequestFilter {
  const text = (name: string) => {
    const value = query.get(name)?.trim() ?? ''
    return TEXT.test(value) ? value : undefined
  }
  const status = text('status')
  const code = text('code')
  return {
    status: status !== undefined && statusesOf(status) ? status : undefined,
    route: text('route'),
    key: text('key'),
    code: PUBLIC_CODES.find((known) => known === code),
    q: text('q'),
    fromMs: momentOf(query.get('from')),
    toMs: momentOf(query.get('to')),
  }
}

/** A moment in ISO 8601, in UTC where it names no zone. */
function momentOf(text: string | null): number | undefined {
  const given = text?.trim() ?? ''
  if (!/^\d{4}-\d\d-\d\dT/.test(given)) return undefined
  const ms = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(given) ? given : `${given}Z`)
  return Number.isNaN(ms) ? undefined : ms
}

export function requestsQuery(projectId: string, filter: RequestFilter): Omit<RequestQuery, 'limit'> {
  const { status, route, key, code, q, fromMs, toMs } = filter
  const statuses = status === undefined ? undefined : (statusesOf(status) ?? undefined)
  return { projectId, statuses, operation: route, keyId: key, code, requestId: q, fromMs, toMs }
}

export function isFiltered(filter: RequestFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined)
}

/** The most used filters as links; they keep the others. */
export function statusTabs({ project, language }: ProjectRequest, filter: RequestFilter): Markup {
  const w = REQUESTS[language]
  const tab = (status: string | undefined, label: string) =>
    html`<a
      href="${requestsPath(project.id, { ...filter, status })}"
      ${filter.status === status && { markup: 'aria-current="true"' }}
      >${label}</a
    >`
  return html`<div class="tabs">
    <nav class="tab-row" aria-label="${w.status}">
      ${tab(undefined, w.all)} ${tab('error', w.errors)} ${tab('4xx', '4xx')} ${tab('429', '429')} ${tab('5xx', '5xx')}
    </nav>
  </div>`
}

function asChoice(value: string): FormChoice {
  return { value, label: value }
}

/** A value from a foreign link may be missing from the list. */
function withChosen(listed: readonly FormChoice[], value: string | undefined): readonly FormChoice[] {
  return value === undefined || listed.some((one) => one.value === value) ? listed : [...listed, asChoice(value)]
}

/** All filters as a form, which works without script. */
export async function filterForm(request: ProjectRequest, filter: RequestFilter): Promise<Markup> {
  const { context, project, language } = request
  const w = REQUESTS[language]
  const any: FormChoice = { value: '', label: w.any }
  const keys = (await context.keys.list(project.id)).map(({ id, name, prefix }) => ({
    value: id,
    label: name ?? `svc.${prefix}…`,
  }))
  const statuses = STATUSES.map((value) => ({ value, label: value === 'error' ? w.errors : value }))
  const { status, route, key, code, q, fromMs, toMs } = filter
  const isOpen = isFiltered({ ...filter, status: undefined, q: undefined })
  return html`<form method="get" action="${requestsPath(project.id)}" class="filters" role="search" data-filters>
    <div class="row">
      ${field({ name: 'q', label: w.requestId, type: 'search', value: q, maxLength: 128 })}
      <button class="button primary">${w.filter}</button>
      ${isFiltered(filter) && linkButton(requestsPath(project.id), w.clear)}
    </div>
    <details ${isOpen && { markup: 'open' }}>
      <summary>${w.more}</summary>
      <div class="filter-fields">
        ${select({ name: 'status', label: w.status, value: status, choices: [any, ...withChosen(statuses, status)] })}
        ${select({ name: 'route', label: w.route, value: route, choices: [any, ...withChosen(ROUTES, route)] })}
        ${select({ name: 'code', label: w.code, value: code, choices: [any, ...PUBLIC_CODES.map(asChoice)] })}
        ${select({ name: 'key', label: w.key, value: key, choices: [any, ...withChosen(keys, key)] })}
        ${field({ name: 'from', label: w.from, type: 'datetime-local', value: localText(fromMs), step: 1 })}
        ${field({ name: 'to', label: w.to, type: 'datetime-local', value: localText(toMs), step: 1 })}
      </div>
    </details>
  </form>`
}

/** Formats a time for a `datetime-local` field, in UTC. */
function localText(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 19)
}
