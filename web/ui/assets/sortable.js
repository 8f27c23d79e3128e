// Rows that can be moved by dragging their handle, with a mouse, a finger or a pen, or by the arrow keys on it. The list may
// show a part of its rows only: who makes it sortable says where rows are.
const EDGE_PX = 48
const SCROLL_PX = 12

/**
 * @param rows `indexOf(row)`, `indexAt(clientY)` and `count()` say where rows are, from 0; `show(from, to)` shows how it would
 * be, and `show(from, from)` as it was; `focus(at)` puts the focus on the handle there; `onMove(from, to)` is called once.
 */
export function makeSortable(list, rows) {
  const drag = dragging(list, rows)
  list.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') return drag.end(false)
    const handle = handleOf(event)
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!handle || !step) return
    event.preventDefault()
    const from = rows.indexOf(handle.closest('li'))
    const to = from + step
    if (isDisabled(handle) || to < 0 || to >= rows.count()) return
    rows.show(from, to)
    rows.focus(to)
    rows.onMove(from, to)
  })
  return { isDragging: drag.isOn }
}

const handleOf = ({ target }) => target.closest('[data-handle]')
const isDisabled = (handle) => handle.getAttribute('aria-disabled') === 'true'

function dragging(list, { indexOf, indexAt, count, show, onMove }) {
  let drag = null

  const follow = () => {
    const to = Math.min(Math.max(indexAt(drag.y), 0), count() - 1)
    if (to === drag.to) return
    drag.to = to
    show(drag.from, to)
  }
  const scroll = () => {
    if (!drag) return
    const { top, bottom } = list.getBoundingClientRect()
    const by = drag.y < top + EDGE_PX ? -SCROLL_PX : drag.y > bottom - EDGE_PX ? SCROLL_PX : 0
    if (by !== 0 && list.scrollHeight > list.clientHeight) {
      list.scrollTop += by
      follow()
    }
    requestAnimationFrame(scroll)
  }
  const end = (isDropped) => {
    if (!drag) return
    const { from, to, row } = drag
    drag = null
    list.classList.remove('sorting')
    row.classList.remove('dragged')
    if (!isDropped) show(from, from)
    onMove(from, isDropped ? to : from)
  }
  list.addEventListener('pointerdown', (event) => {
    const handle = handleOf(event)
    if (!handle || isDisabled(handle) || event.button !== 0) return
    const row = handle.closest('li')
    const from = indexOf(row)
    drag = { from, to: from, y: event.clientY, row }
    list.classList.add('sorting')
    row.classList.add('dragged')
    // The row may leave the page while it is dragged far; the list stays.
    list.setPointerCapture(event.pointerId)
    requestAnimationFrame(scroll)
  })
  list.addEventListener('pointermove', (event) => {
    if (!drag) return
    drag.y = event.clientY
    follow()
  })
  list.addEventListener('pointerup', () => end(true))
  list.addEventListener('pointercancel', () => end(false))
  return { end, isOn: () => drag !== null }
}

/** Row functions for a list that shows all of its rows. */
export function rowsOf(list) {
  let before = null
  return {
    indexOf: (row) => [...list.children].indexOf(row),
    count: () => list.children.length,
    indexAt(y) {
      const rows = [...list.children]
      const at = rows.findIndex((it) => y < it.getBoundingClientRect().bottom)
      return at === -1 ? rows.length - 1 : at
    },
    show(from, to) {
      const rows = before ?? [...list.children]
      before = rows
      const shown = rows.toSpliced(from, 1).toSpliced(to, 0, rows[from])
      // Only misplaced rows are touched, so the handle keeps the focus.
      for (const [at, row] of shown.entries()) if (list.children[at] !== row) list.insertBefore(row, list.children[at])
    },
    focus: (at) => list.children[at]?.querySelector('[data-handle]')?.focus(),
    /** Ends the move and keeps the shown order. */
    settle: () => void (before = null),
  }
}
