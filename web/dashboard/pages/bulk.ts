import { html, type Markup } from '../../../lib/html.ts'
import { nullOn } from '../../../lib/errors.ts'
import type { PageLanguage } from '../../../lib/texts/languages.ts'
import { textsOf } from '../../../lib/texts/texts.ts'
import { boxCell, selectionBar, type Column } from '../../ui/table.ts'
import { isAtLeast, type ProjectRequest } from '../http/page-request.ts'
import { form, page, redirect, type Outcome, type PageRoute } from '../http/route.ts'
import { head } from '../ui/components.ts'
import { buttons, formTo } from '../ui/forms.ts'

const COMMON = textsOf('dashboard-common')

interface BulkRow {
  readonly id: string
  readonly name: string
  /** The actions that it can be a part of. */
  readonly can: readonly string[]
}

interface BulkWords {
  readonly label: string
  readonly title: (gaps: { readonly count: number }) => string
  readonly lead: string
}

/** A list whose rows can be changed several at a time, after one question. */
export interface BulkList {
  /** The path behind that of the project; its first part is the list's page. */
  readonly path: string
  readonly access: 'manager' | 'owner'
  /** The parameter that names a row to an action. */
  readonly param: string
  /** By the name of the action. */
  readonly words: (language: PageLanguage) => Readonly<Record<string, BulkWords>>
  readonly rows: (request: ProjectRequest) => Promise<readonly BulkRow[]>
  /** Changes of one row, as its own page makes them: a redirect says that it was made. */
  readonly actions: Readonly<Record<string, (request: ProjectRequest) => Promise<Outcome>>>
}

const HARMLESS = new Set(['start', 'pause', 'resume'])

const addressOf = ({ project }: ProjectRequest, path: string) => `/dashboard/projects/${project.id}/${path}`
const mayChange = ({ project }: ProjectRequest, { access }: BulkList) => isAtLeast(project.role, access)
const formOf = ({ param }: BulkList) => `bulk-${param}`

/** A list whose rows have boxes, with the bar above it. The list alone if the reader may change none. */
export function bulkTable(request: ProjectRequest, list: BulkList, table: Markup): Markup {
  if (!mayChange(request, list)) return table
  const w = COMMON[request.language].bulk
  const controls = Object.entries(list.words(request.language)).map(
    ([name, { label }]) =>
      html`<button class="button small" formaction="${addressOf(request, `${list.path}/${name}`)}" data-bulk>
        ${label}
      </button>`,
  )
  const bar = selectionBar(w.all, w.selected({ count: 0 }), controls)
  return html`<div class="bulk-table">
    <form method="get" id="${formOf(list)}" class="bulk">${bar}</form>
    ${table}
  </div>`
}

/** The column of boxes, if the reader may change rows. */
export function bulkColumn(request: ProjectRequest, list: BulkList): readonly Column[] {
  return mayChange(request, list) ? [['', 'box']] : []
}

/** The box of a row. @param name null of a row that can't be changed. */
export function bulkCell(request: ProjectRequest, list: BulkList, id: string, name: string | null): Markup | false {
  if (!mayChange(request, list)) return false
  return name === null ? html`<td></td>` : boxCell(formOf(list), id, COMMON[request.language].bulk.select({ name }))
}

/** The pages that ask about the selected rows, and the forms that change them. */
export function bulkPages(list: BulkList): readonly PageRoute[] {
  return Object.keys(list.actions).flatMap((name) => {
    const at = `/dashboard/projects/:projectId/${list.path}/${name}`
    return [
      page(list.access, at, (request) => question(request, list, name)),
      form(list.access, at, (request) => changeAll(request, list, name)),
    ]
  })
}

async function chosen(request: ProjectRequest, { rows }: BulkList, name: string): Promise<readonly BulkRow[]> {
  const ids = new Set([...request.query.getAll('id'), ...request.form.getAll('id')])
  return (await rows(request)).filter(({ id, can }) => ids.has(id) && can.includes(name))
}

const backOf = (request: ProjectRequest, { path }: BulkList) => addressOf(request, path.split('/')[0] ?? '')

async function question(request: ProjectRequest, list: BulkList, name: string): Promise<Outcome> {
  const rows = await chosen(request, list, name)
  const w = list.words(request.language)[name]
  const value = backOf(request, list)
  if (rows.length === 0 || !w) return redirect(value)
  const title = w.title({ count: rows.length })
  const cancel = { value, label: COMMON[request.language].cancel }
  return {
    kind: 'page',
    title,
    body: html`${head(title, { lead: w.lead })}
      <ul class="bulk-rows">
        ${rows.map((row) => html`<li>${row.name}</li>`)}
      </ul>
      ${formTo(request, addressOf(request, `${list.path}/${name}`), [
        ...rows.map(({ id }) => html`<input type="hidden" name="id" value="${id}" />`),
        buttons(w.label, { isDangerous: !HARMLESS.has(name), cancel }),
      ])}`,
  }
}

/** Changes one row after the other, each with its entry in the audit log, and says how many were changed. */
async function changeAll(request: ProjectRequest, list: BulkList, name: string): Promise<Outcome> {
  let [done, count] = ['', 0]
  for (const { id } of await chosen(request, list, name)) {
    const one = { ...request, params: { ...request.params, [list.param]: id } }
    const outcome = await list.actions[name]?.(one).catch(nullOn('not_found'))
    if (outcome?.kind !== 'redirect') continue
    ;[done, count] = [outcome.to.split('?')[1] ?? '', count + 1]
  }
  return redirect(`${backOf(request, list)}?${done}&count=${count}`)
}
