import { html, type Markup } from '../../../../lib/html.ts'
import type { DeliveryState, ListedDelivery } from '../../../../db/webhooks/delivery.ts'
import { WEBHOOK_EVENTS, type Webhook } from '../../../../db/webhooks/webhooks.ts'
import type { HtmlPage } from '../../http/route.ts'
import { inlineForm } from '../../ui/forms.ts'
import {
  ago,
  copyId,
  doneNote,
  emptyState,
  head,
  linkButton,
  moment,
  note,
  number,
  pager,
} from '../../ui/components.ts'
import { table } from '../../../ui/table.ts'
import { isAtLeast, type ProjectRequest } from '../../http/page-request.ts'
import { answerOf, webhooksPath, deliveryChip, webhookOf, webhookChip, type NamedWebhook } from './webhook.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const WEBHOOKS = textsOf('dashboard-webhooks')

const PER_PAGE = 25
const FILTERS = ['all', 'delivered', 'pending', 'failed'] as const
type Filter = (typeof FILTERS)[number]

/** One webhook: its subscriptions, its state, and what became of each message. */
export async function hookPage(request: ProjectRequest): Promise<HtmlPage> {
  const { project, language } = request
  const w = WEBHOOKS[language]
  const place = await webhookOf(request)
  const mayChange = isAtLeast(project.role, 'manager')
  return {
    kind: 'page',
    title: place.name,
    body: html`${head(place.name, {
      back: { to: webhooksPath(request), label: w.title },
      action: mayChange && actions(request, place),
    })}
    ${doneNote(request, w.done)} ${refusalNote(request)} ${stateNotes(request, place.hook)}
    ${await facts(request, place.hook)} ${await deliveries(request, place, mayChange)}`,
  }
}

/** Why an action failed, as a redirect named it. */
function refusalNote({ query, language }: ProjectRequest): Markup | false {
  const { notDone } = WEBHOOKS[language]
  const why = query.get('not')
  return (why === 'inactive' || why === 'full') && note('bad', notDone[why])
}

function actions(request: ProjectRequest, { hook, to }: NamedWebhook): readonly Markup[] {
  const w = WEBHOOKS[request.language]
  const send = (entry: string, label: string, kind: string) =>
    inlineForm(request, `${to}/${entry}`, html`<button class="button ${kind}">${label}</button>`)
  const isActive = hook.state === 'active'
  return [
    isActive ? send('test', w.sendTest, 'primary') : send('resume', w.resume, 'primary'),
    ...(isActive ? [send('pause', w.pause, 'plain')] : []),
    linkButton(`${to}/edit`, w.edit),
    linkButton(`${to}/rotate`, w.rotate),
    linkButton(`${to}/remove`, w.remove),
  ]
}

function stateNotes(request: ProjectRequest, hook: Webhook): Markup {
  const w = WEBHOOKS[request.language]
  const { state, reason, failingSinceMs, leftOut } = hook
  return html`${reason && note('bad', w.reasons[reason])} ${state === 'paused' && note('warn', w.pausedText)}
  ${state === 'active' && failingSinceMs !== null && note('warn', html`${w.failingText} ${moment(request, failingSinceMs)}.`)}
  ${leftOut > 0 && note('warn', w.leftOut({ count: leftOut }))} ${hook.url.startsWith('http:') && note('warn', w.plain)}`
}

async function facts(request: ProjectRequest, hook: Webhook): Promise<Markup> {
  const { context, project, language } = request
  const w = WEBHOOKS[language]
  const names = new Map((await context.bots.list(project.id)).map(({ id, name }) => [id, name]))
  const isInGrace = hook.formerUntilMs !== null && hook.formerUntilMs > context.now()
  return html`<dl class="facts">
    <dt>${w.state}</dt>
    <dd>${webhookChip(language, hook)}</dd>
    <dt>${w.url}</dt>
    <dd><code>${hook.url}</code></dd>
    <dt>${w.events}</dt>
    <dd>${hook.events.length === WEBHOOK_EVENTS.length ? w.allEvents : hook.events.join(', ')}</dd>
    <dt>${w.bots}</dt>
    <dd>${hook.botIds === null ? w.allBots : hook.botIds.map((id) => names.get(id) ?? w.goneBot).join(', ')}</dd>
    <dt>${w.secret}</dt>
    <dd>
      ${w.secretNow}
      ${isInGrace && html`<br /><small>${w.formerUntil} ${moment(request, hook.formerUntilMs ?? 0)}</small>`}
    </dd>
    <dt>${w.created}</dt>
    <dd>${moment(request, hook.createdAtMs)}</dd>
    <dt>ID</dt>
    <dd>${copyId(language, 'webhook', hook.id)}</dd>
  </dl>`
}

