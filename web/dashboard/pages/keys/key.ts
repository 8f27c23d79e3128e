import { z } from 'zod'
import { html, type Markup } from '../../../../lib/html.ts'
import { type KeySettings } from '../../../../db/projects/key-settings.ts'
import { keyState, type ApiKey } from '../../../../db/projects/keys.ts'
import { Fault } from '../../../../lib/errors.ts'
import { changesBetween } from '../../http/changes.ts'
import { EMPTY_DRAFT, readForm, withProblem, type Draft } from '../../http/form.ts'
import { redirect, type HtmlPage, type Outcome } from '../../http/route.ts'
import { commandLine, pathFor } from '../../ui/command-line.ts'
import { buttons, formTo, select } from '../../ui/forms.ts'
import { ago, copyId, copyPrefix, doneNote, head, linkButton, moment, number } from '../../ui/components.ts'
import { isAtLeast, record, type ProjectRequest } from '../../http/page-request.ts'
import { keyChip, targetNames } from './list.ts'
import { EXPIRIES, expiryOf, limitFields, nameInput, settingsFields, settingsOf } from './new.ts'
import { entryOf, textsOf } from '../../../../lib/texts/texts.ts'

const COMMON = textsOf('dashboard-common')
const KEYS = textsOf('dashboard-keys')

/** One key: what it may do, how it is used, and how it ends. */
export async function keyPage(request: ProjectRequest, draft: Draft = EMPTY_DRAFT): Promise<HtmlPage> {
  const { context, project, language, params } = request
  const w = KEYS[language]
  const { never, back } = COMMON[language]
  const key = await context.keys.get(project.id, params['keyId'] ?? '')
  const base = `/dashboard/projects/${project.id}/keys`
  const isActive = keyState(key, context.now()) === 'active'
  const mayChange = isActive && isAtLeast(project.role, 'manager')
  const actions = mayChange && [
    linkButton(`${base}/${key.id}/rotate`, w.rotate),
    linkButton(`${base}/${key.id}/revoke`, w.revoke),
  ]
  const name = key.name ?? w.unnamed
  return {
    kind: 'page',
    title: name,
    status: draft === EMPTY_DRAFT ? 200 : 422,
    body: html`${head(name, { lead: w.detailLead({ prefix: key.prefix }), back: { to: base, label: w.title || back }, action: actions })}
      ${doneNote(request, w.done)}
      <dl class="facts">
        <dt>${w.state}</dt>
        <dd>${keyChip(request, key)}</dd>
        <dt>${w.bot}</dt>
        <dd>${(await targetNames(request))(key)}</dd>
        <dt>${w.created}</dt>
        <dd>${moment(request, key.createdAtMs)}</dd>
        <dt>${w.expiry}</dt>
        <dd>${key.expiresAtMs === null ? never : moment(request, key.expiresAtMs)}</dd>
        <dt>${w.lastUse}</dt>
        <dd>${key.lastUsedAtMs === null ? never : ago(request, key.lastUsedAtMs)}</dd>
        ${
          !mayChange &&
          html`<dt>${w.allow}</dt>
            <dd>${key.allow === null ? w.anywhere : key.allow.join(', ')}</dd>
            <dt>${w.classes}</dt>
            <dd>
              ${key.classes === null ? w.allClasses : key.classes.map((name) => entryOf(COMMON[language].classes, name) ?? name).join(' · ')}
            </dd>`
        }
        <dt>${w.usage}</dt>
        <dd><a href="/dashboard/projects/${project.id}/usage?range=day&by=key">${await usage(request, key)}</a></dd>
        <dt>ID</dt>
        <dd>${copyId(language, 'key', key.id)}</dd>
        <dt>${w.key}</dt>
        <dd>${copyPrefix(language, key.prefix)}</dd>
      </dl>
      ${mayChange && settingsForm(request, key, draft)}
      ${isActive && commandLine(request, pathFor(key.botId ?? key.poolId))}`,
  }
}

async function usage({ context, project, language }: ProjectRequest, key: ApiKey): Promise<string> {
  const nowMs = context.now()
  const day = { span: 'hour', sinceMs: nowMs - 86_400_000, untilMs: nowMs } as const
  const rows = await context.usage.summary({ projectId: project.id, by: 'key', ...day })
  const own = rows.find(({ group }) => group === key.id)
  const shown = (value: number) => number(language, value)
  return KEYS[language].requests({ all: shown(own?.requests ?? 0), refused: shown(own?.limited ?? 0) })
}

/** What can be changed of a key, without a new one. */
function settingsForm(request: ProjectRequest, key: ApiKey, draft: Draft): Markup {
  const { project, language } = request
  const w = KEYS[language]
  const expiries = EXPIRIES.map((value) => ({ value, label: w.expiries[value] }))
  return html`<section>
    <h2>${w.settings}</h2>
    ${formTo(
      request,
      `/dashboard/projects/${project.id}/keys/${key.id}`,
      html`${nameInput(language, draft, key)}
      ${select({ name: 'expires', label: w.expires, draft, choices: [{ value: 'same', label: w.sameExpiry }, ...expiries] })}
      ${limitFields(language, draft, key)} ${buttons(COMMON[language].save)}`,
      { draft },
    )}
  </section>`
}

/** Saves the settings of a key. */
export async function change(request: ProjectRequest): Promise<Outcome> {
  const { context, project, language, params } = request
  const key = await context.keys.get(project.id, params['keyId'] ?? '')
  const form = z.object({ ...settingsFields(language), expires: z.enum(['same', ...EXPIRIES]).default('same') })
  const { data, draft } = readForm(form, request, ['classes'])
  if (!data) return await keyPage(request, draft)
  const expiresAtMs = data.expires === 'same' ? key.expiresAtMs : expiryOf(data.expires, context.now())
  try {
    const changed = await context.keys.change(project.id, key.id, settingsOf(data, expiresAtMs))
    const changes = changesBetween(noted(key), noted(changed))
    if (Object.keys(changes).length > 0)
      await record(request, 'key.changed', data.name, { prefix: key.prefix, ...changes })
    return redirect(`/dashboard/projects/${project.id}/keys/${key.id}?done=changed`)
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'conflict') throw error
    return await keyPage(request, withProblem(draft, 'form', KEYS[language].notActive))
  }
}

/** The settings as the audit log shows them. */
function noted({ name, allow, classes, expiresAtMs }: KeySettings) {
  const expires = expiresAtMs === null ? null : new Date(expiresAtMs).toISOString()
  return { name, allow: allow?.join(', ') ?? null, classes: classes?.join(', ') ?? null, expires }
}
