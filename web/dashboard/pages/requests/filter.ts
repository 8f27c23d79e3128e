import { html, type Markup } from '../../../../lib/html.ts'
import { PUBLIC_CODES } from '../../../../api/http/errors.ts'
import { routes as allRoutes } from '../../../../api/routes/index.ts'
import type { ApiKey } from '../../../../db/projects/keys.ts'
import type { RequestQuery } from '../../../../lib/request-log/request-log.ts'
import { statusesOf } from '../../../../lib/request-log/status-filter.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import { filterTags, keyLabel, linkButton, moment } from '../../ui/components.ts'
import { searchField, select, type FormChoice } from '../../ui/forms.ts'
import { momentField, momentOf } from '../fields.ts'
import { requestsPath, type RequestFilter } from './address.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const REQUESTS = textsOf('dashboard-requests')

const STATUSES = ['2xx', 'error', '4xx', '5xx', '401', '403', '404', '409', '422', '429', '500', '502', '503', '504']
const ROUTES = allRoutes.map(({ id, method, url }) => ({ value: id, label: `${method} ${url}` }))
const MOST_CHARS = 128
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
    q: query.get('q')?.trim().slice(0, MOST_CHARS) || undefined,
    fromMs: momentOf(query.get('from')),
    toMs: momentOf(query.get('to')),
  }
}

/** @param keys of the project, which a text may name. */
export function requestsQuery(
  projectId: string,
  filter: RequestFilter,
  keys: readonly ApiKey[],
): Omit<RequestQuery, 'limit'> {
  const { status, route, key, code, q, fromMs, toMs } = filter
  const statuses = status === undefined ? undefined : (statusesOf(status) ?? undefined)
  const part = q?.toLowerCase() ?? ''
  const keyIds = keys.filter(({ name }) => name?.toLowerCase().includes(part)).map(({ id }) => id)
  const text = q === undefined ? undefined : { part: q, keyIds }
  return { projectId, statuses, operation: route, keyId: key, code, text, fromMs, toMs }
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
  return html`<nav class="tab-row" aria-label="${w.status}">
    ${tab(undefined, w.all)} ${tab('error', w.errors)} ${tab('4xx', '4xx')} ${tab('429', '429')} ${tab('5xx', '5xx')}
  </nav>`
}

/** The filters in use. */
export function filterChips(request: ProjectRequest, filter: RequestFilter, keys: readonly ApiKey[]): Markup | false {
  const { project, language } = request
  const w = REQUESTS[language]
  const { route, key, code, q, fromMs, toMs } = filter
  const used = [
    ['q', w.filter, q],
    ['route', w.route, ROUTES.find(({ value }) => value === route)?.label ?? route],
    ['code', w.code, code],
    ['key', w.key, key && keyName(request, keys, key)],
    ['fromMs', w.from, fromMs && moment(request, fromMs)],
    ['toMs', w.to, toMs && moment(request, toMs)],
  ] as const
  return filterTags(
    language,
    used.map(([name, label, value]) => [label, value, requestsPath(project.id, { ...filter, [name]: undefined })]),
  )
}

/** The name of a key, as far as it is still known. */
export function keyName({ language }: ProjectRequest, keys: readonly ApiKey[], keyId: string): string {
  const key = keys.find(({ id }) => id === keyId)
  return key ? keyLabel(key) : REQUESTS[language].goneKey
}

function asChoice(value: string): FormChoice {
  return { value, label: value }
}

/** A value from a foreign link may be missing from the list. */
function withChosen(listed: readonly FormChoice[], value: string | undefined): readonly FormChoice[] {
  return value === undefined || listed.some((one) => one.value === value) ? listed : [...listed, asChoice(value)]
}

/** All filters as a form, which works without script. */
export function filterForm(request: ProjectRequest, filter: RequestFilter, keys: readonly ApiKey[]): Markup {
  const { project, language } = request
  const w = REQUESTS[language]
  const any: FormChoice = { value: '', label: w.any }
  const named = keys.map(({ id }) => ({ value: id, label: keyName(request, keys, id) }))
  const statuses = STATUSES.map((value) => ({ value, label: value === 'error' ? w.errors : value }))
  const { status, route, key, code, q, fromMs, toMs } = filter
  return html`<form method="get" action="${requestsPath(project.id)}" class="filters" role="search">
    ${searchField('q', w.search, q)}
    <button class="button">${w.filter}</button>
    ${isFiltered(filter) && linkButton(requestsPath(project.id), w.clear)}
    <details>
      <summary>${w.more}</summary>
      <div class="filter-fields">
        ${select({ name: 'status', label: w.status, value: status, choices: [any, ...withChosen(statuses, status)] })}
        ${select({ name: 'route', label: w.route, value: route, choices: [any, ...withChosen(ROUTES, route)] })}
        ${select({ name: 'code', label: w.code, value: code, choices: [any, ...PUBLIC_CODES.map(asChoice)] })}
        ${select({ name: 'key', label: w.key, value: key, choices: [any, ...withChosen(named, key)] })}
        ${momentField('from', w.from, fromMs)} ${momentField('to', w.to, toMs)}
      </div>
    </details>
  </form>`
}
