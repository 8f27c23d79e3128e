import { html, type Markup } from '../../../../lib/html.ts'
import { KEY_CLASSES } from '../../../../db/projects/key-settings.ts'
import { PLANS, type MeteredClass } from '../../../../lib/plans.ts'
import { number } from '../../ui/components.ts'
import { table } from '../../../ui/table.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const COMMON = textsOf('dashboard-common')
const PROJECTS = textsOf('dashboard-projects')

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const METERED = KEY_CLASSES.filter((it): it is MeteredClass => it !== 'player')

/** Usage of the project against each limit of its plan. */
export async function limits(request: ProjectRequest): Promise<Markup> {
  const { project, language } = request
  const w = PROJECTS[language]
  const plan = PLANS[project.plan]
  const used = await usedOf(request)
  const rows = METERED.map((name) => {
    return limitRow(request, name, {
      label: COMMON[language].classes[name],
      text: html`<code>${name}</code>`,
      limit: plan[name],
      used: used.peaks.get(name) ?? 0,
      limited: used.overClass(name),
    })
  })
  const { peaks, overTotal } = used
  const busiest = peaks.get('aggregate') ?? 0
  const all = { label: w.aggregate, text: w.aggregateHint, limit: plan.aggregate, used: busiest, limited: overTotal }
  const players = request.context.fleet.countPlayers(project.id)
  const last = { label: w.players, text: w.playersHint, limit: plan.players, used: players, limited: null }
  const heads = [w.class, [w.perMinute, 'label'], w.usedHour, [w.limitedDay, 'label']] as const
  return html`<section>
    <h2>${w.limits}</h2>
    <p class="lead">${w.limitsLead}</p>
    ${table(w.limits, heads, [...rows, limitRow(request, 'total', all), limitRow(request, 'players', last)])}
  </section>`
}

interface Limit {
  readonly label: string
  readonly text: string | Markup
  readonly limit: number | null
  readonly used: number
  /** The number of refused requests; null if nothing is counted. */
  readonly limited: number | null
}

function limitRow({ language }: ProjectRequest, name: string, { label, text, limit, used, limited }: Limit): Markup {
  const w = PROJECTS[language]
  const shown = limit === null ? '' : w.of({ used: number(language, used), limit: number(language, limit) })
  return html`<tr id="limit-${name}" tabindex="-1">
    <th scope="row">${label} <small>${text}</small></th>
    <td>${limit === null ? w.notIncluded : number(language, limit)}</td>
    <td>
      ${
        limit !== null &&
        html`<div class="budget">
          <meter
            min="0"
            max="${limit}"
            low="${limit * 0.7}"
            high="${limit * 0.95}"
            optimum="0"
            value="${used}"
            aria-label="${`${label}: ${shown}`}"
          ></meter>
          <small>${shown}</small>
        </div>`
      }
    </td>
    <td>${limited === null ? '–' : number(language, limited)}</td>
  </tr>`
}

/** The busiest minute of the last hour by class and of all metered ones, and what each budget had no room for in a day. */
async function usedOf({ context, project }: ProjectRequest) {
  const nowMs = context.now()
  const hour = { projectId: project.id, sinceMs: nowMs - HOUR_MS, untilMs: nowMs + 60_000 }
  const day = await context.usage.summary({ ...hour, by: 'class', span: 'hour', sinceMs: nowMs - DAY_MS })
  return {
    peaks: await context.usage.peaks({ ...hour, together: METERED }),
    overClass: (name: string) => day.find(({ group }) => group === name)?.overClass ?? 0,
    overTotal: day.reduce((sum, row) => sum + row.overTotal, 0),
  }
}
