import { html, type Markup } from '../../../../lib/html.ts'
import { keyState, MAX_ACTIVE_KEYS, type ApiKey } from '../../../../db/projects/keys.ts'
import type { HtmlPage } from '../../http/route.ts'
import { searchField } from '../../ui/forms.ts'
import {
  ago,
  chip,
  copyPrefix,
  doneNote,
  emptyState,
  head,
  keyLabel,
  linkButton,
  note,
  number,
  pager,
} from '../../ui/components.ts'
import { table, type Column } from '../../../ui/table.ts'
import { isAtLeast, type ProjectRequest } from '../../http/page-request.ts'
import { bulkCell, bulkColumn, bulkTable } from '../bulk.ts'
import { KEY_BULK } from './revoke.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const COMMON = textsOf('dashboard-common')
const KEYS = textsOf('dashboard-keys')

const PER_PAGE = 100

/** The newest keys first: the active ones, or all, also revoked and expired ones. */
export async function listPage(request: ProjectRequest): Promise<HtmlPage> {
  const { context, project, language, query } = request
  const w = KEYS[language]
  const nowMs = context.now()
  const keys = (await context.keys.list(project.id)).toReversed()
  const active = keys.filter((key) => keyState(key, nowMs) === 'active')
  const isAll = query.get('shown') === 'all'
  const wanted = query.get('q')?.trim().toLowerCase() ?? ''
  const found = (isAll ? keys : active).filter((key) => isNamed(key, wanted))
  const start = found.findIndex(({ id }) => id === query.get('before')) + 1
  const shown = found.slice(start, start + PER_PAGE)
  const mayChange = isAtLeast(project.role, 'manager')
  const isFull = active.length >= MAX_ACTIVE_KEYS
  const base = `/dashboard/projects/${project.id}/keys`
  const button = mayChange && !isFull && linkButton(`${base}/new`, w.create, { kind: 'primary', icon: 'plus' })
  const nameOf = await targetNames(request)
  const rows = shown.map((key) => row(request, key, { target: nameOf(key), isAll }))
  const here = `${base}?${new URLSearchParams({ shown: isAll ? 'all' : 'active', q: wanted }).toString()}`
  const cursors = {
    before: start > 0 ? start : null,
    next: start + PER_PAGE < found.length ? (shown.at(-1)?.id ?? null) : null,
  }
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
        : html`${toolbar(request, { active: active.length, all: keys.length })}
          ${
            rows.length === 0
              ? emptyState('search', w.noneTitle, w.noneText)
              : bulkTable(request, KEY_BULK, table(w.title, columnsOf(request, isAll), rows))
          }
          ${pager(language, here, cursors)}`
    }`,
  }
}

/** Whether a key has a text in its name, its ID or the part that is not secret. */
function isNamed({ name, id, prefix }: ApiKey, text: string): boolean {
  return text === '' || id === text || `svc.${prefix}`.includes(text) || (name ?? '').toLowerCase().includes(text)
}

function toolbar(
  { project, language, query }: ProjectRequest,
  counts: Readonly<Record<'active' | 'all', number>>,
): Markup {
  const w = KEYS[language]
  const base = `/dashboard/projects/${project.id}/keys`
  const shown = query.get('shown') === 'all' ? 'all' : 'active'
  const q = query.get('q') ?? ''
  const tab = (name: 'active' | 'all') =>
    html`<a
      href="${base}?${new URLSearchParams({ shown: name, q }).toString()}"
      ${name === shown && { markup: 'aria-current="true"' }}
      >${w.tabs[name]} ${number(language, counts[name])}</a
    >`
  return html`<div class="toolbar">
    <nav class="tab-row" aria-label="${w.state}">${tab('active')} ${tab('all')}</nav>
    <form method="get" action="${base}" class="filters" role="search">
      <input type="hidden" name="shown" value="${shown}" />
      ${searchField('q', w.search, q)}
      <button class="button">${w.find}</button>
    </form>
  </div>`
}

/** The state tells nothing among active keys. */
function columnsOf(request: ProjectRequest, isAll: boolean): readonly Column[] {
  const { project, language } = request
  const w = KEYS[language]
  return [
    ...bulkColumn(request, KEY_BULK),
    [w.name, 'name'],
    [w.key, 'label'],
    ...(isAll ? [[w.state, 'state'] as const] : []),
    [w.bot, 'label'],
    [w.lastUse, 'age'],
    [w.expiry, 'age'],
    ...(isAtLeast(project.role, 'manager') ? [['', 'action'] as const] : []),
  ]
}

interface Shown {
  readonly target: string
  readonly isAll: boolean
}

function row(request: ProjectRequest, key: ApiKey, { target, isAll }: Shown): Markup {
  const { context, project, language } = request
  const w = KEYS[language]
  const { never } = COMMON[language]
  const isEnded = keyState(key, context.now()) !== 'active'
  const to = `/dashboard/projects/${project.id}/keys/${key.id}`
  const revoke = html`<a href="${to}/revoke" aria-label="${w.revokeTitle({ name: keyLabel(key) })}">${w.revoke}</a>`
  return html`<tr class="${isEnded && 'ended'}">
    ${bulkCell(request, KEY_BULK, key.id, isEnded ? null : keyLabel(key))}
    <th scope="row"><a href="${to}">${key.name ?? w.unnamed}</a></th>
    <td>${copyPrefix(language, key.prefix)}</td>
    ${isAll && html`<td>${keyChip(request, key)}</td>`}
    <td>${target}</td>
    <td>${key.lastUsedAtMs === null ? never : ago(request, key.lastUsedAtMs)}</td>
    <td>${key.expiresAtMs === null ? never : ago(request, key.expiresAtMs)}</td>
    ${isAtLeast(project.role, 'manager') && html`<td>${!isEnded && revoke}</td>`}
  </tr>`
}

export function keyChip({ context, language }: ProjectRequest, key: ApiKey): Markup {
  const w = KEYS[language]
  const state = keyState(key, context.now())
  if (state === 'revoked') return chip('bad', w.states.revoked)
  if (state === 'expired') return chip('quiet', w.states.expired)
  return chip('good', w.states.active)
}

/** Names the bot or the pool that a key controls. */
export async function targetNames({ context, project, language }: ProjectRequest): Promise<(key: ApiKey) => string> {
  const w = KEYS[language]
  const [bots, pools] = [await context.bots.list(project.id), await context.pools.list(project.id)]
  return ({ botId, poolId }) => {
    if (poolId !== null) return pools.find(({ id }) => id === poolId)?.name ?? w.gonePool
    if (botId === null) return w.noBot
    return bots.find(({ id }) => id === botId)?.name ?? w.goneBot
  }
}
