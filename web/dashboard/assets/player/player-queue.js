import { announce, elementsOf, find, say, words } from './player-page.js'
import { post } from './player-send.js'
import { moved, QueueRows, removed } from './player-rows.js'
import { extendTo, isSelected, keepOnly, openSelection, selectAll, selectedIds, selectNone, selectOnly, toggle } from './player-selection.js'
import { makeSortable } from './sortable.js'

// The whole queue. Only the rows that are seen are in the page, however long it is.
const form = find('.queue-form')
const list = find('[data-rows]')
const mayChange = list.hasAttribute('aria-describedby')
const OVERSCAN = 6
const rows = new QueueRows({
  url: form.dataset.queue,
  version: Number(form.dataset.version),
  total: Number(form.dataset.total),
  onChange: () => render(),
})
const elements = new WeakMap()
let rowHeight = 0
/** The row that Tab comes to. */
let active = null
let preview = null

const heightOf = () => (rowHeight ||= list.querySelector('li')?.offsetHeight ?? 0)

function shown() {
  const all = rows.view
  if (!preview || preview.from === preview.to) return all
  return all.toSpliced(preview.from, 1).toSpliced(preview.to, 0, all[preview.from])
}

function elementOf(row) {
  const known = elements.get(row)
  if (known) return known
  const element = elementsOf(row.markup).firstElementChild
  elements.set(row, element)
  return element
}

function placeholder() {
  const element = document.createElement('li')
  element.className = 'loading'
  element.textContent = words.loading
  return element
}

function place(element, at, row) {
  element.style.top = `${at * rowHeight}px`
  element.setAttribute('aria-posinset', String(at + 1))
  element.setAttribute('aria-setsize', String(rows.view.length))
  if (!row) return
  element.querySelector('.place').textContent = String(at + 1)
  const box = element.querySelector('input')
  const isOn = isSelected(row.id)
  if (box) box.checked = isOn
  element.classList.toggle('selected', isOn)
  const tabIndex = row.id === active ? 0 : -1
  for (const control of element.querySelectorAll('input, button')) if (control.tabIndex !== tabIndex) control.tabIndex = tabIndex
}

function render() {
  const all = shown()
  list.hidden = all.length === 0
  setTools(all.length)
  if (all.length === 0) return list.replaceChildren()
  if (heightOf() === 0) return measure()
  list.classList.add('virtual')
  list.style.setProperty('--height', `${all.length * rowHeight}px`)
  const first = Math.max(0, Math.floor(list.scrollTop / rowHeight) - OVERSCAN)
  const last = Math.min(all.length, Math.ceil((list.scrollTop + list.clientHeight) / rowHeight) + OVERSCAN)
  rows.want(first, last)
  if (!all.some((row) => row?.id === active)) active = all.slice(first, last).find(Boolean)?.id ?? null
  const focused = document.activeElement
  const held = all.findIndex((row) => row && elements.get(row)?.contains(focused))
  const wanted = []
  for (let at = first; at < last; at += 1) wanted.push(at)
  if (held !== -1 && (held < first || held >= last)) wanted[held < first ? 'unshift' : 'push'](held)
  show(wanted.map((at) => {
    const element = all[at] ? elementOf(all[at]) : placeholder()
    place(element, at, all[at])
    return element
  }))
  if (focused !== document.activeElement && list.contains(focused)) focused.focus({ preventScroll: true })
  keepOnly(all)
}

/** Puts the elements in order and moves only misplaced ones. */
function show(wanted) {
  const keep = new Set(wanted)
  for (const element of Array.from(list.children)) if (!keep.has(element)) element.remove()
  for (const [at, element] of wanted.entries()) {
    if (list.children[at] !== element) list.insertBefore(element, list.children[at] ?? null)
  }
}

/** Renders a first row alone to measure the row height. */
function measure() {
  const known = shown().find(Boolean)
  if (!known) return rows.want(0, 1)
  list.replaceChildren(elementOf(known))
  if (heightOf() > 0) render()
}

function setTools(total) {
  for (const button of form.querySelectorAll('[data-tool]')) button.disabled = total === 0
  const to = form.querySelector('[data-to]')
  if (to) to.max = String(Math.max(total, 1))
}

const indexOf = (id) => shown().findIndex((row) => row?.id === id)

/** Scrolls a row into sight and puts the focus on one of its controls. */
function focusOn(at, selector) {
  const all = shown()
  const to = Math.min(Math.max(at, 0), all.length - 1)
  if (to < 0) return list.focus()
  const [top, bottom] = [to * rowHeight, (to + 1) * rowHeight]
  if (top < list.scrollTop) list.scrollTop = top
  if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight
  active = all[to]?.id ?? active
  render()
  const element = all[to] && elementOf(all[to])
  const control = element?.querySelector(selector) ?? element?.querySelector('input, button') ?? list
  control.focus({ preventScroll: true })
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
  const at = shown().findIndex((row) => row && ids.has(row.id))
  const hadFocus = list.contains(document.activeElement)
  const doing = perform('remove', { ids, change: removed(ids) })
  if (hadFocus) focusOn(at, '[formaction$="/remove"]')
  if (await doing) for (const id of ids) toggle(id, false)
}

