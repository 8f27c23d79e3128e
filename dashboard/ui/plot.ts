import { html, type Markup } from '../../api/docs/html.ts'
import type { PageRequest } from '../http/page-request.ts'
import { COMMON } from '../words/common.ts'
import { number, table } from './components.ts'

/** Lines over the same times; `tone` names a colour of the stylesheet. */
export interface Plot {
  /** Seconds since 1970, as the library wants them. */
  readonly times: readonly number[]
  readonly lines: readonly { readonly name: string; readonly tone: string; readonly values: readonly number[] }[]
}

interface PlotOptions {
  readonly label: string
  readonly plot: Plot
  /** Bars on top of each other, or a line for each. */
  readonly kind: 'stacked' | 'lines'
}

/** Drawn by the script; the same numbers are in the table, for those who do not see it. */
export function plotFigure(request: PageRequest, { label, plot, kind }: PlotOptions): Markup {
  const w = COMMON[request.language]
  const { times, lines } = plot
  const rows = times.map((seconds, index) => {
    const values = lines.map(({ values: all }) => all[index] ?? 0)
    const at = new Date(seconds * 1000).toISOString()
    return values.some((value) => value > 0)
      ? html`<tr>
          <td><time datetime="${at}" data-moment>${at.slice(0, 16).replace('T', ' ')} UTC</time></td>
          ${values.map((value) => html`<td>${number(request.language, value)}</td>`)}
        </tr>`
      : html``
  })
  return html`<figure class="plot">
    <div data-plot="${JSON.stringify(plot)}" data-kind="${kind}" role="img" aria-label="${label}"></div>
    <details>
      <summary>${w.plotTable}</summary>
      ${table(label, [w.time, ...lines.map(({ name }) => name)], rows)}
    </details>
  </figure>`
}
