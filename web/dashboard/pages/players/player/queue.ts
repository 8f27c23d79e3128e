import { html, type Markup } from '../../../../../lib/html.ts'
import type { QueueItems } from '../../../../../bot/player/queue/queue-items.ts'
import { rangeOf, ROWS_PER_PAGE } from '../../../../../bot/player/queue/queue-search.ts'
import { isAtLeast, type ProjectRequest } from '../../../http/page-request.ts'
import type { Outcome } from '../../../http/route.ts'
import { queueSearchField } from '../../../../ui/queue-search.ts'
import { selectionBar } from '../../../../ui/table.ts'
import { clock } from '../chapters.ts'
import { placeAt, playerScopeOf, type ShownPlayer } from '../search.ts'
import { nextPart } from './now.ts'
import { queueRows, requesterOf } from './queue-rows.ts'
import { textsOf } from '../../../../../lib/texts/texts.ts'

const PLAYER = textsOf('dashboard-player')

/** The whole queue. Without script it comes in pages; with it, rows are fetched as they are scrolled to. */
export function queuePanel(request: ProjectRequest, place: ShownPlayer, items: QueueItems): Markup {
  const w = PLAYER[request.language]
  const from = pageStart(request, items)
  const mayChange = isAtLeast(request.project.role, 'manager')
  const total = items.tracks.length
  const isEmpty = total === 0
  return html`<section class="panel queue-panel" aria-labelledby="queue-title">
    <div class="queue-head">
      <h2 id="queue-title">${w.queue} <small data-summary>${summaryOf(request, items)}</small></h2>
      ${queueSearchField(w.findInQueue)}
    </div>
    <div data-part="next">${nextPart(request, place, items)}</div>
    <form
      method="post"
      class="queue-form"
      data-queue="${place.address}/queue"
      data-version="${items.version}"
      data-total="${total}"
      data-from="${from}"
      novalidate
    >
      <input type="hidden" name="csrf" value="${request.csrf}" />
      ${mayChange && queueTools(request, place, { isEmpty, total })}
      <ol
        class="tracks rows"
        data-rows
        tabindex="0"
        aria-labelledby="queue-title"
        ${mayChange && { markup: 'aria-describedby="queue-keys"' }}
        ${isEmpty && { markup: 'hidden' }}
        start="${from + 1}"
      >
        ${queueRows(request, place, items, rangeOf(items, { from }).places)}
      </ol>
      ${mayChange && html`<p class="hidden" id="queue-keys">${w.keys}</p>`}
    </form>
    ${pager(request, from, total)}
  </section>`
}

function queueTools(
  { language }: ProjectRequest,
  { address }: ShownPlayer,
  { isEmpty, total }: { readonly isEmpty: boolean; readonly total: number },
): Markup {
  const w = PLAYER[language]
  const tool = (action: string, label: string) =>
    html`<button
      class="button small quiet"
      formaction="${address}/${action}"
      data-action="${action}"
      data-tool
      ${isEmpty && { markup: 'disabled' }}
    >
      ${label}
    </button>`
  // The first button is the one that Enter in the field presses.
  return html`<div class="queue-tools">
    ${selectionBar(
      w.selectAll,
      w.selected({ count: 0 }),
      html`<span class="move-to">
          <button class="button small" formaction="${address}/move" data-bulk="move">${w.moveSelected}</button>
          <input type="number" name="to" min="1" max="${total}" value="1" aria-label="${w.moveSelected}" data-to />
        </span>
        <button class="button small" formaction="${address}/next" data-bulk="next">${w.nextSelected}</button>
        <button class="button small" formaction="${address}/remove" data-bulk="remove">${w.removeSelected}</button>`,
    )}
    <div class="actions">
      ${tool('shuffle', w.shuffle)} ${tool('dedupe', w.dedupe)} ${tool('clear', w.clear)}
      <button class="button small quiet" formaction="${address}/undo" data-plain>${w.undo}</button>
    </div>
  </div>`
}

/** The number of queued tracks and their total length. */
export function summaryOf({ language }: ProjectRequest, { tracks }: QueueItems): string {
  if (tracks.length === 0) return ''
  const lengthMs = tracks.reduce((sum, { info }) => sum + (info.isStream ? 0 : info.lengthMs), 0)
  return `${PLAYER[language].tracks({ count: tracks.length })} · ${clock(lengthMs)}`
}

function pager({ language }: ProjectRequest, from: number, total: number): Markup | false {
  const w = PLAYER[language]
  if (total <= ROWS_PER_PAGE) return false
  return html`<nav class="pager" aria-label="${w.queue}" data-plain>
    ${from > 0 && html`<a class="button small" href="?from=${Math.max(from - ROWS_PER_PAGE, 0)}#queue-title">${w.earlier}</a>`}
    ${from + ROWS_PER_PAGE < total && html`<a class="button small" href="?from=${from + ROWS_PER_PAGE}#queue-title">${w.later}</a>`}
  </nav>`
}

function pageStart({ query }: ProjectRequest, { tracks }: QueueItems): number {
  const from = Number(query.get('from') ?? 0)
  return Number.isInteger(from) && from > 0 ? Math.min(from, Math.max(tracks.length - 1, 0)) : 0
}

/** Rows for the script, with the version of the queue that they are of. */
export async function queuePage(request: ProjectRequest): Promise<Outcome> {
  const place = await placeAt(request)
  const items = await request.context.music.queueItems(await playerScopeOf(request, place.bot.id), place.guildId)
  if (request.query.has('ids')) return json({ version: items.version, ids: items.ids })
  const find = request.query.get('find') ?? undefined
  const nameOf = (requesterId: string) => requesterOf(request, place, { requesterId })
  const { page, places } = rangeOf(items, { from: pageStart(request, items), find, nameOf })
  return json({ ...page, rows: queueRows(request, place, items, places).map(({ markup }) => markup) })
}

function json(body: object): Outcome {
  return { kind: 'file', contentType: 'application/json', body: JSON.stringify(body) }
}
