import { html, type Markup } from '../../../../lib/html.ts'
import type { ListedDelivery } from '../../../../db/webhooks/delivery.ts'
import { MAX_WEBHOOKS, type Webhook } from '../../../../db/webhooks/webhooks.ts'
import type { HtmlPage } from '../../http/route.ts'
import { ago, doneNote, emptyState, head, linkButton, note } from '../../ui/components.ts'
import { table } from '../../../ui/table.ts'
import { isAtLeast, type ProjectRequest } from '../../http/page-request.ts'
import { bulkCell, bulkColumn, bulkTable } from '../bulk.ts'
import { WEBHOOK_BULK } from './actions.ts'
import { webhooksPath, deliveryChip, eventsOf, webhookName, webhookChip } from './webhook.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const WEBHOOKS = textsOf('dashboard-webhooks')

export async function listPage(request: ProjectRequest): Promise<HtmlPage> {
  const { context, project, language } = request
  const w = WEBHOOKS[language]
  const hooks = await context.webhooks.webhooks.list(project.id)
  const latest = await context.webhooks.deliveries.latest(project.id)
  const mayChange = isAtLeast(project.role, 'manager')
  const isFull = hooks.length >= MAX_WEBHOOKS
  const button =
    mayChange && !isFull && linkButton(`${webhooksPath(request)}/new`, w.create, { kind: 'primary', icon: 'plus' })
  return {
    kind: 'page',
    title: w.title,
    body: html`${head(w.title, { lead: w.lead, action: hooks.length > 0 && button })} ${doneNote(request, w.done)}
    ${mayChange && isFull && note('warn', w.full({ max: MAX_WEBHOOKS }))}
    ${
      hooks.length === 0
        ? emptyState('webhooks', w.emptyTitle, mayChange ? w.emptyText : w.emptyViewer, button)
        : bulkTable(
            request,
            WEBHOOK_BULK,
            table(
              w.title,
              [
                ...bulkColumn(request, WEBHOOK_BULK),
                [w.webhook, 'name'],
                [w.state, 'state'],
                [w.events, 'label'],
                w.last,
              ],
              hooks.map((hook) => row(request, hook, latest.get(hook.id))),
            ),
          )
    }`,
  }
}

function row(request: ProjectRequest, hook: Webhook, last: ListedDelivery | undefined): Markup {
  const { language } = request
  const w = WEBHOOKS[language]
  return html`<tr class="${hook.state !== 'active' && 'ended'}">
    ${bulkCell(request, WEBHOOK_BULK, hook.id, webhookName(hook))}
    <th scope="row">
      <a href="${webhooksPath(request)}/${hook.id}">${webhookName(hook)}</a>
      <small>${hook.url}</small>
    </th>
    <td>${webhookChip(language, hook)}</td>
    <td>${eventsOf(language, hook)}</td>
    <td>
      ${last ? html`${deliveryChip(language, last)} <small>${ago(request, last.last?.atMs ?? last.createdAtMs)}</small>` : w.nothingYet}
    </td>
  </tr>`
}
