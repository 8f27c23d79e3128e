import { html, type Markup } from '../../../../lib/html.ts'
import { keyState, MAX_ACTIVE_KEYS } from '../../../../db/projects/keys.ts'
import { PLANS } from '../../../../lib/plans.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import { linkButton, number } from '../../ui/components.ts'
import { plotFigure } from '../../ui/plot.ts'
import { RangeUsage } from '../usage/range-usage.ts'
import { requestPlot } from '../usage/series.ts'
import { stepsOf } from '../usage/ranges.ts'
import { rangeLink } from '../usage/request-links.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const OVERVIEW = textsOf('dashboard-overview')

/** Counts of the project, each with a link to its list. */
export async function tiles(request: ProjectRequest): Promise<Markup> {
  const { context, project, language } = request
  const w = OVERVIEW[language]
  const nowMs = context.now()
  const base = `/dashboard/projects/${project.id}`
  const steps = stepsOf(request, 'day')
  const [all] = await context.usage.totals.sums({ ...steps, part: 'all' })
  const errors = all ? all.requests - all.ok : 0
  const active = (await context.keys.list(project.id)).filter((key) => keyState(key, nowMs) === 'active').length
  const bots = await context.bots.list(project.id)
  const online = bots.filter(({ id }) => context.fleet.stateOf(id) === 'connected').length
  const players = context.fleet.countPlayers(project.id)
  const tile = (to: string, value: number, label: string, look = 'tile') =>
    html`<a class="${look}" href="${to}"><b>${number(language, value)}</b><span>${label}</span></a>`
  return html`<div class="tiles">
    ${tile(rangeLink(request, steps, {}), all?.requests ?? 0, w.requests)}
    ${tile(rangeLink(request, steps, { status: 'error' }), errors, w.errors, errors > 0 ? 'tile bad' : 'tile')}
    ${tile(`${base}/players`, players, w.players({ max: PLANS[project.plan].players }))}
    ${tile(`${base}/bots`, online, w.botsOnline({ count: bots.length }))}
    ${tile(`${base}/keys`, active, w.keys({ max: MAX_ACTIVE_KEYS }))}
  </div>`
}

/** Requests of the last day by status, small. */
export async function dayPlot(request: ProjectRequest): Promise<Markup> {
  const { project, language } = request
  const w = OVERVIEW[language]
  const base = `/dashboard/projects/${project.id}`
  const plot = await requestPlot(new RangeUsage(request, 'day'), 'status')
  const isEmpty = plot.lines.every(({ values }) => values.every((value) => value === null))
  return html`<section>
    <header class="with-links">
      <h2>${w.day}</h2>
      <span>${linkButton(`${base}/requests`, w.log)} ${linkButton(`${base}/usage`, w.allUsage)}</span>
    </header>
    ${isEmpty ? html`<p class="lead">${w.noRequests}</p>` : html`<div class="small-plot">${plotFigure(request, { label: w.day, plot, kind: 'stacked' })}</div>`}
  </section>`
}