async function deliveries(request: ProjectRequest, place: NamedWebhook, mayChange: boolean): Promise<Markup> {
  const { context, project, language, query } = request
  const w = WEBHOOKS[language]
  const { hook, to } = place
  const log = context.webhooks.deliveries
  const filter = FILTERS.find((it) => it === query.get('shown')) ?? 'all'
  const before = /^\d{1,15}$/.test(query.get('before') ?? '') ? Number(query.get('before')) : null
  const state = filter === 'all' ? null : filter
  const found = await log.list({ projectId: project.id, webhookId: hook.id, state, before, limit: PER_PAGE + 1 })
  const shown = found.slice(0, PER_PAGE)
  const counts = await log.counts(project.id, hook.id)
  const last = found.length > PER_PAGE ? shown.at(-1) : undefined
  const here = `${to}?shown=${filter}`
  return html`<section id="deliveries">
    <h2>${w.deliveries}</h2>
    <p class="lead">${w.deliveriesLead}</p>
    <div class="tabs">
      ${tabs(request, to, filter, counts)}
      ${mayChange && hook.state === 'active' && counts.failed > 0 && recoverForm(request, to, counts.failed)}
    </div>
    ${
      shown.length === 0
        ? emptyState('webhooks', w.noneTitle, w.noneText)
        : table(
            w.deliveries,
            [
              [w.event, 'name'],
              [w.state, 'state'],
              w.answer,
              [w.took, 'number'],
              [w.attempts, 'number'],
              [w.made, 'second'],
              [w.next, 'age'],
            ],
            shown.map((delivery) => row(request, to, delivery)),
          )
    }
    ${pager(language, here, { before, next: last?.number ?? null })}
  </section>`
}

function tabs(
  { language }: ProjectRequest,
  to: string,
  chosen: Filter,
  counts: Readonly<Record<DeliveryState, number>>,
): Markup {
  const w = WEBHOOKS[language]
  const all = counts.pending + counts.delivered + counts.failed
  return html`<nav class="tab-row" aria-label="${w.filter}">
    ${FILTERS.map(
      (it) =>
        html`<a href="${to}?shown=${it}#deliveries" ${it === chosen && { markup: 'aria-current="true"' }}
          >${w.filters[it]} ${number(language, it === 'all' ? all : counts[it])}</a
        >`,
    )}
  </nav>`
}

function recoverForm(request: ProjectRequest, to: string, failed: number): Markup {
  const label = WEBHOOKS[request.language].recover({ count: failed })
  return inlineForm(request, `${to}/recover`, html`<button class="button small">${label}</button>`)
}

function row(request: ProjectRequest, to: string, delivery: ListedDelivery): Markup {
  const { language, context } = request
  const w = WEBHOOKS[language]
  const { id, type, last, attempts, nextAtMs, createdAtMs } = delivery
  return html`<tr>
    <th scope="row"><a href="${to}/deliveries/${id}">${type}</a></th>
    <td>${deliveryChip(language, delivery)}</td>
    <td>
      ${last ? answerOf(language, last) : '–'}
      ${last && last.excerpt !== '' && html`<small>${last.excerpt.slice(0, 80)}</small>`}
    </td>
    <td>${last ? html`${number(language, Math.round(last.durationMs))} ms` : '–'}</td>
    <td>${number(language, attempts)}</td>
    <td>${moment(request, createdAtMs, 'seconds')}</td>
    <td>${nextAtMs === null ? '–' : nextAtMs <= context.now() ? w.soon : ago(request, nextAtMs)}</td>
  </tr>`
}
