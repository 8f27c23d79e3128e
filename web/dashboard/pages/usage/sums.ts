import { html, type Markup } from '../../../../lib/html.ts'
import type { UsagePart, Total } from '../../../../db/projects/usage-totals.ts'
import { number, percent } from '../../ui/components.ts'
import { table, type Column } from '../../../ui/table.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import type { PageLanguage } from '../../../../lib/texts/languages.ts'
import type { RangeUsage } from './range-usage.ts'
import { rangeLink, STATUS_FILTERS, type CountFilter } from './request-links.ts'
import { otherwise } from './series.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const USAGE = textsOf('dashboard-usage')

/** Rows of a table; the CSV has the rest. */
const MOST_ROWS = 50

/** The numbers of the whole range; null if nothing was asked. */
export async function totalTiles(usage: RangeUsage): Promise<Markup | null> {
  const { request, steps } = usage
  const { language } = request
  const w = USAGE[language]
  const [all] = await usage.sums('all')
  if (!all) return null
  const link = (filter: CountFilter) => rangeLink(request, steps, filter)
  const count = (name: 'ok' | 'clientErrors' | 'limited' | 'serverErrors') =>
    tile(
      link({ status: STATUS_FILTERS[name] }),
      number(language, all[name]),
      `${w.statuses[name]} · ${share(request, all[name] / all.requests)}`,
    )
  const time = (label: string, ms: number) =>
    html`<div class="tile"><b>${milliseconds(language, ms)}</b><span>${label}</span></div>`
  return html`<div class="tiles totals">
    ${tile(link({}), number(language, all.requests), w.requests)} ${count('ok')} ${count('clientErrors')}
    ${count('limited')} ${count('serverErrors')} ${time('p50', all.p50Ms)} ${time('p95', all.p95Ms)}
    ${time('p99', all.p99Ms)}
  </div>`
}

function tile(to: string, value: string, label: string): Markup {
  return html`<a class="tile" href="${to}"><b>${value}</b><span>${label}</span></a>`
}

/** An estimate has no more than three digits that count. */
function milliseconds(language: PageLanguage, ms: number): string {
  return `${number(language, ms >= 100 ? Math.round(ms) : ms)} ms`
}

/** `12.5%`; a share above zero is never shown as 0%. */
function share({ language }: ProjectRequest, part: number): string {
  const isTiny = part > 0 && part < 0.001
  return `${isTiny ? '< ' : ''}${percent(language, isTiny ? 0.1 : part * 100)}`
}

export async function sumTables(usage: RangeUsage): Promise<Markup> {
  const w = USAGE[usage.request.language]
  const tables = await Promise.all([
    sumTable(usage, { part: 'route', title: w.byRoute, first: w.route }),
    sumTable(usage, { part: 'key', title: w.byKey, first: w.key }),
    sumTable(usage, { part: 'class', title: w.byClass, first: w.class }),
  ])
  return html`${tables}`
}

async function sumTable(
  usage: RangeUsage,
  { part, title, first }: { readonly part: Exclude<UsagePart, 'all'>; readonly title: string; readonly first: string },
): Promise<Markup> {
  const w = USAGE[usage.request.language]
  const [sums, names] = await Promise.all([usage.sums(part), usage.names()])
  const rows = sums.slice(0, MOST_ROWS).map((total) => sumRow(usage, total, part, names(part, total.name)))
  const { clientErrors, limited, serverErrors } = w.statuses
  const numbers = [w.requests, clientErrors, limited, serverErrors, 'p50', 'p95', 'p99']
  const heads: readonly Column[] = [[first, 'name'], ...numbers.map((name) => [name, 'number'] as const)]
  return html`<section>
    <h2>${title}</h2>
    ${part === 'route' && rows.length === 0 ? html`<p class="lead">${w.noRoutes}</p>` : table(title, heads, rows)}
    ${sums.length > MOST_ROWS && html`<p class="hint">${w.others({ count: sums.length - MOST_ROWS })}</p>`}
  </section>`
}

function sumRow({ request, steps }: RangeUsage, total: Total, part: Exclude<UsagePart, 'all'>, label: string): Markup {
  const { language } = request
  const link = (value: number, filter: CountFilter) =>
    // The request log knows no classes.
    value === 0 || part === 'class'
      ? number(language, value)
      : html`<a href="${rangeLink(request, steps, { [part]: total.name, ...filter })}">${number(language, value)}</a>`
  return html`<tr>
    <th scope="row">${part === 'route' ? html`<code>${label}</code>` : label}</th>
    <td>${link(total.requests, {})}</td>
    <td>${link(total.clientErrors, { status: STATUS_FILTERS.clientErrors })}</td>
    <td ${total.limited > 0 && html`title="${budgetsOf(request, total)}"`}>
      ${link(total.limited, { status: STATUS_FILTERS.limited })}
    </td>
    <td>${link(total.serverErrors, { status: STATUS_FILTERS.serverErrors })}</td>
    <td>${milliseconds(language, total.p50Ms)}</td>
    <td>${milliseconds(language, total.p95Ms)}</td>
    <td>${milliseconds(language, total.p99Ms)}</td>
  </tr>`
}

/** `12 by class · 3 by total`: which budgets refused them. */
function budgetsOf({ language }: ProjectRequest, total: Total): string {
  const { budgetsShort } = USAGE[language]
  const counts = { class: total.overClass, total: total.overTotal, other: otherwise(total) }
  return (Object.keys(counts) as (keyof typeof counts)[])
    .filter((name) => counts[name] > 0)
    .map((name) => `${number(language, counts[name])} ${budgetsShort[name]}`)
    .join(' · ')
}
