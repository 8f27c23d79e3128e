// Shows what came back, as what it is. Nothing of it ever becomes markup.
import { mark } from './try-form.js'
import { answer, call, element, locale, words } from './try-page.js'
import { copy } from './page.js'

const MOST_SHOWN_CHARS = 300_000
const MOST_COLOURED_CHARS = 60_000

export function state(tone, text, more = '') {
  const line = answer.querySelector('[data-state]')
  line.replaceChildren(element('span', `chip ${tone}`, text), element('span', 'lead', more))
}

export function tone(status) {
  if (status < 400) return 'good'
  return status < 500 ? 'warn' : 'bad'
}

function size(bytes) {
  return bytes < 1024 ? `${bytes} B` : `${(bytes / 1024).toLocaleString(locale, { maximumFractionDigits: 1 })} KiB`
}

export async function show(response, blob, ms) {
  state(tone(response.status), `${response.status} ${response.statusText}`, `${ms.toLocaleString(locale)} ms · ${size(blob.size)}`)
  const rows = [...response.headers].map(([name, value]) => {
    const row = document.createElement('tr')
    const head = element('th', '', name)
    head.scope = 'row'
    row.append(head, element('td', 'value', value))
    return row
  })
  const headers = answer.querySelector('[data-headers]')
  headers.querySelector('tbody').replaceChildren(...rows)
  headers.hidden = false
  await showBody(blob)
}
let shown = null

export function clearBody() {
  if (shown) URL.revokeObjectURL(shown)
  shown = null
  answer.querySelector('[data-body]').replaceChildren()
}

async function showBody(blob) {
  const place = answer.querySelector('[data-body]')
  clearBody()
  if (blob.size === 0) return place.append(element('p', 'hint', words.empty))
  const [type] = blob.type.split(';')
  const [kind] = type.split('/')
  shown = URL.createObjectURL(blob)
  if (kind === 'image' || kind === 'audio' || kind === 'video') {
    const media = document.createElement(kind === 'image' ? 'img' : kind)
    media.src = shown
    if (kind === 'image') media.alt = words.answer
    else media.controls = true
    place.append(media)
  } else if (kind === 'text' || type === 'application/json') {
    showText(place, await blob.text(), type === 'application/json')
  }
  const save = element('a', 'save', words.download)
  save.href = shown
  save.download = `${call.id}.${type === 'application/json' ? 'json' : kind === 'text' ? 'txt' : (type.split('/')[1] ?? 'bin')}`
  place.append(save)
}

function showText(place, text, isJsonText) {
  let pretty = text
  try {
    const value = isJsonText ? JSON.parse(text) : null
    if (isJsonText) {
      pretty = JSON.stringify(value, null, 2)
      mark(value?.error?.details)
    }
  } catch {
    // Shown as it came.
  }
  const code = document.createElement('code')
  const part = pretty.slice(0, MOST_SHOWN_CHARS)
  if (isJsonText && part.length <= MOST_COLOURED_CHARS) code.append(...coloured(part))
  else code.textContent = part
  const figure = element('figure', '')
  const button = element('button', 'copy', words.copy)
  button.type = 'button'
  button.addEventListener('click', () => void copy(button, code, pretty))
  const caption = element('figcaption', '', '')
  caption.append(element('span', '', part.length < pretty.length ? words.cut : words.answer), button)
  const pre = document.createElement('pre')
  pre.tabIndex = 0
  pre.append(code)
  figure.append(caption, pre)
  place.append(figure)
}

/** Names, texts and the rest in their own colours. */
export function coloured(text) {
  const parts = []
  let from = 0
  for (const match of text.matchAll(/("(?:[^"\\]|\\.)*"?)(\s*:)?|\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*/g)) {
    parts.push(text.slice(from, match.index))
    const [whole, string, colon] = match
    parts.push(element('span', colon ? 'json-name' : string ? 'json-text' : 'json-value', string ?? whole), colon ?? '')
    from = match.index + whole.length
  }
  return [...parts, text.slice(from)]
}
