import { z } from 'zod'
import { html } from '../../../../lib/html.ts'
import { keyState, MAX_ACTIVE_KEYS, type ApiKey } from '../../../../db/projects/keys.ts'
import { Fault } from '../../../../lib/errors.ts'
import { EMPTY_DRAFT, readForm, withProblem, type Draft } from '../../http/form.ts'
import { redirect, type Outcome, type HtmlPage } from '../../http/route.ts'
import { buttons, choices, formTo } from '../../ui/forms.ts'
import { head, keyLabel, linkButton, note } from '../../ui/components.ts'
import { record, type ProjectRequest } from '../../http/page-request.ts'
import type { BulkList } from '../bulk.ts'
import { showOnce } from './new.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const COMMON = textsOf('dashboard-common')
const KEYS = textsOf('dashboard-keys')

const GRACES = ['0', '3600', '86400', '604800'] as const
const RotateForm = z.object({ grace: z.enum(GRACES) })
/** Used so lately that something will miss it. */
const RECENT_MS = 24 * 3_600_000

export async function rotatePage(request: ProjectRequest, draft: Draft = EMPTY_DRAFT): Promise<HtmlPage> {
  const { language } = request
  const w = KEYS[language]
  const { key, to, name } = await place(request)
  const options = GRACES.map((value) => ({ value, label: w.graces[value] }))
  return await endingPage(request, {
    title: w.rotateTitle({ name }),
    lead: w.rotateLead,
    status: draft === EMPTY_DRAFT ? 200 : 422,
    body: formTo(
      request,
      `${to}/rotate`,
      html`${choices({
        name: 'grace',
        kind: 'radio',
        label: w.grace,
        hint: w.rotateRoom,
        options,
        chosen: [key.lastUsedAtMs === null ? '0' : '86400'],
        draft,
      })}
      ${buttons(w.rotateButton, { cancel: { value: to, label: COMMON[language].cancel } })}`,
      { draft },
    ),
  })
}

export async function rotate(request: ProjectRequest): Promise<Outcome> {
  const { context, project, language } = request
  const w = KEYS[language]
  const { data, draft } = readForm(RotateForm, request)
  if (!data) return await rotatePage(request, draft)
  const { key, name } = await place(request)
  try {
    const fresh = await context.keys.rotate(project.id, key.id, Number(data.grace) * 1000)
    await record(request, 'key.rotated', name, { from: key.prefix, to: fresh.prefix, graceSeconds: Number(data.grace) })
    return redirect(await showOnce(request, fresh))
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'conflict') throw error
    const isActive = keyState(key, context.now()) === 'active'
    return await rotatePage(
      request,
      withProblem(draft, 'form', isActive ? w.full({ max: MAX_ACTIVE_KEYS }) : w.notActive),
    )
  }
}

export async function revokePage(request: ProjectRequest): Promise<HtmlPage> {
  const { context, language } = request
  const w = KEYS[language]
  const { key, to, name } = await place(request)
  const isUsed = key.lastUsedAtMs !== null && key.lastUsedAtMs > context.now() - RECENT_MS
  return await endingPage(request, {
    title: w.revokeTitle({ name }),
    lead: w.revokeLead,
    body: html`${isUsed && note('warn', w.usedRecently)}
    ${formTo(
      request,
      `${to}/revoke`,
      buttons(w.revokeButton, { isDangerous: true, cancel: { value: to, label: w.keep } }),
    )}`,
  })
}

export async function revoke(request: ProjectRequest): Promise<Outcome> {
  const { context, project } = request
  const { key, name } = await place(request)
  await context.keys.revoke(project.id, key.id)
  if (key.revokedAtMs === null) await record(request, 'key.revoked', name, { prefix: key.prefix })
  return redirect(`/dashboard/projects/${project.id}/keys?done=revoked`)
}

/** What can be done to several keys at once. */
export const KEY_BULK: BulkList = {
  path: 'keys',
  access: 'manager',
  param: 'keyId',
  words: (language) => KEYS[language].bulk,
  async rows({ context, project }) {
    const active = (await context.keys.list(project.id)).filter((key) => keyState(key, context.now()) === 'active')
    return active.map((key) => ({ id: key.id, name: keyLabel(key), can: ['revoke'] }))
  },
  actions: { revoke },
}

async function place({
  context,
  project,
  params,
  language,
}: ProjectRequest): Promise<{ key: ApiKey; to: string; name: string }> {
  const key = await context.keys.get(project.id, params['keyId'] ?? '')
  return { key, to: `/dashboard/projects/${project.id}/keys/${key.id}`, name: key.name ?? KEYS[language].unnamed }
}

/** Asks before a key ends; only a working key can. */
async function endingPage(
  request: ProjectRequest,
  { title, lead, body, status = 200 }: Pick<HtmlPage, 'title' | 'body' | 'status'> & { readonly lead: string },
): Promise<HtmlPage> {
  const w = KEYS[request.language]
  const { key, to, name } = await place(request)
  const isActive = keyState(key, request.context.now()) === 'active'
  return {
    kind: 'page',
    title,
    status,
    body: html`${head(title, { lead, back: { to, label: name } })}
    ${isActive ? body : html`${note('warn', w.notActive)} ${linkButton(to, name)}`}`,
  }
}
