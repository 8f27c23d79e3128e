import { html, type Markup } from '../../../../lib/html.ts'
import { toCsv } from '../../http/csv.ts'
import { page, type Outcome, type HtmlPage, type PageRoute } from '../../http/route.ts'
import { emptyState, head, linkButton } from '../../ui/components.ts'
import { plotFigure, type Plot } from '../../ui/plot.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import { RangeUsage } from './range-usage.ts'
import { chosenOf, GROUPS, RANGES, type UsageGroup } from './ranges.ts'
import { latencyPlot, otherwise, refusals, requestPlot } from './series.ts'
import { sumTables, totalTiles } from './sums.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const USAGE = textsOf('dashboard-usage')

const PATH = '/dashboard/projects/:projectId/usage'

export const USAGE_PAGES: readonly PageRoute[] = [
  page('viewer', PATH, usagePage),
  page('viewer', `${PATH}/export.csv`, exportCsv),
]

async function usagePage(request: ProjectRequest): Promise<HtmlPage> {
  const { project, language } = request
  const w = USAGE[language]
  const { range, group } = chosenOf(request)
  const base = `/dashboard/projects/${project.id}/usage`
  const usage = new RangeUsage(request, range)
  const tiles = await totalTiles(usage)
  return {
    kind: 'page',
    title: w.title,
    scripts: ['plots.js'],
    styles: ['uplot.css'],
    body: html`${head(w.title, {
        lead: w.lead,
        action: linkButton(`${base}/export.csv?range=${range}&by=${group}`, w.export),
      })}
      <div class="tabs">
        ${tabs(w.range, Object.keys(RANGES), range, (it) => [`${base}?range=${it}&by=${group}`, w.ranges[it as typeof range]])}
        ${tabs(w.by, GROUPS, group, (it) => [`${base}?range=${range}&by=${it}`, w.groups[it as typeof group]])}
      </div>
      ${tiles === null ? emptyState('usage', w.emptyTitle, w.emptyText) : html`${tiles} ${await plotsAndSums(usage, group)}`}
      <p class="hint after">
        ${RANGES[range].span === 'day' ? w.utcDays : html`${w.zone} <span data-zone>UTC</span>.`} ${w.source}
      </p>`,
  }
}

async function plotsAndSums(usage: RangeUsage, group: UsageGroup): Promise<Markup> {
  const [requests, latency] = await Promise.all([requestPlot(usage, group), latencyPlot(usage)])
  // Another thread adds up the tables while the figures are written here.
  const tables = sumTables(usage)
  return html`${figures(usage, group, requests, latency)} ${await tables}`
}

function figures({ request, range }: RangeUsage, group: UsageGroup, requests: Plot, latency: Plot): Markup {
  const w = USAGE[request.language]
  const isLimit = group === 'limit'
  const title = `${isLimit ? w.refused : w.requests} ${w.perSpan[RANGES[range].span]}`
  const isEmpty = requests.lines.every(({ values }) => values.every((value) => value === null))
  return html`<section>
      <h2>${title}</h2>
      ${isLimit && html`<p class="lead">${w.limitHint}</p>`}
      ${isEmpty ? emptyState('check', w.noneRefused, w.noneRefusedText) : plotFigure(request, { label: title, plot: requests, kind: 'stacked' })}
    </section>
    <section>
      <h2>${w.latency}</h2>
      <p class="lead">${w.latencyLead}</p>
      ${plotFigure(request, { label: w.latency, plot: latency, kind: 'lines', unit: 'ms' })}
    </section>`
}

function tabs(
  label: string,
  all: readonly string[],
  chosen: string,
  describe: (name: string) => readonly [to: string, label: string],
): Markup {
  return html`<nav class="tab-row" aria-label="${label}">
    ${all.map((name) => {
      const [to, text] = describe(name)
      return html`<a href="${to}" ${name === chosen && { markup: 'aria-current="true"' }}>${text}</a>`
    })}
  </nav>`
}

async function exportCsv(request: ProjectRequest): Promise<Outcome> {
  const { range, group } = chosenOf(request)
  const usage = new RangeUsage(request, range)
  // Refusals by class and key are kept for ninety days.
  if (group === 'limit' && range !== 'year') return await exportRefusals(usage)
  const { times, lines } = await requestPlot(usage, group)
  const rows = times.map((seconds, index) => {
    const values: (string | number)[] = lines.map((line) => line.values[index] ?? 0)
    values.unshift(new Date(seconds * 1000).toISOString())
    return values
  })
  const body = toCsv([['start', ...lines.map(({ name }) => name)], ...rows])
  return { kind: 'file', contentType: 'text/csv; charset=utf-8', body, name: `usage-${range}-${group}.csv` }
}

/** A line for each class and key that something was refused to, and by which budget. */
async function exportRefusals(usage: RangeUsage): Promise<Outcome> {
  const { request, range } = usage
  const { class: className, key, budgets } = USAGE[request.language]
  const nameOf = await usage.names()
  const rows = (await refusals(usage)).map((row) => [
    new Date(row.startMs).toISOString(),
    row.routeClass,
    nameOf('key', row.keyId),
    row.overClass,
    row.overTotal,
    otherwise({ ...row, limited: row.refused }),
  ])
  const body = toCsv([['start', className, key, budgets.class, budgets.total, budgets.other], ...rows])
  return { kind: 'file', contentType: 'text/csv; charset=utf-8', body, name: `usage-${range}-limit.csv` }
}
