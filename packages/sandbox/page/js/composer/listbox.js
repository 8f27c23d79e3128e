import { make } from '../core/dom.js'

/**
 * The list above the message box. The focus stays in the input, which says which row is meant (a combobox).
 * @param onPick takes the row's value.
 */
export function createListbox(element, onPick) {
  const list = { element, onPick, rows: [], active: -1, owner: null }
  return {
    show: (input, facts) => show(list, input, facts),
    hide: () => hide(list),
    get isOpen() {
      return !element.hidden
    },
    get activeItem() {
      return list.rows[list.active]?.item ?? null
    },
    /** Goes up or down, around the ends. */
    step(by) {
      const { rows, active } = list
      if (rows.length === 0) return
      list.active = active < 0 && by < 0 ? rows.length - 1 : (active + by + rows.length) % rows.length
      mark(list)
    },
  }
}

function show(list, input, { label, items, note = null, selected = -1 }) {
  if (list.owner && list.owner !== input) release(list)
  list.owner = input
  list.active = Math.min(selected, items.length - 1)
  list.rows = items.map((item, at) => drawRow(list, item, at))
  list.element.replaceChildren(
    ...(note ? [make('p', { className: 'quiet list-note' }, note)] : []),
    make('ul', { id: 'choices', role: 'listbox', aria: { label } }, list.rows),
  )
  list.element.hidden = items.length === 0 && !note
  input.setAttribute('aria-expanded', String(items.length > 0))
  mark(list)
}

function drawRow(list, item, at) {
  const { title, detail = '', end = '' } = item
  const row = make(
    'li',
    { id: `choice-${at}`, role: 'option', className: 'choice-row', aria: { selected: at === list.active } },
    make('span', { className: 'choice-title' }, title),
    make('span', { className: 'quiet grow ellipsis' }, detail),
    end ? make('span', { className: 'quiet tiny' }, end) : null,
  )
  // Before the input loses the focus.
  row.addEventListener('pointerdown', (event) => event.preventDefault())
  row.addEventListener('click', () => list.onPick(item.value))
  row.item = item
  return row
}

function mark({ rows, active, owner }) {
  for (const [at, row] of rows.entries()) row.setAttribute('aria-selected', String(at === active))
  if (active >= 0) owner.setAttribute('aria-activedescendant', `choice-${active}`)
  else owner?.removeAttribute('aria-activedescendant')
  rows[active]?.scrollIntoView({ block: 'nearest' })
}

function release({ owner }) {
  owner?.setAttribute('aria-expanded', 'false')
  owner?.removeAttribute('aria-activedescendant')
}

function hide(list) {
  release(list)
  Object.assign(list, { owner: null, rows: [], active: -1 })
  list.element.hidden = true
  list.element.replaceChildren()
}

export function makeCombobox(input, label) {
  input.setAttribute('role', 'combobox')
  for (const [name, value] of Object.entries({
    label,
    autocomplete: 'list',
    expanded: false,
    controls: 'choices',
    haspopup: 'listbox',
  }))
    input.setAttribute(`aria-${name}`, String(value))
  return input
}
