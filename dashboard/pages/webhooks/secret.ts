import { z } from 'zod'
import { html } from '../../../api/docs/html.ts'
import type { NewWebhook } from '../../../db/webhooks/webhooks.ts'
import { EMPTY, readForm, type Draft } from '../../http/form.ts'
import { redirect, type Outcome, type Page } from '../../http/route.ts'
import { buttons, choices, formTo } from '../../ui/forms.ts'
import { copyable, head, linkButton, note } from '../../ui/components.ts'
import { record, type ProjectVisit } from '../../http/page-request.ts'
import { COMMON } from '../../words/common.ts'
import { baseOf, placeOf } from './webhook.ts'
import { SNIPPETS } from './snippets.ts'
import { WEBHOOKS } from './words.ts'

const GRACES = ['0', '3600', '86400', '604800'] as const
const RotateForm = z.object({ grace: z.enum(GRACES) })

/** Keeps a new secret in memory until its page was looked at, and no longer. @returns where that page is. */
export function showOnce(visit: ProjectVisit, { id, secret }: NewWebhook): string {
  const ticket = visit.desk.tickets.issue('shown', visit.session.id, { of: id, secret })
  return `${baseOf(visit)}/${id}/shown?ticket=${ticket}`
}

export function secretPage(visit: ProjectVisit): Page {
  const { desk, language, query, session } = visit
  const w = WEBHOOKS[language]
  const { hook, to, name } = placeOf(visit)
  const ticket = desk.tickets.take('shown', session.id, query.get('ticket') ?? '')
  const secret = ticket?.of === hook.id ? ticket.secret : null
  const content =
    secret === null
      ? note('warn', w.secretGone)
      : html`${note('warn', w.secretText)} ${copyable(language, w.secret, secret, { isSecret: true })}`
  return {
    kind: 'page',
    title: w.secretTitle,
    body: html`${head(w.secretTitle, { lead: name })}
      <div class="panel once">
        ${content}
        <h2>${w.verify}</h2>
        <p class="lead">${w.verifyText}</p>
        ${Object.entries(SNIPPETS).map(([label, code]) => copyable(language, label, code))}
        <p>${secret === null ? linkButton(to, name) : linkButton(to, w.stored, { kind: 'primary', icon: 'check' })}</p>
      </div>`,
  }
}

export function rotatePage(visit: ProjectVisit, draft: Draft = EMPTY): Page {
  const { language } = visit
  const w = WEBHOOKS[language]
  const { to, name } = placeOf(visit)
  const title = w.rotateTitle(name)
  const options = GRACES.map((value) => ({ value, label: w.graces[value] }))
  return {
    kind: 'page',
    title,
    status: draft === EMPTY ? 200 : 422,
    body: html`${head(title, { lead: w.rotateLead, back: { to, label: name } })}
    ${formTo(
      visit,
      `${to}/rotate`,
      html`${choices({ name: 'grace', kind: 'radio', label: w.grace, options, chosen: ['86400'], draft })}
      ${buttons(w.rotateButton, { cancel: { value: to, label: COMMON[language].cancel } })}`,
      { draft },
    )}`,
  }
}

export function rotate(visit: ProjectVisit): Outcome {
  const { desk, project } = visit
  const { hook, name } = placeOf(visit)
  const { data, draft } = readForm(RotateForm, visit.form)
  if (!data) return rotatePage(visit, draft)
  const fresh = desk.webhooks.webhooks.rotate(project.id, hook.id, Number(data.grace) * 1000)
  record(visit, 'webhook.rotated', name, { id: hook.id, graceSeconds: Number(data.grace) })
  return redirect(showOnce(visit, fresh))
}

export function removePage(visit: ProjectVisit): Page {
  const w = WEBHOOKS[visit.language]
  const { to, name } = placeOf(visit)
  const title = w.removeTitle(name)
  return {
    kind: 'page',
    title,
    body: html`${head(title, { lead: w.removeLead, back: { to, label: name } })}
    ${formTo(
      visit,
      `${to}/remove`,
      buttons(w.removeButton, { isDangerous: true, cancel: { value: to, label: w.keep } }),
    )}`,
  }
}
