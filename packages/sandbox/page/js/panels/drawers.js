import { find } from '../core/dom.js'

// On a phone the channels come from the left, members, network and traffic from the right.
const DRAWERS = ['sidebar', 'side']
const isNarrow = { sidebar: matchMedia('(max-width: 52rem)'), side: matchMedia('(max-width: 72rem)') }
let open = null
let opener = null

export function startDrawers() {
  find('shade').addEventListener('click', closeDrawers)
  addEventListener('keydown', ({ key }) => key === 'Escape' && closeDrawers())
  for (const query of Object.values(isNarrow)) query.addEventListener('change', closeAndApply)
  apply()
}

export const isOpen = (id) => open === id

export function openDrawer(id) {
  opener = document.activeElement
  open = id
  apply()
  find(id).querySelector('button, select, [tabindex="0"]')?.focus()
}

export function closeDrawers() {
  if (open === null) return
  open = null
  apply()
  opener?.focus()
}

function closeAndApply() {
  open = null
  apply()
}

function apply() {
  for (const id of DRAWERS) {
    find(id).classList.toggle('open', open === id)
    // A closed drawer must not take the focus.
    find(id).inert = isNarrow[id].matches && open !== id
    document.querySelector(`[aria-controls="${id}"]`)?.setAttribute('aria-expanded', String(open === id))
  }
  for (const id of ['chat', 'listen']) find(id).inert = open !== null
  find('shade').hidden = open === null
}