/** Performs the action of a button of the form. */
function act(button) {
  const name = button.getAttribute('formaction').split('/').at(-1)
  const ids = button.name === 'only' ? new Set([Number(button.value)]) : selectedIds()
  if ('tool' in button.dataset) return void perform(name, {})
  if (name === 'remove') return void remove(ids)
  if (name === 'skip-to') return void perform(name, { ids })
  const to = name === 'next' ? 1 : Math.min(Math.max(Number(form.elements.to.value) || 1, 1), shown().length)
  if (button.name === 'only') return void perform(name, { ids, to, change: moved(ids, to) })
  void moveSelected(name, ids, to)
}

/** The selection is cleared at once, since the next rows may be selected before the answer comes. */
async function moveSelected(name, ids, to) {
  selectNone()
  if (!(await perform(name, { ids, to, change: moved(ids, to) }))) selectAll(ids)
}

/** Moves one row, or all that are selected with it, after a drag or an arrow key. */
async function drop(from, to) {
  const all = rows.view
  const row = all[from]
  preview = null
  if (from === to || !row) return render()
  const ids = isSelected(row.id) ? selectedIds() : new Set([row.id])
  const others = all.toSpliced(from, 1).slice(0, to)
  const place = others.filter((it) => !it || !ids.has(it.id)).length + 1
  const title = elementOf(row).querySelector('b').textContent
  const isDone = await perform('move', { ids, to: place, change: moved(ids, place), isQuiet: ids.size === 1 })
  if (isDone) announce(words.movedTo.replace('%', title).replace('0', String(place)))
}

async function onClick(event) {
  const element = event.target.closest('li[data-id]')
  if (!element || event.target.closest('button')) return
  const id = Number(element.dataset.id)
  active = id
  const box = element.querySelector('input')
  if (event.shiftKey) {
    getSelection().removeAllRanges()
    extendTo(id, await rows.ids())
  } else if (event.target === box) toggle(id, box.checked)
  else if (event.ctrlKey || event.metaKey) toggle(id)
  else selectOnly(id)
}

const STEPS = { ArrowUp: -1, ArrowDown: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity }

async function onKey(event) {
  if (event.defaultPrevented) return
  const { key, shiftKey, target } = event
  if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === 'a') {
    event.preventDefault()
    return selectAll(await rows.ids())
  }
  const at = indexOf(Number(target.closest('li')?.dataset.id ?? active))
  if (key === 'Delete' && at !== -1) {
    const one = new Set([shown()[at].id])
    return void remove(selectedIds().size > 0 ? selectedIds() : one)
  }
  if (key === 'Enter' && target.type === 'checkbox') return event.preventDefault()
  if (!(key in STEPS)) return
  event.preventDefault()
  const start = target === list ? -1 : at
  const to = Math.min(Math.max(start + STEPS[key], 0), shown().length - 1)
  if (shiftKey && at !== -1 && selectedIds().size === 0) toggle(shown()[at].id, true)
  focusOn(to, target.closest('button') ? `[formaction$="/${target.getAttribute('formaction')?.split('/').at(-1)}"]` : 'input')
  const id = shown()[to]?.id
  if (shiftKey && id !== undefined) extendTo(id, shown().map((row) => row?.id))
}

/** Applies a queue message of the stream. */
export function takeQueue(message) {
  rows.apply(message)
  find('[data-summary]').textContent = message.summary
}

function openEditing() {
  openSelection(rows, render)
  makeSortable(list, {
    indexOf: (element) => indexOf(Number(element.dataset.id)),
    count: () => rows.view.length,
    indexAt: (y) => Math.floor((y - list.getBoundingClientRect().top + list.scrollTop) / rowHeight),
    show(from, to) {
      preview = { from, to }
      render()
    },
    focus: (at) => focusOn(at, '[data-handle]'),
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
  rows.fill(Number(form.dataset.from), [...list.children].map((element) => element.outerHTML))
  const known = [...list.children]
  for (const [at, element] of known.entries()) elements.set(rows.view[Number(form.dataset.from) + at], element)
  if (mayChange) openEditing()
  let isDue = false
  list.addEventListener('scroll', () => {
    if (isDue) return
    isDue = true
    requestAnimationFrame(() => {
      isDue = false
      render()
    })
  })
  new ResizeObserver(() => {
    rowHeight = 0
    render()
  }).observe(list)
  render()
}
