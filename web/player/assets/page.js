import { elementsOf, find, say } from './page-parts.js'

export { clock } from './clock.js'
export { announce, find, say } from './page-parts.js'

// Small helpers that every part of the player uses.
const read = (id) => JSON.parse(document.getElementById(id).textContent)

export const words = read('words')
const icons = read('icons')

/** An element with attributes and children; what members wrote only ever becomes text. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue
    if (key === 'class') element.className = value
    else element.setAttribute(key, value === true ? '' : String(value))
  }
  element.append(...children)
  return element
}

export const icon = (name) => elementsOf(icons[name])

export function iconButton(name, label, attributes = {}) {
  return make(
    'button',
    { type: 'button', class: 'round small', 'aria-label': label, title: label, ...attributes },
    icon(name),
  )
}

/** A lasting problem; null ends it. */
export function setProblem(text) {
  find('[data-problem]').hidden = text === null
  find('[data-problem-text]').textContent = text ?? ''
}

/** Disabled controls keep their place in the tab order, so that their reason can be read. */
export function setAllowed(control, why, isByVote = false) {
  control.disabled = false
  control.setAttribute('aria-disabled', String(why !== null))
  control.dataset.why = why ?? ''
  const label = control.getAttribute('aria-label') ?? control.textContent
  control.title = why ?? (isByVote ? `${label} (${words.byVote})` : label)
}

export function isAllowed(control) {
  if (control.getAttribute('aria-disabled') !== 'true') return true
  say(control.dataset.why || words.failed)
  return false
}
