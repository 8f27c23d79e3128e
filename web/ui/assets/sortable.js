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
