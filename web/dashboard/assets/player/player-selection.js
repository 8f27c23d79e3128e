import { find, words } from './player-page.js'

// The selected rows, by their numbers: Shift selects a range, Ctrl adds one.
const bar = find('[data-selection]')
const all = find('[data-select-all]')
const count = find('[data-selected]')
const chosen = new Set()
let anchor = null
let onChange = () => undefined
let rowsOf = () => []

export const isSelected = (id) => chosen.has(id)
export const selectedIds = () => new Set(chosen)

function changed() {
  const total = rowsOf().length
  count.textContent = chosen.size > 0 ? words.selected.replace('0', chosen.size.toLocaleString(document.documentElement.lang)) : ''
  all.checked = chosen.size > 0 && chosen.size >= total
  all.indeterminate = chosen.size > 0 && chosen.size < total
  for (const control of bar.querySelectorAll('[data-bulk], [data-to]')) control.disabled = chosen.size === 0
  onChange()
}

export function toggle(id, isOn = !chosen.has(id)) {
  chosen[isOn ? 'add' : 'delete'](id)
  anchor = id
  changed()
}

export function selectOnly(id) {
  chosen.clear()
  toggle(id, true)
}

export function selectNone() {
  chosen.clear()
  changed()
}

/** Selects the range from the row chosen last to this one. @param ids of all rows, in their order. */
export function extendTo(id, ids) {
  const [from, to] = [ids.indexOf(anchor ?? id), ids.indexOf(id)]
  for (const it of ids.slice(Math.min(from, to), Math.max(from, to) + 1)) chosen.add(it)
  anchor ??= id
  changed()
}

export function selectAll(ids) {
  for (const id of ids) chosen.add(id)
  changed()
}

/** Rows that have gone are not selected any more. */
export function keepOnly(rows) {
  if (chosen.size === 0 || rows.includes(undefined)) return
  const there = new Set(rows.map(({ id }) => id))
  const before = chosen.size
  for (const id of chosen) if (!there.has(id)) chosen.delete(id)
  if (chosen.size !== before) changed()
}

/** @param model the rows; `render` shows them again. */
export function openSelection(model, render) {
  rowsOf = () => model.view
  onChange = render
  all.addEventListener('change', async () => (all.checked ? selectAll(await model.ids()) : selectNone()))
  changed()
}
