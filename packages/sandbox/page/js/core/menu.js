import { make } from './dom.js'

/** Puts a popover beside what it belongs to, inside the window. */
export function place(popover, anchor) {
  const at = anchor.getBoundingClientRect()
  const { width, height } = popover.getBoundingClientRect()
  const left = Math.max(8, Math.min(at.left, innerWidth - width - 8))
  const below = at.bottom + 4
  const top = below + height < innerHeight - 8 ? below : Math.max(8, at.top - height - 4)
  Object.assign(popover.style, { left: `${left}px`, top: `${top}px` })
}

/** Shows something in the top layer until it is left. The browser closes it by Escape or a press elsewhere. */
export function openPopover(anchor, popover) {
  popover.popover = 'auto'
  popover.addEventListener('toggle', ({ newState }) => {
    if (newState === 'open') return
    anchor.setAttribute('aria-expanded', 'false')
    if (popover.contains(document.activeElement) || document.activeElement === document.body) anchor.focus()
    popover.remove()
  })
  // Inside a landmark, which is not drawn again.
  const home = anchor.closest('#sidebar, #side, #chat') ?? document.body
  home.append(popover)
  popover.showPopover()
  place(popover, anchor)
  anchor.setAttribute('aria-expanded', 'true')
  return popover
}

/**
 * A menu of things to do.
 * @param items `{ text, picture, act, checked, danger }`; null draws a line.
 */
export function openMenu(anchor, label, items) {
  const close = () => menu.hidePopover()
  const rows = items.map((item) => (item ? row(item, close) : make('hr')))
  const menu = make('div', { className: 'menu', role: 'menu', aria: { label }, on: { keydown: onKey } }, rows)
  openPopover(anchor, menu)
  menu.querySelector('[role^=menuitem]')?.focus()
}

function row({ text, picture, act, checked, danger }, close) {
  const isChoice = checked !== undefined
  return make(
    'button',
    {
      type: 'button',
      role: isChoice ? 'menuitemradio' : 'menuitem',
      tabIndex: -1,
      className: danger ? 'danger-text' : '',
      aria: isChoice ? { checked } : {},
      on: {
        click() {
          close()
          act()
        },
      },
    },
    picture ?? null,
    text,
  )
}

function onKey(event) {
  const rows = [...event.currentTarget.querySelectorAll('[role^=menuitem]')]
  const at = rows.indexOf(document.activeElement)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key]
  if (event.key === 'Tab') event.currentTarget.hidePopover()
  if (to === undefined) return
  event.preventDefault()
  rows.at(to % rows.length)?.focus()
}
