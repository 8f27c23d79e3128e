// What was filled in, and the command line that follows from it.
import { curlOf, targetOf, typed } from './curl.js'
import { currentKey } from './try-key.js'
import { call, element, form, toClipboard } from './try-page.js'

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

function commandLine(key) {
  return curlOf({
    ...call,
    url: call.baseUrl + target(),
    key: call.needsKey ? key : null,
    accept: accepted(),
    json: call.body === 'json' ? bodyText() : undefined,
    file: call.body === 'file' ? (file()?.name ?? 'picture.png') : undefined,
  })
}

export function showLine() {
  form.querySelector('[data-line] code').textContent = commandLine('$KEY')
}

export function showWay() {
  for (const way of form.querySelectorAll('[data-as]')) way.hidden = way.dataset.as !== (isJson() ? 'json' : 'form')
}

/** What one way of writing the body holds goes over into the other. */
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
      // What is no JSON stays where it was typed.
    }
  }
  showWay()
  showLine()
}

export function complain(text, control) {
  const problem = form.querySelector('[data-problem]')
  problem.textContent = text
  problem.hidden = text === ''
  control?.focus()
}

/** What the API says of an input is shown beside it. */
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

if (form) {
  form.addEventListener('input', showLine)
  for (const radio of form.querySelectorAll('[name="as"]')) radio.addEventListener('change', changeWay)
  const copyKey = form.querySelector('[data-copy-key]')
  const code = form.querySelector('[data-line] code')
  copyKey?.addEventListener('click', () => void toClipboard(copyKey, commandLine(currentKey() ?? '$KEY'), code))
  showWay()
  showLine()
}
