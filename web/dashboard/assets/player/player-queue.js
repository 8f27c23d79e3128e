import { announce, counted, elementsOf, find, say, words } from './player-page.js'
import { post } from './player-send.js'
import { moved, QueueRows, removed } from './queue-rows.js'
import { QueueSearch } from './queue-search.js'
import { Selection } from './selection.js'
import { makeSortable } from './sortable.js'
import { VirtualList } from './virtual-list.js'

// The whole queue. Only the rows that are seen are in the page, however long it is.
const form = find('.queue-form')
const list = find('[data-rows]')
const numbers = new Intl.NumberFormat(document.documentElement.lang)
const mayChange = list.hasAttribute('aria-describedby')
const known = new Map()
const rows = new QueueRows({
  load: (from) => load({ from }),
  loadIds: async () => (await (await fetch(`${form.dataset.queue}?ids=1`)).json()).ids,
  version: Number(form.dataset.version),
  total: Number(form.dataset.total),
  onChange() {
    search.follow()
    render()
  },
})
const search = new QueueSearch({
  list,
  queue: rows,
  load: (text, from) => load({ find: text, from }),
  say: (count) => (count === null ? words.failed : counted(words.results, count)),
  onChange: () => render(),
})
const seen = new VirtualList(list, {
  rows: () => search.rows.view,
  want: (from, to) => search.rows.want(from, to),
  make: ({ markup }) => elementsOf(markup).firstElementChild,
  place,
  placeholder,
})

const selection = new Selection(form, { total: () => search.rows.view.length, onChange: () => render() })

async function load(query) {
  const response = await fetch(`${form.dataset.queue}?${new URLSearchParams(query)}`)
  if (!response.ok) return null
  const page = await response.json()
  if (known.size > 2 * page.total + 1000) known.clear()
  return { ...page, rows: page.rows.map(keep) }
}

/** The row of a track, the same as before: it keeps its element and the focus. */
function keep(markup) {
  const row = toRow(markup)
  if (!known.has(row.id)) known.set(row.id, row)
  return known.get(row.id)
}

/** @param markup of a row, which names its number. */
function toRow(markup) {
  return { id: Number(/data-id="(\d+)"/.exec(markup)[1]), markup }
}

function placeholder() {
  const element = document.createElement('li')
  element.className = 'loading'
  element.textContent = words.loading
  return element
}

function place(element, at, row) {
  element.querySelector('.place').textContent = numbers.format(search.placeAt(at, row) + 1)
  const box = element.querySelector('input')
  const isOn = selection.has(row.id)
  if (box) box.checked = isOn
  element.classList.toggle('selected', isOn)
}

function render() {
  setTools(rows.view.length)
  seen.render()
  if (selection.size > 0 && !rows.view.includes(undefined)) selection.keep(rows.view.map(({ id }) => id))
}

function setTools(total) {
  for (const button of form.querySelectorAll('[data-tool]')) button.disabled = total === 0
  const to = form.querySelector('[data-to]')
  if (to) to.max = String(Math.max(total, 1))
}

const toBase36 = (ids) => [...ids].map((id) => id.toString(36)).join('.')

/** Does something to rows, shown at once. @returns whether it was done. */
async function perform(name, { ids, to = 1, change, isQuiet = false }) {
  const done = change && rows.begin(change)
  const fields = { ...(ids && { ids: toBase36(ids) }), ...(name === 'move' && { to }) }
  const answer = await post(`${form.dataset.queue.slice(0, -'/queue'.length)}/${name}`, fields)
  const isDone = answer !== null && answer?.refused === null
  done?.(isDone ? answer.version : 0)
  if (isDone && name !== 'skip-to' && !isQuiet) say(words.changed, { label: words.undo, run: () => void undo() })
  return isDone
}

async function undo() {
  if (await perform('undo', { isQuiet: true })) say(words.undone)
}

async function remove(ids) {
  const at = seen.shown.findIndex((row) => row && ids.has(row.id))
  const hadFocus = list.contains(document.activeElement)
  const doing = perform('remove', { ids, change: removed(ids) })
  search.hide(ids)
  if (hadFocus) seen.focusOn(at, '[formaction$="/remove"]')
  if (!(await doing)) return search.refresh()
  for (const id of ids) selection.toggle(id, false)
}

