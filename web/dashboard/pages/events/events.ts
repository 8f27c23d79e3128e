import { html, type Markup } from '../../../../lib/html.ts'
import type { BotEvent } from '../../../../bot/events.ts'
import type { BotRecord } from '../../../../db/projects/bots.ts'
import { EVENT_TYPES } from '../../../../lib/event-types.ts'
import type { PastEvent } from '../../http/recent-events.ts'
import { page, type Outcome, type HtmlPage, type PageRoute } from '../../http/route.ts'
import { chip, emptyState, head, moment } from '../../ui/components.ts'
import { table, tableRow, type Column } from '../../../ui/table.ts'
import { openStream, watchAccess } from '../../http/live-page.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const EVENTS = textsOf('dashboard-events')

const PATH = '/dashboard/projects/:projectId/events'
const CHECK_EVERY_MS = 5000

export const EVENT_PAGES: readonly PageRoute[] = [
  page('viewer', PATH, eventsPage),
  page('viewer', `${PATH}/live`, openLive),
]

async function eventsPage(request: ProjectRequest): Promise<HtmlPage> {
  const { context, project, language } = request
  const w = EVENTS[language]
  const past = context.recentEvents.of(project.id)
  const bots = await context.bots.list(project.id)
  const base = `/dashboard/projects/${project.id}/events`
  return {
    kind: 'page',
    title: w.title,
    scripts: ['events.js'],
    body: html`${head(w.title, { lead: w.lead, action: html`<span data-live hidden>${chip('good', w.live)}</span>` })}
      <fieldset class="filter" data-filter hidden>
        <legend>${w.filter}</legend>
        ${EVENT_TYPES.map(
          (type) =>
            html`<label class="choice"><input type="checkbox" value="${type}" checked /><span>${type}</span></label>`,
        )}
      </fieldset>
      <div class="events" data-events="${base}/live">
        ${table(
          w.title,
          headsOf(request),
          past.map((event) => row(request, bots, event)),
        )}
        <div data-none>${emptyState('events', w.emptyTitle, w.emptyText)}</div>
      </div>`,
  }
}

function headsOf({ language }: ProjectRequest): readonly Column[] {
  const w = EVENTS[language]
  return [[w.when, 'second'], [w.what, 'label'], w.where, w.bot, w.more]
}

function row(request: ProjectRequest, bots: readonly BotRecord[], { atMs, event }: PastEvent): Markup {
  const { context } = request
  const bot = bots.find(({ id }) => id === event.botId)
  const guildId = 'guildId' in event ? event.guildId : null
  const guild = context.fleet.guildsOf(event.botId).find(({ id }) => id === guildId)
  return html`<tr data-type="${event.type}">
    <td>${moment(request, atMs, 'seconds')}</td>
    <th scope="row">${event.type}</th>
    <td>${guild?.name ?? guildId ?? '–'}</td>
    <td>${bot?.name ?? event.botId}</td>
    <td>${detail(event)}</td>
  </tr>`
}

function detail(event: BotEvent): string {
  if (event.type === 'trackStarted') return `${event.track.title} · ${event.track.author}`
  if (event.type === 'chapterStarted') return `${event.number} · ${event.chapter.title}`
  if (event.type === 'segmentSkipped')
    return `${event.segment.category} · ${event.segment.startMs}–${event.segment.endMs} ms`
  if (event.type === 'sourceChanged') return `${event.source} · ${event.state}`
  return 'reason' in event ? event.reason : '–'
}

/** Rows as they come. */
async function openLive(request: ProjectRequest): Promise<Outcome> {
  const { context, project } = request
  const stream = openStream(request)
  const bots = await context.bots.list(project.id)
  const unsubscribe = context.events.subscribe(({ projectId, event }) => {
    if (event.type === 'jobEnded') return
    if (projectId === project.id)
      stream.send(tableRow(row(request, bots, { atMs: context.now(), event }), headsOf(request)).markup)
  })
  const unwatch = watchAccess(request, { everyMs: CHECK_EVERY_MS, end: () => stream.end() })
  stream.onEnd(() => {
    unsubscribe()
    unwatch()
  })
  return { kind: 'file', contentType: 'text/event-stream', body: stream.readable }
}
