import { html, type Markup } from '../../../api/docs/html.ts'
import type { UsageRow } from '../../../db/usage.ts'
import { toCsv } from '../../csv.ts'
import { page, type Outcome, type Page, type Route } from '../../route.ts'
import { emptyState, head, linkButton, number, table } from '../../ui/parts.ts'
import { plotFigure } from '../../ui/plot.ts'
import type { ProjectVisit } from '../../visit.ts'
import { chosenRange, GROUPS, latencyPlot, nameOf, RANGES, requestPlot, timesOf } from './series.ts'
import { USAGE } from './words.ts'

const PATH = '/dashboard/projects/:projectId/usage'

export const USAGE_PAGES: readonly Route[] = [
  page('viewer', PATH, usagePage),
  page('viewer', `${PATH}/export.csv`, exportCsv),
]

function usagePage(visit: ProjectVisit): Page {
  const { project, language } = visit
  const w = USAGE[language]
  const { range, group } = chosenRange(visit)
  const base = `/dashboard/projects/${project.id}/usage`
  const plot = requestPlot(visit, range, group)
  const isEmpty = plot.lines.every(({ values }) => values.every((value) => value === 0))
  const title = `${w.requests} ${w.perSpan[RANGES[range].span]}`
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
          ? emptyState('usage', w.emptyTitle, w.emptyText)
          : html`<section>
                <h2>${title}</h2>
                ${plotFigure(visit, { label: title, plot, kind: 'stacked' })}
              </section>
              <section>
                <h2>${w.latency}</h2>
                <p class="lead">${w.latencyLead}</p>
                ${plotFigure(visit, { label: w.latency, plot: latencyPlot(visit, range), kind: 'lines' })}
              </section>
              ${sums(visit)}`
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

function sums(visit: ProjectVisit): Markup {
  const { desk, project, language } = visit
  const w = USAGE[language]
  const { sinceMs, untilMs, span } = timesOf(visit, chosenRange(visit).range)
  const section = (by: 'class' | 'key', title: string, first: string) => {
    const rows = desk.usage.summary({ projectId: project.id, by, span, sinceMs, untilMs })
    return html`<section>
      <h2>${title}</h2>
      ${table(
        title,
        [first, w.all, w.outcomes.client_error, w.limited, w.errors, w.p50, w.p95],
        rows.map((row) => sumRow(visit, nameOf(visit, by, String(row.group)), row)),
      )}
    </section>`
  }
  return html`${section('class', w.byClass, w.class)} ${section('key', w.byKey, w.key)}
    <p class="hint after">${w.limited}: ${w.limitedHint}</p>`
}

function sumRow({ language }: ProjectVisit, name: string, row: UsageRow): Markup {
  const values = [row.requests, row.clientErrors, row.limited, row.serverErrors]
  return html`<tr>
    <th scope="row">${name}</th>
    ${values.map((value) => html`<td>${number(language, value)}</td>`)}
    <td>${number(language, row.p50Ms)} ms</td>
    <td>${number(language, row.p95Ms)} ms</td>
  </tr>`
}

function exportCsv(visit: ProjectVisit): Outcome {
  const { range, group } = chosenRange(visit)
  const { times, lines } = requestPlot(visit, range, group)
  const rows = times.map((seconds, index) => {
    const values: (string | number)[] = lines.map((line) => line.values[index] ?? 0)
    values.unshift(new Date(seconds * 1000).toISOString())
    return values
  })
  const body = toCsv([['start', ...lines.map(({ name }) => name)], ...rows])
  return { kind: 'file', contentType: 'text/csv; charset=utf-8', body, name: `usage-${range}-${group}.csv` }
}
