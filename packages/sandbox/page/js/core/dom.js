export const find = (id) => document.getElementById(id)

/**
 * Makes an element. Strings become text and never markup: messages may say anything.
 * @param facts properties; `data`, `aria` and `on` are records of their own; `role`, `for` and the like are attributes.
 */
export function make(tag, facts = {}, ...children) {
  const element = document.createElement(tag)
  fill(element, facts)
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false))
  return element
}

const ATTRIBUTES = new Set(['role', 'for', 'list', 'popovertarget', 'inputmode'])

export function fill(element, { data = {}, aria = {}, on = {}, ...facts }) {
  for (const [name, value] of Object.entries(data)) if (value !== undefined) element.dataset[name] = value
  for (const [name, value] of Object.entries(aria)) setAria(element, name, value)
  for (const [name, listener] of Object.entries(on)) element.addEventListener(name, listener)
  for (const [name, value] of Object.entries(facts)) {
    if (value === undefined) continue
    if (ATTRIBUTES.has(name)) element.setAttribute(name, value)
    else element[name] = value
  }
}

function setAria(element, name, value) {
  if (value === null || value === undefined) element.removeAttribute(`aria-${name}`)
  else element.setAttribute(`aria-${name}`, String(value))
}

/** A button with a picture, or words, or both. */
export function button({ label, picture, text, press, ...facts }) {
  const words = text ?? null
  const element = make('button', { type: 'button', ...facts }, picture ?? null, words)
  if (label) {
    element.setAttribute('aria-label', label)
    if (!words) element.title = label
  }
  if (press) element.addEventListener('click', press)
  return element
}

/** Replaces what is in an element and leaves the focus on what stands for the same thing (`data-key`). */
export function refill(element, ...children) {
  const key = element.contains(document.activeElement) ? document.activeElement.dataset.key : undefined
  element.replaceChildren(...children.flat().filter(Boolean))
  if (key !== undefined) element.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus()
}

/** Tells screen readers. */
export function announce(text) {
  find('announce').textContent = text
}