/** Performs the action of a button of the form. */
function act(button) {
  const name = button.getAttribute('formaction').split('/').at(-1)
  const ids = button.name === 'only' ? new Set([Number(button.value)]) : selection.ids
  if ('tool' in button.dataset) return void perform(name, {})
  if (name === 'remove') return void remove(ids)
  if (name === 'skip-to') return void perform(name, { ids })
  const to = name === 'next' ? 1 : Math.min(Math.max(Number(form.elements.to.value) || 1, 1), rows.view.length)
  if (button.name === 'only') return void perform(name, { ids, to, change: moved(ids, to) })
  void moveSelected(name, ids, to)
}

/** The selection is cleared at once, since the next rows may be selected before the answer comes. */
async function moveSelected(name, ids, to) {
  selection.none()
  if (!(await perform(name, { ids, to, change: moved(ids, to) }))) selection.all(ids)
}

/** Moves one row, or all that are selected with it, after a drag or an arrow key. */
async function drop(from, to) {
  const all = rows.view
  const row = all[from]
  seen.settle()
  if (from === to || !row) return render()
  const ids = selection.has(row.id) ? selection.ids : new Set([row.id])
  const others = all.toSpliced(from, 1).slice(0, to)
  const place = others.filter((it) => !it || !ids.has(it.id)).length + 1
  const title = seen.elementOf(row).querySelector('b').textContent
  const isDone = await perform('move', { ids, to: place, change: moved(ids, place), isQuiet: ids.size === 1 })
  if (isDone) announce(words.movedTo.replace('%', title).replace('0', numbers.format(place)))
}

async function onClick(event) {
  const element = event.target.closest('li[data-id]')
  if (!element || event.target.closest('button')) return
  const id = Number(element.dataset.id)
  seen.active = id
  const box = element.querySelector('input')
  if (event.shiftKey) {
    getSelection().removeAllRanges()
    selection.extendTo(id, await search.ids())
  } else if (event.target === box) selection.toggle(id, box.checked)
  else if (event.ctrlKey || event.metaKey) selection.toggle(id)
  else selection.only(id)
}

const STEPS = { ArrowUp: -1, ArrowDown: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity }

async function onKey(event) {
  if (event.defaultPrevented) return
  const { key, shiftKey, target } = event
  if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === 'a') {
    event.preventDefault()
    return selection.all(await search.ids())
  }
  const at = seen.indexOf(Number(target.closest('li')?.dataset.id ?? seen.active))
  if (key === 'Delete' && at !== -1) {
    const one = new Set([seen.shown[at].id])
    return void remove(selection.size > 0 ? selection.ids : one)
  }
  if (key === 'Enter' && target.type === 'checkbox') return event.preventDefault()
  if (!(key in STEPS)) return
  event.preventDefault()
  const start = target === list ? -1 : at
  const to = Math.min(Math.max(start + STEPS[key], 0), seen.shown.length - 1)
  if (shiftKey && at !== -1 && selection.size === 0) selection.toggle(seen.shown[at].id, true)
  seen.focusOn(to, target.closest('button') ? `[formaction$="/${target.getAttribute('formaction')?.split('/').at(-1)}"]` : 'input')
  const id = seen.shown[to]?.id
  if (shiftKey && id !== undefined) selection.extendTo(id, await search.ids())
}

/** Applies a queue message of the stream. */
export function takeQueue(message) {
  rows.apply({ ...message, in: message.in?.map(([at, what]) => [at, typeof what === 'string' ? toRow(what) : what]) })
  find('[data-summary]').textContent = message.summary
}

function openEditing() {
  selection.open(() => search.ids())
  makeSortable(list, {
    ...seen.sortable,
    onMove: (from, to) => void drop(from, to),
  })
  list.addEventListener('click', (event) => void onClick(event))
  list.addEventListener('keydown', (event) => void onKey(event))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    delete form.dataset.sent
    act(event.submitter)
  })
}

export function openQueue() {
  const [from, known] = [Number(form.dataset.from), [...list.children]]
  rows.fill(from, known.map((element) => toRow(element.outerHTML)))
  for (const [at, element] of known.entries()) seen.adopt(rows.view[from + at], element)
  if (mayChange) openEditing()
  render()
}
