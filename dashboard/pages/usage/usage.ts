import { html, type Markup } from '../../../api/docs/html.ts'
import type { UsageRow } from '../../../db/projects/usage.ts'
import { toCsv } from '../../http/csv.ts'
import { page, type Outcome, type Page, type Route } from '../../http/route.ts'
import { emptyState, head, linkButton, number, table } from '../../ui/components.ts'
import { plotFigure } from '../../ui/plot.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import type { Language } from '../../words/language.ts'
import {
  chosenRange,
  GROUPS,
  latencyPlot,
  nameOf,
  otherwise,
  plotOf,
  RANGES,
  refusals,
  timesOf,
  type Range,
} from './series.ts'
import { USAGE } from './words.ts'

const PATH = '/dashboard/projects/:projectId/usage'

export const USAGE_PAGES: readonly Route[] = [
  page('viewer', PATH, usagePage),
  page('viewer', `${PATH}/export.csv`, exportCsv),
]

function usagePage(request: ProjectRequest): Page {
  const { project, language } = request
  const w = USAGE[language]
  const { range, group } = chosenRange(request)
  const base = `/dashboard/projects/${project.id}/usage`
  const plot = plotOf(request, range, group)
  const isEmpty = plot.lines.every(({ values }) => values.every((value) => value === 0))
  const isRefused = group === 'budget'
  const title = `${isRefused ? w.refused : w.requests} ${w.perSpan[RANGES[range].span]}`
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
      ${
        isEmpty
          ? emptyState('usage', isRefused ? w.noneRefused : w.emptyTitle, isRefused ? w.noneRefusedText : w.emptyText)
          : html`<section>
                <h2>${title}</h2>
                ${isRefused && html`<p class="lead">${w.budgetHint}</p>`}
                ${plotFigure(request, { label: title, plot, kind: 'stacked' })}
              </section>
              <section>
                <h2>${w.latency}</h2>
                <p class="lead">${w.latencyLead}</p>
                ${plotFigure(request, { label: w.latency, plot: latencyPlot(request, range), kind: 'lines' })}
              </section>
              ${sums(request)}`
      }`,
  }
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

function sums(request: ProjectRequest): Markup {
  const { context, project, language } = request
  const w = USAGE[language]
  const { sinceMs, untilMs, span } = timesOf(request, chosenRange(request).range)
  const section = (by: 'class' | 'key', title: string, first: string) => {
    const rows = context.usage.summary({ projectId: project.id, by, span, sinceMs, untilMs })
    return html`<section>
      <h2>${title}</h2>
      ${table(
        title,
        [first, w.all, w.outcomes.client_error, w.limited, w.errors, w.p50, w.p95],
        rows.map((row) => sumRow(request, nameOf(request, by, String(row.group)), row)),
      )}
    </section>`
  }
  return html`${section('class', w.byClass, w.class)} ${section('key', w.byKey, w.key)}
    <p class="hint after">${w.limited}: ${w.limitedHint}</p>`
}

function sumRow({ language }: ProjectRequest, name: string, row: UsageRow): Markup {
  return html`<tr>
    <th scope="row">${name}</th>
    <td>${number(language, row.requests)}</td>
    <td>${number(language, row.clientErrors)}</td>
    <td>${number(language, row.limited)} ${row.limited > 0 && html`<small>${budgetsOf(language, row)}</small>`}</td>
    <td>${number(language, row.serverErrors)}</td>
    <td>${number(language, row.p50Ms)} ms</td>
    <td>${number(language, row.p95Ms)} ms</td>
  </tr>`
}

/** `12 class · 3 total`: which budgets refused them. */
function budgetsOf(language: Language, { limited: refused, overClass, overTotal }: UsageRow): string {
  const { budgetsShort } = USAGE[language]
  const counts = { class: overClass, total: overTotal, other: otherwise({ refused, overClass, overTotal }) }
  return (Object.keys(counts) as (keyof typeof counts)[])
    .filter((name) => counts[name] > 0)
    .map((name) => `${number(language, counts[name])} ${budgetsShort[name]}`)
    .join(' · ')
}

function exportCsv(request: ProjectRequest): Outcome {
  const { range, group } = chosenRange(request)
  if (group === 'budget') return exportRefusals(request, range)
  const { times, lines } = plotOf(request, range, group)
  const rows = times.map((seconds, index) => {
    const values: (string | number)[] = lines.map((line) => line.values[index] ?? 0)
    values.unshift(new Date(seconds * 1000).toISOString())
    return values
  })
  const body = toCsv([['start', ...lines.map(({ name }) => name)], ...rows])
  return { kind: 'file', contentType: 'text/csv; charset=utf-8', body, name: `usage-${range}-${group}.csv` }
}

/** A line for each class and key that something was refused to, and by which budget. */
function exportRefusals(request: ProjectRequest, range: Range): Outcome {
  const { class: className, key, budgets } = USAGE[request.language]
  const rows = refusals(request, range).map((row) => [
    new Date(row.startMs).toISOString(),
    row.routeClass,
    nameOf(request, 'key', row.keyId),
    row.overClass,
    row.overTotal,
    otherwise(row),
  ])
  const body = toCsv([['start', className, key, budgets.class, budgets.total, budgets.other], ...rows])
  return { kind: 'file', contentType: 'text/csv; charset=utf-8', body, name: `usage-${range}-budget.csv` }
}
