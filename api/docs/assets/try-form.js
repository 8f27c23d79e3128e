// The values of the form, and the snippets made from them.
import { targetOf, typed } from './call.js'
import { copy } from './page.js'
import { currentKey } from './try-key.js'
import { call, element, form } from './try-page.js'

const KEY_PLACEHOLDER = 'svc.YOUR_KEY'
const TYPING_MS = 300

export function controls(place) {
  return [...form.elements].filter(({ name }) => name?.startsWith(`${place}.`))
}

export function filled(place) {
  return controls(place)
    .filter(({ value }) => value !== '')
    .map(({ name, value }) => [name.slice(place.length + 1), value])
}

export function isJson() {
  return form.elements.as?.value === 'json'
}

export function bodyText() {
  if (isJson()) return form.elements.json.value
  return JSON.stringify(Object.fromEntries(filled('body').map(([name, value]) => [name, typed(call.kinds[`body.${name}`], value)])))
}

export function target() {
  return targetOf(call.path, Object.fromEntries(filled('path')), filled('query'))
}

export function accepted() {
  const accept = form.elements.accept?.value
  return accept && accept !== call.answers[0] ? accept : undefined
}

export function file() {
  return form.querySelector('#file')?.files[0]
}

/** The snippets with what is filled in: the page of the same form has them. */
let pending = null
export function showSnippets() {
  clearTimeout(pending)
  pending = setTimeout(() => void fetchSnippets(), TYPING_MS)
}

async function fetchSnippets() {
  const query = new URLSearchParams(new FormData(form))
  const response = await fetch(`${form.action.split('#')[0]}?${query}`).catch(() => null)
  if (!response?.ok) return
  const page = new DOMParser().parseFromString(await response.text(), 'text/html')
  const shown = document.querySelectorAll('[data-snippets] code')
  for (const [at, code] of page.querySelectorAll('[data-snippets] code').entries()) shown[at].textContent = code.textContent
}

/** The snippet that is shown, with the key of this tab in its place. */
function copyWithKey(button) {
  const code = [...document.querySelectorAll('[data-snippets] code')].find((one) => one.offsetParent !== null)
  void copy(button, code, code.textContent.replaceAll(KEY_PLACEHOLDER, currentKey() ?? KEY_PLACEHOLDER))
}

export function showWay() {
  for (const way of form.querySelectorAll('[data-as]')) way.hidden = way.dataset.as !== (isJson() ? 'json' : 'form')
}

/** Copies the body from the form fields into the JSON text, or back. */
function changeWay() {
  if (isJson()) {
    const own = Object.fromEntries(filled('body').map(([name, value]) => [name, typed(call.kinds[`body.${name}`], value)]))
    form.elements.json.value = JSON.stringify(own, null, 2)
  } else {
    try {
      const body = JSON.parse(form.elements.json.value)
      for (const control of controls('body')) {
        const value = body[control.name.slice(5)]
        control.value = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
      }
    } catch {
      // Invalid JSON stays in its text field.
    }
  }
  showWay()
  showSnippets()
}

export function complain(text, control) {
  const problem = form.querySelector('[data-problem]')
  problem.textContent = text
  problem.hidden = text === ''
  control?.focus()
}

/** Shows the messages of the API beside the inputs that they name. */
export function mark(details) {
  for (const old of form.querySelectorAll('[data-said]')) old.remove()
  for (const control of form.elements) control.removeAttribute('aria-invalid')
  for (const { field, message } of Array.isArray(details) ? details : []) {
    const control = form.elements[field]
    if (!control?.closest) continue
    const said = element('p', 'problem', String(message))
    said.dataset.said = ''
    control.setAttribute('aria-invalid', 'true')
    control.closest('.field').append(said)
  }
}

form.addEventListener('input', showSnippets)
for (const radio of form.querySelectorAll('[name="as"]')) radio.addEventListener('change', changeWay)
const copyKey = document.querySelector('[data-copy-key]')
copyKey?.addEventListener('click', () => copyWithKey(copyKey))
showWay()
