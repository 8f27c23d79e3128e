import { html, type Markup } from '../../../api/docs/html.ts'
import type { Attempt, WholeDelivery } from '../../../db/webhooks/deliveries.ts'
import { Fault } from '../../../lib/errors.ts'
import { redirect, type Outcome, type Page } from '../../http/route.ts'
import { formTo } from '../../ui/forms.ts'
import { ago, copyable, head, linkButton, moment, number, table } from '../../ui/components.ts'
import { isAtLeast, record, type ProjectVisit } from '../../http/page-request.ts'
import { answerOf, deliveryChip, placeOf } from './webhook.ts'
import { WEBHOOKS } from './words.ts'

function deliveryOf({ desk, project, params }: ProjectVisit, webhookId: string): WholeDelivery {
  const found = desk.webhooks.deliveries.find(project.id, webhookId, params['deliveryId'] ?? '')
  if (!found) throw new Fault('not_found', 'There is no such delivery.')
  return found
}

/** One message whole: what is sent, and how each attempt went. */
export function deliveryPage(visit: ProjectVisit): Page {
  const { desk, project, language } = visit
  const w = WEBHOOKS[language]
  const { hook, to, name } = placeOf(visit)
  const delivery = deliveryOf(visit, hook.id)
  const { id, type, state, nextAtMs, createdAtMs, attempts } = delivery
  const here = `${to}/deliveries/${id}`
  const again = html`<button class="button primary">${w.redeliver}</button>`
  const maySend = isAtLeast(project.role, 'manager') && hook.state === 'active'
  const action = [
    state === 'pending' && linkButton(here, w.reload),
    maySend && formTo(visit, `${here}/redeliver`, again, { isInline: true }),
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
            <dd>${nextAtMs <= desk.now() ? w.soon : ago(visit, nextAtMs)}</dd>`
        }
        <dt>${w.attempts}</dt>
        <dd>${number(language, attempts)}</dd>
        <dt>${w.made}</dt>
        <dd>${moment(visit, createdAtMs, 'seconds')}</dd>
        <dt>${w.messageId}</dt>
        <dd><code>${id}</code></dd>
      </dl>
      <section>
        <h2>${w.tries}</h2>
        ${delivery.tries.length === 0 ? html`<p class="lead">${w.noTries}</p>` : tries(visit, delivery.tries)}
      </section>
      <section>
        <h2>${w.body}</h2>
        <p class="lead">${w.bodyLead}</p>
        ${copyable(language, 'POST', JSON.stringify(JSON.parse(delivery.body), null, 2))}
      </section>`,
  }
}

function tries(visit: ProjectVisit, all: readonly Attempt[]): Markup {
  const { language } = visit
  const w = WEBHOOKS[language]
  const rows = all.toReversed().map(
    (made) =>
      html`<tr>
        <td>${moment(visit, made.atMs, 'seconds')}</td>
        <th scope="row">${answerOf(language, made)}</th>
        <td>${number(language, Math.round(made.durationMs))} ms</td>
        <td>${made.excerpt === '' ? '–' : html`<code class="excerpt">${made.excerpt}</code>`}</td>
      </tr>`,
  )
  return table(w.tries, [w.when, w.answer, w.took, w.answerBegins], rows)
}

export async function redeliver(visit: ProjectVisit): Promise<Outcome> {
  const { desk, project } = visit
  const { hook, to, name } = placeOf(visit)
  const { id, type } = deliveryOf(visit, hook.id)
  if (hook.state !== 'active') return redirect(`${to}?not=inactive`)
  desk.webhooks.deliveries.redeliver(project.id, hook.id, id)
  record(visit, 'webhook.redelivered', name, { id: hook.id, delivery: id, event: type })
  await desk.webhooks.wake(project.id, hook.id, id)
  return redirect(`${to}/deliveries/${id}`)
}
