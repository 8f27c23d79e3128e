import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { html, type Markup } from '../../../../lib/html.ts'
import { KEY_CLASSES, type KeySettings } from '../../../../db/projects/key-settings.ts'
import { keyState, MAX_ACTIVE_KEYS, type ApiKey, type NewKey } from '../../../../db/projects/keys.ts'
import { Fault } from '../../../../lib/errors.ts'
import { EMPTY_DRAFT, readForm, withProblem, type Draft } from '../../http/form.ts'
import { redirect, type Outcome, type HtmlPage } from '../../http/route.ts'
import { formPage, choices, field, select, textArea } from '../../ui/forms.ts'
import { commandLine, pathFor } from '../../ui/command-line.ts'
import { copyable, head, linkButton, note } from '../../ui/components.ts'
import { record, type ProjectRequest } from '../../http/page-request.ts'
import type { PageLanguage } from '../../../../lib/texts/languages.ts'
import { nameField } from '../fields.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const COMMON = textsOf('dashboard-common')
const KEYS = textsOf('dashboard-keys')

export const EXPIRIES = ['never', '30', '90', '365'] as const
const DAY_MS = 86_400_000

export async function createPage(request: ProjectRequest, draft: Draft = EMPTY_DRAFT): Promise<HtmlPage> {
  const { context, project, language, query } = request
  const w = KEYS[language]
  const base = `/dashboard/projects/${project.id}/keys`
  const isFull = (await context.keys.list(project.id)).filter((key) => keyState(key, context.now()) === 'active').length
  const once = draft.values['once'] ?? (await context.tickets.issue('once', request.session.id, { to: '' }))
  const bots = (await context.bots.list(project.id)).map(({ id, name }) => ({ value: id, label: name }))
  const pools = (await context.pools.list(project.id)).map(({ id, name }) => ({ value: id, label: w.aPool({ name }) }))
  return formPage(
    request,
    w.create,
    {
      lead: w.createLead,
      back: { to: base, label: w.title },
      to: `${base}/new`,
      button: w.createButton,
      draft,
      before: isFull >= MAX_ACTIVE_KEYS && note('warn', w.full({ max: MAX_ACTIVE_KEYS })),
    },
    html`<input type="hidden" name="once" value="${once}" />
      ${nameInput(language, draft)}
      ${select({
        name: 'bot',
        label: w.bot,
        hint: w.botHint,
        draft,
        value: query.get('bot') ?? bots[0]?.value ?? '',
        choices: [...bots, ...pools, { value: '', label: w.withoutBot }],
      })}
      ${select({
        name: 'expires',
        label: w.expires,
        draft,
        value: 'never',
        choices: EXPIRIES.map((value) => ({ value, label: w.expiries[value] })),
      })}
      ${limitFields(language, draft)}
      <p class="hint">${w.rule}</p>`,
  )
}

/** @param key to change; left out: a new one. */
export function nameInput(language: PageLanguage, draft: Draft, key?: ApiKey): Markup {
  const { name: label, nameHint: hint } = KEYS[language]
  const value = key?.name ?? undefined
  return field({ name: 'name', label, hint, draft, value, maxLength: 100, isRequired: true, hasFocus: !key })
}

/** The addresses and classes of a new key, or of one to change. */
export function limitFields(language: PageLanguage, draft: Draft, key?: ApiKey): Markup {
  const w = KEYS[language]
  const options = KEY_CLASSES.map((value) => ({ value, label: COMMON[language].classes[value] }))
  const chosen = key?.classes ?? KEY_CLASSES
  const allow = { label: w.allow, hint: w.allowHint, value: key?.allow?.join('\n') }
  return html`${textArea({ name: 'allow', ...allow, draft, rows: 2, placeholder: '203.0.113.0/24' })}
  ${choices({ name: 'classes', kind: 'checkbox', label: w.classes, hint: w.classesHint, options, chosen, draft })}`
}

export async function create(request: ProjectRequest): Promise<Outcome> {
  const { context, project, language, session } = request
  const w = KEYS[language]
  const { data, draft } = readForm(schema(language), request, ['classes'])
  if (!data) return await createPage(request, draft)
  const target = await targetOf(request, data.bot)
  const settings = settingsOf(data, expiryOf(data.expires, context.now()))
  const { expiresAtMs } = settings
  const createOne = async () => {
    const key = await context.keys.create({ projectId: project.id, ...target, ...settings })
    await record(request, 'key.created', data.name, {
      prefix: key.prefix,
      bot: data.bot || null,
      expires: expiresAtMs === null ? data.expires : new Date(expiresAtMs).toISOString(),
    })
    return showOnce(request, key)
  }
  try {
    // A second press of the button leads to the key of the first.
    return redirect(await context.tickets.redirectOnce(session.id, data.once, createOne))
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'conflict') throw error
    return await createPage(request, withProblem(draft, 'form', w.full({ max: MAX_ACTIVE_KEYS })))
  }
}

