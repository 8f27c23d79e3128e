import {
  announce,
  clock,
  counted,
  find,
  grouped,
  iconButton,
  isAllowed,
  make,
  relabel,
  setAllowed,
  words,
} from './page.js'
import { ask, perform } from './connection.js'
import { lengthOf, trackRow } from './lists.js'
import { moved, QueueRows } from './queue-rows.js'
import { QueueSearch } from './queue-search.js'
import { rightTo } from './rights.js'
import { makeSortable } from './sortable.js'
import { VirtualList } from './virtual-list.js'

// The whole queue and its actions.
const list = find('[data-queue]')
const suggestion = find('[data-suggestion]')
const NO_QUEUE = { version: 0, total: 0, from: 0, rows: [] }
/** Time until the page has surely been told of a change that it shows ahead. */
const TOLD_MS = 1000
const known = new Map()
let me = null
let channelId = null
let waiting = null

const rows = new QueueRows({
  load: (from) => load({ from }),
  version: 0,
  total: 0,
  onChange() {
    search.follow()
    shown.render()
  },
})
const search = new QueueSearch({
  list,
  queue: rows,
  load: (text, from) => load({ find: text, from }),
  say: (count) => (count === null ? words.failed : counted(words.results, count)),
  onChange: () => shown.render(),
})
const shown = new VirtualList(list, {
  rows: () => search.rows.view,
  want: (from, to) => search.rows.want(from, to),
  make: makeRow,
  place,
  placeholder: () => make('li', { class: 'hint' }, words.loading),
})
const sorting = makeSortable(list, {
  ...shown.sortable,
  onMove(from, to) {
    shown.settle()
    if (from !== to) void move(from, to)
    shown.render()
    waiting?.()
  },
})

async function load(query) {
  const page = await ask(`queue?${new URLSearchParams(query)}`)
  return { ...page, rows: page.rows.map(keep) }
}

/** The row of a track, the same as before: it keeps its element and the focus. */
function keep(row) {
  const before = known.get(row.id)
  if (before && JSON.stringify(before) === JSON.stringify(row)) return before
  known.set(row.id, row)
  return row
}

export function showQueue(player, given) {
  waiting = null
  if (sorting.isDragging()) {
    waiting = () => showQueue(player, given)
    return
  }
  me = given
  channelId = player?.channelId ?? null
  const queue = player?.queue ?? NO_QUEUE
  const focus = focused()
  if (known.size > 2 * queue.total + 1000) known.clear()
  rows.apply({ ...queue, isWhole: true, rows: queue.rows.map(keep) })
  restore(focus)
  find('[data-queue-head]').hidden = queue.total === 0
  find('[data-queue-sum]').textContent = `${counted(words.tracks, queue.total)} · ${clock(player?.queueMs ?? 0)}`
  const next = queue.total === 0 ? (player?.suggestion ?? null) : null
  suggestion.hidden = next === null
  suggestion.replaceChildren(...(next ? [trackRow({ ...next, requester: words.suggestion }, lengthOf(next))] : []))
  find('[data-queue-empty]').hidden = queue.total > 0 || next !== null
}

function makeRow(row) {
  const button = (act, picture, label) => iconButton(picture, `${label}: ${row.title}`, { 'data-act': act })
  const item = trackRow(
    row,
    lengthOf(row),
    button('skipTo', 'jump', words.playNow),
    button('next', 'play-next', words.playNext),
    button('remove', 'cross', words.remove),
  )
  item.dataset.id = row.id
  item.prepend(iconButton('grip', words.move, { 'data-handle': true, 'aria-describedby': 'move-hint' }))
  return item
}

function place(element, at, row) {
  const [handle, jump, next, remove] = element.querySelectorAll('button')
  relabel(handle, `${words.move}: ${row.title}. ${words.movedTo} ${grouped(search.placeAt(at, row) + 1)}`)
  setAllowed(handle, ...rightTo(me, 'move'))
  setAllowed(jump, ...rightTo(me, 'skipTo'))
  setAllowed(next, ...rightTo(me, 'move'))
  // Members may remove their own requests while in the channel: as with `resume`, without a vote.
  const [why, isByVote] = rightTo(me, 'remove')
  const isMine = me !== null && row.requesterId === me.userId
  setAllowed(remove, isMine && me.voiceChannelId === channelId ? null : why, isByVote && !isMine)
}

async function move(from, to, row = rows.view[from]) {
  if (!row) return
  // What takes a vote stays where it is for now.
  const [, isByVote] = rightTo(me, 'move')
  const done = isByVote ? null : rows.begin(moved(new Set([row.id]), to + 1))
  const isDone = await perform('move', { from: from + 1, to: to + 1 })
  if (isDone && !isByVote) announce(`${row.title}: ${words.movedTo} ${grouped(to + 1)}`)
  setTimeout(() => done?.(0), isDone ? TOLD_MS : 0)
}

async function act(name, id) {
  const at = await search.placeOf(id)
  if (name !== 'next') return perform(name, async () => ({ position: (await search.placeOf(id)) + 1 }))
  if (at > 0) await move(at, 0, known.get(id))
}

/** The control that has the focus, and the place of its row. */
function focused() {
  const element = list.contains(document.activeElement) ? document.activeElement : null
  const row = element?.closest('li[data-id]')
  return row ? { at: shown.indexOf(Number(row.dataset.id)), selector: selectorOf(element) } : null
}

const selectorOf = ({ dataset }) => (dataset.act ? `[data-act="${dataset.act}"]` : '[data-handle]')

/** Puts the focus on the row that took the place of one that is gone. */
function restore(focus) {
  if (!focus || list.contains(document.activeElement)) return
  if (search.rows.view.length === 0) return find('#tab-queue').focus()
  shown.focusOn(focus.at, focus.selector)
}

const STEPS = { ArrowUp: -1, ArrowDown: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity }

list.addEventListener('keydown', (event) => {
  const focus = focused()
  if (event.defaultPrevented || !focus || !(event.key in STEPS)) return
  event.preventDefault()
  shown.focusOn(focus.at + STEPS[event.key], focus.selector)
})
list.addEventListener('click', ({ target }) => {
  const button = target.closest('[data-act]')
  if (button && isAllowed(button)) void act(button.dataset.act, Number(button.closest('li').dataset.id))
})
