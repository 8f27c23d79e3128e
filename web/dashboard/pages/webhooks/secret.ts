import { z } from 'zod'
import { html } from '../../../../lib/html.ts'
import type { NewWebhook } from '../../../../db/webhooks/webhooks.ts'
import { EMPTY_DRAFT, readForm, type Draft } from '../../http/form.ts'
import { redirect, type Outcome, type HtmlPage } from '../../http/route.ts'
import { formPage, choices } from '../../ui/forms.ts'
import { copyable, head, linkButton, note } from '../../ui/components.ts'
import { record, type ProjectRequest } from '../../http/page-request.ts'
import { webhooksPath, webhookOf } from './webhook.ts'
import { SNIPPETS } from './snippets.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const WEBHOOKS = textsOf('dashboard-webhooks')

const GRACES = ['0', '3600', '86400', '604800'] as const
const RotateForm = z.object({ grace: z.enum(GRACES) })

/** Keeps a new secret, encrypted, until its page was looked at, and no longer. @returns where that page is. */
export async function showOnce(request: ProjectRequest, { id, secret }: NewWebhook): Promise<string> {
  const ticket = await request.context.tickets.issue('shown', request.session.id, { of: id, secret })
  return `${webhooksPath(request)}/${id}/shown?ticket=${ticket}`
}

export async function secretPage(request: ProjectRequest): Promise<HtmlPage> {
  const { context, language, query, session } = request
  const w = WEBHOOKS[language]
  const { hook, to, name } = await webhookOf(request)
  const ticket = await context.tickets.take('shown', session.id, query.get('ticket') ?? '')
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

export async function rotatePage(request: ProjectRequest, draft: Draft = EMPTY_DRAFT): Promise<HtmlPage> {
  const { language } = request
  const w = WEBHOOKS[language]
  const { to, name } = await webhookOf(request)
  const title = w.rotateTitle({ name })
  const options = GRACES.map((value) => ({ value, label: w.graces[value] }))
  return formPage(
    request,
    title,
    { lead: w.rotateLead, back: { to, label: name }, to: `${to}/rotate`, button: w.rotateButton, draft },
    choices({ name: 'grace', kind: 'radio', label: w.grace, options, chosen: ['86400'], draft }),
  )
}

export async function rotate(request: ProjectRequest): Promise<Outcome> {
  const { context, project } = request
  const { hook, name } = await webhookOf(request)
  const { data, draft } = readForm(RotateForm, request)
  if (!data) return rotatePage(request, draft)
  const fresh = await context.webhooks.webhooks.rotate(project.id, hook.id, Number(data.grace) * 1000)
  await record(request, 'webhook.rotated', name, { id: hook.id, graceSeconds: Number(data.grace) })
  return redirect(await showOnce(request, fresh))
}

export async function removePage(request: ProjectRequest): Promise<HtmlPage> {
  const w = WEBHOOKS[request.language]
  const { to, name } = await webhookOf(request)
  const title = w.removeTitle({ name })
  return formPage(request, title, {
    lead: w.removeLead,
    back: { to, label: name },
    to: `${to}/remove`,
    button: w.removeButton,
    isDangerous: true,
    cancel: w.keep,
  })
}
