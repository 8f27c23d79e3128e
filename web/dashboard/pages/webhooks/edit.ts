import { z } from 'zod'
import { html, type Markup } from '../../../../lib/html.ts'
import { MAX_WEBHOOKS, WEBHOOK_EVENTS, type Webhook, type WebhookChoice } from '../../../../db/webhooks/webhooks.ts'
import { Fault } from '../../../../lib/errors.ts'
import { EMPTY_DRAFT, readForm, withProblem, type Draft, type Read } from '../../http/form.ts'
import { changesBetween } from '../../http/changes.ts'
import { redirect, type Outcome, type HtmlPage } from '../../http/route.ts'
import { formPage, choices, field } from '../../ui/forms.ts'
import { note } from '../../ui/components.ts'
import { record, type ProjectRequest } from '../../http/page-request.ts'
import type { PageLanguage } from '../../../../lib/texts/languages.ts'
import { webhooksPath, webhookOf } from './webhook.ts'
import { showOnce } from './secret.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const COMMON = textsOf('dashboard-common')
const WEBHOOKS = textsOf('dashboard-webhooks')

const NEW: WebhookChoice = { url: '', description: '', events: WEBHOOK_EVENTS, botIds: null }

export async function createPage(request: ProjectRequest, draft: Draft = EMPTY_DRAFT): Promise<HtmlPage> {
  const { context, project, language } = request
  const w = WEBHOOKS[language]
  const base = webhooksPath(request)
  const isFull = (await context.webhooks.webhooks.list(project.id)).length >= MAX_WEBHOOKS
  const back = { to: base, label: w.title }
  const once = draft.values['once'] ?? (await context.tickets.issue('once', request.session.id, { to: '' }))
  const before = isFull && draft === EMPTY_DRAFT && note('warn', w.full({ max: MAX_WEBHOOKS }))
  const options = { lead: w.createLead, back, to: `${base}/new`, button: w.createButton, draft, before }
  const fields = html`<input type="hidden" name="once" value="${once}" /> ${await choiceFields(request, NEW, draft)}`
  return formPage(request, w.create, options, fields)
}

export async function editPage(request: ProjectRequest, draft: Draft = EMPTY_DRAFT): Promise<HtmlPage> {
  const { language } = request
  const { hook, to, name } = await webhookOf(request)
  const title = WEBHOOKS[language].editTitle({ name })
  const options = { back: { to, label: name }, to: `${to}/edit`, button: COMMON[language].save, draft }
  return formPage(request, title, options, await choiceFields(request, hook, draft))
}

async function choiceFields(request: ProjectRequest, given: WebhookChoice, draft: Draft): Promise<Markup> {
  const { context, project, language } = request
  const w = WEBHOOKS[language]
  const bots = (await context.bots.list(project.id)).map(({ id, name }) => ({ value: id, label: name }))
  const events = WEBHOOK_EVENTS.map((value) => ({ value, label: value, hint: w.eventWords[value] }))
  return html`${field({ name: 'url', label: w.url, type: 'url', inputMode: 'url', hint: w.urlHint, draft, value: given.url, placeholder: 'https://example.com/webhooks', maxLength: 2048, isRequired: true, hasFocus: true })}
  ${field({ name: 'description', label: w.description, hint: w.descriptionHint, draft, value: given.description, maxLength: 200 })}
  ${choices({ name: 'events', kind: 'checkbox', label: w.events, options: events, chosen: given.events, draft })}
  ${bots.length > 0 && choices({ name: 'bots', kind: 'checkbox', label: w.bots, hint: w.botsHint, options: bots, chosen: given.botIds ?? [], draft })}`
}

export async function create(request: ProjectRequest): Promise<Outcome> {
  const { context, project, language, session, form } = request
  const w = WEBHOOKS[language]
  const { data, draft } = await readChoice(request)
  if (!data) return await createPage(request, draft)
  const createOne = async () => {
    const hook = await context.webhooks.webhooks.create(project.id, data)
    await record(request, 'webhook.created', new URL(hook.url).host, { id: hook.id, events: hook.events.join(' ') })
    return showOnce(request, hook)
  }
  try {
    // A second press of the button leads to the webhook of the first.
    return redirect(await context.tickets.redirectOnce(session.id, form.get('once') ?? '', createOne))
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'conflict') throw error
    return await createPage(request, withProblem(draft, 'form', w.full({ max: MAX_WEBHOOKS })))
  }
}

export async function change(request: ProjectRequest): Promise<Outcome> {
  const { context, project } = request
  const { hook, to, name } = await webhookOf(request)
  const { data, draft } = await readChoice(request)
  if (!data) return await editPage(request, draft)
  // Bots that are no longer there cannot be ticked, and must not turn into all bots.
  const bots = await context.bots.list(project.id)
  const gone = (hook.botIds ?? []).filter((id) => !bots.some((bot) => bot.id === id))
  const botIds = data.botIds === null && gone.length > 0 ? gone : data.botIds
  const changed = await context.webhooks.webhooks.change(project.id, hook.id, { ...data, botIds })
  await record(request, 'webhook.changed', name, {
    id: hook.id,
    ...changesBetween(await shownOf(request, hook), await shownOf(request, changed)),
  })
  await context.webhooks.wake(project.id, hook.id)
  return redirect(`${to}?done=changed`)
}

/** The webhook as the audit log shows it; the rest of its URL may be a secret. */
async function shownOf({ context, project }: ProjectRequest, { url, description, events, botIds }: Webhook) {
  const names = new Map((await context.bots.list(project.id)).map(({ id, name }) => [id, name]))
  const bots = botIds?.map((id) => names.get(id) ?? id).join(', ') ?? null
  return { url: new URL(url).host, description, events: events.join(' '), bots }
}

/** Reads the form and resolves the host of its URL. */
async function readChoice(request: ProjectRequest): Promise<Read<WebhookChoice>> {
  const { context, language } = request
  const w = WEBHOOKS[language]
  const { data, draft } = readForm(schema(language), request, ['events', 'bots'])
  if (!data) return { data, draft }
  try {
    const { href: url } = await context.egress.check(data.url)
    const { description, events, bots } = data
    return { data: { url, description, events, botIds: bots.length === 0 ? null : bots }, draft }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const host = new URL(data.url).hostname
    const problem = error.code === 'validation_error' ? w.privateUrl({ host }) : w.urlAway
    return { data: null, draft: withProblem(draft, 'url', problem) }
  }
}

/** Other refusals are about the host. */
function isWebAddress(text: string): boolean {
  const url = URL.parse(text)
  return (url?.protocol === 'https:' || url?.protocol === 'http:') && url.username === '' && url.password === ''
}

function schema(language: PageLanguage) {
  const w = WEBHOOKS[language]
  return z.object({
    url: z.string().trim().min(1, COMMON[language].missing).max(2048, w.badUrl).refine(isWebAddress, w.badUrl),
    description: z
      .string()
      .trim()
      .max(200, w.longDescription)
      .regex(/^\P{Cc}*$/u, w.longDescription)
      .default(''),
    events: z.array(z.enum(WEBHOOK_EVENTS), w.noEvent).min(1, w.noEvent),
    bots: z.array(z.string().max(30)).max(1000).default([]),
  })
}
