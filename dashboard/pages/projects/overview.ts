import { html, type Markup } from '../../../api/docs/html.ts'
import { KEY_CLASSES, keyState, MAX_ACTIVE_KEYS } from '../../../db/projects/keys.ts'
import { PLANS, type MeteredClass } from '../../../lib/plans.ts'
import type { Page } from '../../http/route.ts'
import { doneNote, head, number, table } from '../../ui/components.ts'
import { isAtLeast, type ProjectRequest } from '../../http/page-request.ts'
import { PROJECTS } from './words.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const METERED = KEY_CLASSES.filter((it): it is MeteredClass => it !== 'player')

/** A project at a glance: how much there is of everything, and how near its limits it comes. */
export function overviewPage(request: ProjectRequest): Page {
  const { project, language } = request
  const w = PROJECTS[language]
  return {
    kind: 'page',
    title: project.name,
    body: html`${head(project.name, { lead: w.overviewLead(project.plan) })} ${doneNote(request, w.done)}
      ${tiles(request)} ${firstSteps(request)}
      <section>
        <h2>${w.limits}</h2>
        <p class="lead">${w.limitsLead}</p>
        ${limits(request)}
      </section>`,
  }
}

function tiles({ context, project, language }: ProjectRequest): Markup {
  const w = PROJECTS[language]
  const nowMs = context.now()
  const base = `/dashboard/projects/${project.id}`
  const active = context.keys.list(project.id).filter((key) => keyState(key, nowMs) === 'active').length
  const bots = context.bots.list(project.id)
  const online = bots.filter(({ id }) => context.fleet.stateOf(id) === 'connected').length
  const players = context.fleet.countPlayers(project.id)
  const byClass = context.usage.summary({
    projectId: project.id,
    by: 'class',
    span: 'hour',
    sinceMs: nowMs - DAY_MS,
    untilMs: nowMs,
  })
  const requests = byClass.reduce((sum, row) => sum + row.requests, 0)
  const tile = (to: string, value: number, label: string) =>
    html`<a class="tile" href="${base}${to}"><b>${number(language, value)}</b><span>${label}</span></a>`
  return html`<div class="tiles">
    ${tile('/keys', active, w.activeKeys(MAX_ACTIVE_KEYS))} ${tile('/bots', online, w.botsOnline(bots.length))}
    ${tile('/players', players, w.playersNow(PLANS[project.plan].players))} ${tile('/usage', requests, w.requestsDay)}
  </div>`
}

/** Only as long as something of it is missing. */
function firstSteps({ context, project, language }: ProjectRequest): Markup | false {
  const w = PROJECTS[language]
  const base = `/dashboard/projects/${project.id}`
  if (!isAtLeast(project.role, 'manager')) return false
  const steps = [
    context.bots.list(project.id).length === 0 && [`${base}/bots/new`, w.stepBot, w.stepBotText],
    context.keys.list(project.id).length === 0 && [`${base}/keys/new`, w.stepKey, w.stepKeyText],
    project.role === 'owner' &&
      context.memberships.members(project.id).length === 1 && [`${base}/members`, w.stepPeople, w.stepPeopleText],
  ].filter((step) => step !== false)
  return (
    steps.length > 0 &&
    html`<section>
      <h2>${w.firstSteps}</h2>
      <ul class="cards">
        ${steps.map(
          ([to = '', title = '', text = '']) =>
            html`<li>
              <a class="card" href="${to}"
                ><h3>${title}</h3>
                <small>${text}</small></a
              >
            </li>`,
        )}
      </ul>
    </section>`
  )
}

function limits(request: ProjectRequest): Markup {
  const { project, language } = request
  const w = PROJECTS[language]
  const plan = PLANS[project.plan]
  const used = usedOf(request)
  const rows = METERED.map((name) => {
    const [label, text] = w.classes[name]
    return limitRow(request, {
      label,
      text,
      limit: plan[name],
      used: used.peaks.get(name) ?? 0,
      limited: used.overClass(name),
    })
  })
  const { peak, overTotal } = used
  const all = { label: w.aggregate, text: w.aggregateHint, limit: plan.aggregate, used: peak, limited: overTotal }
  const players = request.context.fleet.countPlayers(project.id)
  const last = { label: w.players, text: w.playersHint, limit: plan.players, used: players, limited: null }
  return table(
    w.limits,
    [w.class, w.perMinute, w.usedHour, w.limitedDay],
    [...rows, limitRow(request, all), limitRow(request, last)],
  )
}

interface Limit {
  readonly label: string
  readonly text: string
  readonly limit: number | null
  readonly used: number
  /** How many it had no room for; null where nothing is counted. */
  readonly limited: number | null
}

function limitRow({ language }: ProjectRequest, { label, text, limit, used, limited }: Limit): Markup {
  const w = PROJECTS[language]
  const shown = limit === null ? '' : w.of(number(language, used), number(language, limit))
  return html`<tr>
    <th scope="row">${label}<small>${text}</small></th>
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

/** The busiest minute of the last hour by class and in all, and what each budget had no room for in a day. */
function usedOf({ context, project }: ProjectRequest) {
  const nowMs = context.now()
  const hour = { projectId: project.id, sinceMs: nowMs - HOUR_MS, untilMs: nowMs + 60_000 }
  const minutes = context.usage.summary({ ...hour, by: 'minute' })
  const day = context.usage.summary({ ...hour, by: 'class', span: 'hour', sinceMs: nowMs - DAY_MS })
  return {
    peak: Math.max(0, ...minutes.map((row) => row.requests - row.limited)),
    peaks: context.usage.peaks(hour),
    overClass: (name: string) => day.find(({ group }) => group === name)?.overClass ?? 0,
    overTotal: day.reduce((sum, row) => sum + row.overTotal, 0),
  }
}
