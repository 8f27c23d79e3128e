import { html, type Markup } from '../../../lib/html.ts'
import type { PageRequest } from '../http/page-request.ts'
import { number } from './components.ts'
import { table } from '../../ui/table.ts'
import { textsOf } from '../../../lib/texts/texts.ts'

const COMMON = textsOf('dashboard-common')

export interface PlotLine {
  readonly name: string
  /** A colour of the stylesheet. */
  readonly tone: string
  /** Null: there was nothing to measure, and nothing is drawn. */
  readonly values: readonly (number | null)[]
  /** The query that a click on a point of this line adds to the address of its step. */
  readonly filter?: string
}

/** Lines over the same times. */
export interface Plot {
  /** Seconds since 1970, as the library wants them. */
  readonly times: readonly number[]
  readonly lines: readonly PlotLine[]
  /** Times are days of UTC. */
  readonly isDaily?: boolean
  /** The page behind each step, which its time leads to; null if there is none. */
  readonly links?: readonly (string | null)[]
}

interface PlotOptions {
  readonly label: string
  readonly plot: Plot
  /** Bars on top of each other, or a line for each. */
  readonly kind: 'stacked' | 'lines'
  /** The unit after each number, such as `ms`. */
  readonly unit?: string
}

/** Drawn by the script into reserved room; the same numbers are in the table, for screen readers. */
export function plotFigure(request: PageRequest, { label, plot, kind, unit = '' }: PlotOptions): Markup {
  const w = COMMON[request.language]
  const time = plot.isDaily ? 'age' : 'moment'
  const heads = [[w.time, time] as const, ...plot.lines.map(({ name }) => [name, 'number'] as const)]
  const rows = plot.times.flatMap((_, index) => plotRow(request, plot, index) ?? [])
  return html`<figure class="plot">
    <ul class="legend">
      ${plot.lines.map(({ name, tone }) => html`<li class="tone-${tone}"><span>${name}</span> <b></b></li>`)}
      <li class="at" ${plot.isDaily !== true && { markup: 'data-zone' }}>UTC</li>
    </ul>
    <div
      class="canvas"
      data-plot="${JSON.stringify(plot)}"
      data-kind="${kind}"
      data-unit="${unit}"
      role="img"
      aria-label="${label}"
    ></div>
    <details>
      <summary>${w.plotTable}</summary>
      ${table(label, heads, rows)}
    </details>
  </figure>`
}

/** The table row of a time, null if there was nothing. */
function plotRow({ language }: PageRequest, { times, lines, links, isDaily }: Plot, index: number): Markup | null {
  const values = lines.map(({ values: all }) => all[index] ?? null)
  if (!values.some((value) => value !== null && value > 0)) return null
  const at = new Date((times[index] ?? 0) * 1000).toISOString()
  const day = html`<time datetime="${at}">${at.slice(0, 10)}</time>`
  const minute = html`<time datetime="${at}" data-moment>${at.slice(0, 16).replace('T', ' ')} UTC</time>`
  const time = isDaily ? day : minute
  const link = links?.[index]
  // Formatted numbers need no escape, and a year has thousands.
  const cells = { markup: values.map((value) => `<td>${value === null ? '–' : number(language, value)}</td>`).join('') }
  return html`<tr>
    <td>${link ? html`<a href="${link}">${time}</a>` : time}</td>
    ${cells}
  </tr>`
}
