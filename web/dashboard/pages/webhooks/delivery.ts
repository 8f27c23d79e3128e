import { html, type Markup } from '../../../../lib/html.ts'
import type { Attempt, WholeDelivery } from '../../../../db/webhooks/delivery.ts'
import { Fault } from '../../../../lib/errors.ts'
import { redirect, type Outcome, type HtmlPage } from '../../http/route.ts'
import { inlineForm } from '../../ui/forms.ts'
import { ago, copyable, copyId, head, linkButton, moment, number } from '../../ui/components.ts'
import { table } from '../../../ui/table.ts'
import { isAtLeast, record, type ProjectRequest } from '../../http/page-request.ts'
import { answerOf, deliveryChip, webhookOf } from './webhook.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const WEBHOOKS = textsOf('dashboard-webhooks')

async function deliveryOf({ context, project, params }: ProjectRequest, webhookId: string): Promise<WholeDelivery> {
  const found = await context.webhooks.deliveries.find(project.id, webhookId, params['deliveryId'] ?? '')
  if (!found) throw new Fault('not_found', 'Delivery not found.')
  return found
}

/** Shows one message: its content, and the result of each attempt. */
export async function deliveryPage(request: ProjectRequest): Promise<HtmlPage> {
  const { context, project, language } = request
  const w = WEBHOOKS[language]
  const { hook, to, name } = await webhookOf(request)
  const delivery = await deliveryOf(request, hook.id)
  const { id, type, state, nextAtMs, createdAtMs, attempts } = delivery
  const here = `${to}/deliveries/${id}`
  const again = html`<button class="button primary">${w.redeliver}</button>`
  const maySend = isAtLeast(project.role, 'manager') && hook.state === 'active'
  const action = [
    state === 'pending' && linkButton(here, w.reload),
    maySend && inlineForm(request, `${here}/redeliver`, again),
  ]
  return {
    kind: 'page',
    title: type,
    body: html`${head(type, { back: { to, label: name }, action })}
      <dl class="facts">
        <dt>${w.state}</dt>
        <dd>${deliveryChip(language, delivery)}</dd>
        ${
          nextAtMs !== null &&
          html`<dt>${w.next}</dt>
            <dd>${nextAtMs <= context.now() ? w.soon : ago(request, nextAtMs)}</dd>`
        }
        <dt>${w.attempts}</dt>
        <dd>${number(language, attempts)}</dd>
        <dt>${w.made}</dt>
        <dd>${moment(request, createdAtMs, 'seconds')}</dd>
        <dt>${w.messageId}</dt>
        <dd>${copyId(language, 'message', id)}</dd>
      </dl>
      <section>
        <h2>${w.tries}</h2>
        ${delivery.tries.length === 0 ? html`<p class="lead">${w.noTries}</p>` : tries(request, delivery.tries)}
      </section>
      <section>
        <h2>${w.body}</h2>
        <p class="lead">${w.bodyLead}</p>
        ${copyable(language, 'POST', JSON.stringify(JSON.parse(delivery.body), null, 2))}
      </section>`,
  }
}

function tries(request: ProjectRequest, all: readonly Attempt[]): Markup {
  const { language } = request
  const w = WEBHOOKS[language]
  const rows = all.toReversed().map(
    (made) =>
      html`<tr>
        <td>${moment(request, made.atMs, 'seconds')}</td>
        <th scope="row">${answerOf(language, made)}</th>
        <td>${number(language, Math.round(made.durationMs))} ms</td>
        <td>${made.excerpt === '' ? '–' : html`<code class="excerpt" tabindex="0">${made.excerpt}</code>`}</td>
      </tr>`,
  )
  return table(
    w.tries,
    [
      [w.when, 'second'],
      [w.answer, 'label'],
      [w.took, 'number'],
      [w.answerBegins, 'wrap'],
    ],
    rows,
  )
}

export async function redeliver(request: ProjectRequest): Promise<Outcome> {
  const { context, project } = request
  const { hook, to, name } = await webhookOf(request)
  const { id, type } = await deliveryOf(request, hook.id)
  if (hook.state !== 'active') return redirect(`${to}?not=inactive`)
  await context.webhooks.deliveries.redeliver(project.id, hook.id, id)
  await record(request, 'webhook.redelivered', name, { id: hook.id, delivery: id, event: type })
  await context.webhooks.wake(project.id, hook.id, id)
  return redirect(`${to}/deliveries/${id}`)
}
