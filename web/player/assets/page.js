import { elementsOf, find, say } from './page-parts.js'

export { clock } from './clock.js'
export { announce, counted, find, grouped, say } from './page-parts.js'

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

/** Why something is not there, with a button that tries again. */
export function failureNote({ message }, retry) {
  const button = make('button', { type: 'button', class: 'button small' }, words.retry)
  button.addEventListener('click', retry)
  return make('p', { class: 'hint failed' }, message, ' ', button)
}

/** A lasting problem; null ends it. */
export function setProblem(text) {
  find('[data-problem]').hidden = text === null
  find('[data-problem-text]').textContent = text ?? ''
}

export function relabel(control, label) {
  control.dataset.label = label
  control.setAttribute('aria-label', label)
}

/** Disabled controls keep their place in the tab order, so that their reason can be read. */
export function setAllowed(control, why, isByVote = false) {
  control.disabled = false
  control.setAttribute('aria-disabled', String(why !== null))
  control.dataset.why = why ?? ''
  control.toggleAttribute('data-by-vote', isByVote && why === null)
  const name = control.getAttribute('aria-label')
  const label = (control.dataset.label ??= name ?? control.textContent.trim())
  const whole = isByVote && why === null ? `${label} (${words.byVote})` : label
  control.title = why ?? whole
  if (name !== null) control.setAttribute('aria-label', whole)
}

export function isAllowed(control) {
  if (control.getAttribute('aria-disabled') !== 'true') return true
  say(control.dataset.why || words.failed)
  return false
}