/** @throws {Fault} `not_found` */
async function targetOf({ context, project }: ProjectRequest, chosen: string) {
  if (chosen === '') return {}
  if ((await context.pools.list(project.id)).some(({ id }) => id === chosen)) return { poolId: chosen }
  if ((await context.bots.list(project.id)).some(({ id }) => id === chosen)) return { botId: chosen }
  throw new Fault('not_found', 'The project has no bot or pool with this ID.')
}

/** The time at which a choice of the form ends a key. */
export function expiryOf(choice: (typeof EXPIRIES)[number], nowMs: number): number | null {
  return choice === 'never' ? null : nowMs + Number(choice) * DAY_MS
}

/** An empty list, or one with all classes, is none. */
export function settingsOf(data: KeyForm, expiresAtMs: number | null): KeySettings {
  const { name, allow, classes } = data
  const isAll = classes.length === KEY_CLASSES.length
  return { name, allow: allow.length === 0 ? null : allow, classes: isAll ? null : classes, expiresAtMs }
}

interface KeyForm {
  readonly name: string
  readonly allow: readonly string[]
  readonly classes: readonly (typeof KEY_CLASSES)[number][]
}

/** What a form says of a key, new or not. */
export function settingsFields(language: PageLanguage) {
  const w = KEYS[language]
  const lines = z.string().transform((text) => text.split(/[\s,]+/).filter((line) => line !== ''))
  const allow = lines.superRefine((ranges, context) => {
    const wrong = ranges.find((range) => !ipaddr.isValid(range) && !ipaddr.isValidCIDR(range))
    if (wrong !== undefined) context.addIssue(w.badAllow({ line: wrong.slice(0, 60) }))
    if (ranges.length > 50) context.addIssue(w.manyAllow)
  })
  return {
    name: nameField(language),
    allow: allow.default([]),
    classes: z.array(z.enum(KEY_CLASSES), w.noClass).min(1, w.noClass),
  }
}

function schema(language: PageLanguage) {
  return z.object({
    ...settingsFields(language),
    once: z.string().max(100).default(''),
    bot: z.string().max(30).default(''),
    expires: z.enum(EXPIRIES).default('never'),
  })
}

/** Keeps a new key, encrypted, until its page was looked at, and no longer. @returns where that page is. */
export async function showOnce({ context, project, session }: ProjectRequest, { id, key }: NewKey): Promise<string> {
  const ticket = await context.tickets.issue('shown', session.id, { of: id, secret: key })
  return `/dashboard/projects/${project.id}/keys/${id}/shown?ticket=${ticket}`
}

export async function shownPage(request: ProjectRequest): Promise<HtmlPage> {
  const { context, project, language, params, query, session } = request
  const w = KEYS[language]
  const known = await context.keys.get(project.id, params['keyId'] ?? '')
  const base = `/dashboard/projects/${project.id}/keys`
  const ticket = await context.tickets.take('shown', session.id, query.get('ticket') ?? '')
  const secret = ticket?.of === known.id ? ticket.secret : null
  const content =
    secret === null
      ? html`${note('warn', w.newGone)} ${linkButton(base, w.title)}`
      : html`${note('warn', w.newText)} ${copyable(language, w.theKey, secret, { isSecret: true })}
          ${commandLine(request, pathFor(known.botId ?? known.poolId), { label: w.tryIt, key: secret })}
          ${copyable(language, w.forAgents, agentSettings(request, secret))}
          <p>${linkButton(base, w.stored, { kind: 'primary', icon: 'check' })}</p>`
  return {
    kind: 'page',
    title: w.newTitle,
    body: html`${head(w.newTitle, { lead: known.name ?? w.unnamed })}
      <div class="panel once">${content}</div>`,
  }
}

/** The server entry for the settings files of Claude Code, Cursor and others; see docs/mcp.md. */
function agentSettings({ context }: ProjectRequest, key: string): string {
  const headers = { Authorization: `Bearer ${key}` }
  const bandstand = { type: 'http', url: `${context.baseUrl()}/mcp`, headers }
  return JSON.stringify({ mcpServers: { bandstand } }, null, 2)
}
