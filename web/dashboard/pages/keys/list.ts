import { html, type Markup } from '../../../../lib/html.ts'
import { keyState, MAX_ACTIVE_KEYS, type ApiKey } from '../../../../db/projects/keys.ts'
import type { HtmlPage } from '../../http/route.ts'
import { commandLine, pathFor } from '../../ui/command-line.ts'
import {
  ago,
  chip,
  copyId,
  copyPrefix,
  doneNote,
  emptyState,
  head,
  linkButton,
  moment,
  note,
  table,
} from '../../ui/components.ts'
import { isAtLeast, type ProjectRequest } from '../../http/page-request.ts'
import { entryOf, textsOf } from '../../../../lib/texts/texts.ts'

const COMMON = textsOf('dashboard-common')
const KEYS = textsOf('dashboard-keys')

/** Lists all keys, working ones first. */
export async function listPage(request: ProjectRequest): Promise<HtmlPage> {
  const { context, project, language } = request
  const w = KEYS[language]
  const nowMs = context.now()
  const keys = await context.keys.list(project.id)
  const active = keys.filter((key) => keyState(key, nowMs) === 'active')
  const ended = keys.filter((key) => !active.includes(key))
  const mayChange = isAtLeast(project.role, 'manager')
  const isFull = active.length >= MAX_ACTIVE_KEYS
  const to = `/dashboard/projects/${project.id}/keys/new`
  const button = mayChange && !isFull && linkButton(to, w.create, { kind: 'primary', icon: 'plus' })
  const heads = [w.name, w.key, w.state, w.bot, w.lastUse, w.expiry, ...(mayChange ? [''] : [])]
  const nameOf = await targetNames(request)
  const rows = [...active.toReversed(), ...ended.toReversed()].map((key) => row(request, key, nameOf(key)))
  return {
    kind: 'page',
    title: w.title,
    body: html`${head(w.title, {
      lead: w.lead({ active: active.length, max: MAX_ACTIVE_KEYS }),
      action: keys.length > 0 && button,
    })}
    ${doneNote(request, w.done)} ${mayChange && isFull && note('warn', w.full({ max: MAX_ACTIVE_KEYS }))}
    ${
      keys.length === 0
        ? emptyState('key', w.emptyTitle, mayChange ? w.emptyText : w.emptyViewer, button)
        : table(w.title, heads, rows)
    }`,
  }
}

function row(request: ProjectRequest, key: ApiKey, target: string): Markup {
  const { context, project, language } = request
  const w = KEYS[language]
  const { never } = COMMON[language]
  const isEnded = keyState(key, context.now()) !== 'active'
  return html`<tr class="${isEnded && 'ended'}">
    <th scope="row">
      <a href="/dashboard/projects/${project.id}/keys/${key.id}">${key.name ?? w.unnamed}</a>
    </th>
    <td>${copyPrefix(language, key.prefix)}</td>
    <td>${keyChip(request, key)}</td>
    <td>${target}</td>
    <td>${key.lastUsedAtMs === null ? never : ago(request, key.lastUsedAtMs)}</td>
    <td>${key.expiresAtMs === null ? never : ago(request, key.expiresAtMs)}</td>
    ${
      isAtLeast(project.role, 'manager') &&
      html`<td>
        ${
          !isEnded &&
          html`<a
            href="/dashboard/projects/${project.id}/keys/${key.id}/revoke"
            aria-label="${w.revokeTitle({ name: key.name ?? `svc.${key.prefix}…` })}"
            >${w.revoke}</a
          >`
        }
      </td>`
    }
  </tr>`
}

function keyChip({ context, language }: ProjectRequest, key: ApiKey): Markup {
  const w = KEYS[language]
  const state = keyState(key, context.now())
  if (state === 'revoked') return chip('bad', w.states.revoked)
  if (state === 'expired') return chip('quiet', w.states.expired)
  return chip('good', w.states.active)
}

/** Names the bot or the pool that a key controls. */
async function targetNames({ context, project, language }: ProjectRequest): Promise<(key: ApiKey) => string> {
  const w = KEYS[language]
  const [bots, pools] = [await context.bots.list(project.id), await context.pools.list(project.id)]
  return ({ botId, poolId }) => {
    if (poolId !== null) return pools.find(({ id }) => id === poolId)?.name ?? w.gonePool
    if (botId === null) return w.noBot
    return bots.find(({ id }) => id === botId)?.name ?? w.goneBot
  }
}

/** One key: what it may do, how it is used, and how it ends. */
export async function keyPage(request: ProjectRequest): Promise<HtmlPage> {
  const { context, project, language, params } = request
  const w = KEYS[language]
  const { never, back } = COMMON[language]
  const key = await context.keys.get(project.id, params['keyId'] ?? '')
  const base = `/dashboard/projects/${project.id}/keys`
  const isActive = keyState(key, context.now()) === 'active'
  const actions = isActive &&
    isAtLeast(project.role, 'manager') && [
      linkButton(`${base}/${key.id}/rotate`, w.rotate),
      linkButton(`${base}/${key.id}/revoke`, w.revoke),
    ]
  const name = key.name ?? w.unnamed
  return {
    kind: 'page',
    title: name,
    body: html`${head(name, { lead: w.detailLead({ prefix: key.prefix }), back: { to: base, label: w.title || back }, action: actions })}
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
        <dt>${w.allow}</dt>
        <dd>${key.allow === null ? w.anywhere : key.allow.join(', ')}</dd>
        <dt>${w.classes}</dt>
        <dd>
          ${key.classes === null ? w.allClasses : key.classes.map((name) => entryOf(COMMON[language].classes, name) ?? name).join(' · ')}
        </dd>
        <dt>${w.usage}</dt>
        <dd><a href="/dashboard/projects/${project.id}/usage?range=day&by=key">${await usage(request, key)}</a></dd>
        <dt>ID</dt>
        <dd>${copyId(language, 'key', key.id)}</dd>
        <dt>${w.key}</dt>
        <dd>${copyPrefix(language, key.prefix)}</dd>
      </dl>
      ${isActive && commandLine(request, pathFor(key.botId ?? key.poolId))}`,
  }
}

async function usage({ context, project, language }: ProjectRequest, key: ApiKey): Promise<string> {
  const nowMs = context.now()
  const day = { span: 'hour', sinceMs: nowMs - 86_400_000, untilMs: nowMs } as const
  const rows = await context.usage.summary({ projectId: project.id, by: 'key', ...day })
  const own = rows.find(({ group }) => group === key.id)
  const shown = (value: number) => value.toLocaleString(language)
  return KEYS[language].requests({ all: shown(own?.requests ?? 0), refused: shown(own?.limited ?? 0) })
}
