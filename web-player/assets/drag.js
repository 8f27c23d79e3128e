// Rows that can be moved by dragging their handle, with a mouse, a finger or a pen, or by the arrow keys on it.

/** @param onMove called with the old and the new place, from 0. */
export function makeSortable(list, onMove) {
  let row = null
  let from = 0

  list.addEventListener('pointerdown', (event) => {
    const handle = event.target.closest('[data-handle]')
    if (!handle || handle.getAttribute('aria-disabled') === 'true' || event.button !== 0) return
    row = handle.closest('li')
    from = [...list.children].indexOf(row)
    row.classList.add('dragged')
    handle.setPointerCapture(event.pointerId)
  })
  list.addEventListener('pointermove', (event) => {
    if (!row) return
    const over = rowAt(list, event.clientY)
    if (!over || over === row) return
    const { top, height } = over.getBoundingClientRect()
    over[event.clientY < top + height / 2 ? 'before' : 'after'](row)
  })
  const drop = () => {
    if (!row) return
    const to = [...list.children].indexOf(row)
    row.classList.remove('dragged')
    row = null
    onMove(from, to)
  }
  list.addEventListener('pointerup', drop)
  list.addEventListener('pointercancel', drop)
  list.addEventListener('keydown', (event) => {
    const handle = event.target.closest('[data-handle]')
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!handle || !step) return
    event.preventDefault()
    if (handle.getAttribute('aria-disabled') === 'true') return
    const rows = [...list.children]
    const at = rows.indexOf(handle.closest('li'))
    const to = at + step
    if (to < 0 || to >= rows.length) return
    rows[to][step < 0 ? 'before' : 'after'](rows[at])
    handle.focus()
    onMove(at, to)
  })
  return { isDragging: () => row !== null }
}

function rowAt(list, y) {
  return [...list.children].find((it) => {
    const { top, bottom } = it.getBoundingClientRect()
    return y >= top && y <= bottom
  })
}
