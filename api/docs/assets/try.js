// Calls the API from the browser: the key stays in this tab and goes nowhere but to the API. Without this the page shows
// what a route takes, and snippets.
import { targetOf } from './call.js'
import { clearBody, coloured, show, state } from './try-answer.js'
import { accepted, bodyText, complain, controls, file, filled, isJson, mark, target } from './try-form.js'
import { currentKey, focusKey, showKey } from './try-key.js'
import { answer, call, element, form, locale, words } from './try-page.js'

const MOST_KEPT_CHARS = 4000
const MOST_MESSAGES = 100

/* --- The call ------------------------------------------------------------------------------------------------------- */
let running = null

async function send() {
  complain('')
  mark([])
  const key = currentKey()
  showKey()
  if (call.needsKey && key === null) {
    complain(words.noKey)
    return focusKey()
  }
  const missing = controls('path').find(({ value }) => value === '')
  if (missing) return missing.reportValidity()
  if (call.body === 'json' && isJson()) {
    try {
      JSON.parse(form.elements.json.value)
    } catch {
      return complain(words.badJson, form.elements.json)
    }
  }
  return call.isSocket ? connect(key) : fetchOnce(key)
}

async function fetchOnce(key) {
  const abort = new AbortController()
  begin(() => abort.abort())
  const headers = { ...(call.needsKey && { Authorization: `Bearer ${key}` }), Accept: accepted() ?? call.answers[0] ?? '*/*' }
  const upload = call.body === 'file' ? file() : undefined
  if (call.body === 'json') headers['Content-Type'] = 'application/json'
  if (upload) headers['Content-Type'] = 'application/octet-stream'
  const body = call.body === 'json' ? bodyText() : upload
  const startedAt = performance.now()
  try {
    const response = await fetch(target(), { method: call.method, headers, body, credentials: 'omit', cache: 'no-store', signal: abort.signal })
    const blob = await response.blob()
    const ms = Math.round(performance.now() - startedAt)
    await show(response, blob, ms)
  } catch {
    state('bad', abort.signal.aborted ? words.stopped : words.failed)
  } finally {
    end()
  }
}

function begin(stop) {
  running = stop
  answer.hidden = false
  state('quiet', words.waiting)
  answer.querySelector('[data-headers]').hidden = true
  clearBody()
  form.querySelector('[data-send]').disabled = true
  form.querySelector('[data-stop]').hidden = false
}

function end() {
  running = null
  form.querySelector('[data-send]').disabled = false
  form.querySelector('[data-stop]').hidden = true
  answer.scrollIntoView({ block: 'nearest' })
}


/* --- A socket ------------------------------------------------------------------------------------------------------- */
/** A browser cannot set headers on a handshake; this one route takes the key in its query, which is never logged. */
function connect(key) {
  const path = targetOf(call.path, {}, [...filled('query'), ['key', key]])
  const socket = new WebSocket(location.origin.replace(/^http/, 'ws') + path)
  const list = element('ol', 'events')
  begin(() => socket.close())
  answer.querySelector('[data-body]').append(list)
  socket.addEventListener('open', () => {
    state('good', words.listening)
  })
  socket.addEventListener('message', ({ data }) => {
    const item = document.createElement('li')
    const pre = document.createElement('pre')
    pre.append(...coloured(String(data).slice(0, MOST_KEPT_CHARS)))
    item.append(element('small', '', new Date().toLocaleTimeString(locale)), pre)
    list.prepend(item)
    while (list.children.length > MOST_MESSAGES) list.lastChild.remove()
  })
  socket.addEventListener('close', ({ code, reason }) => {
    state('quiet', words.closed, code === 1005 ? '' : `${code} ${reason}`)
    end()
  })
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  if (!running) void send()
})
form.querySelector('[data-stop]').addEventListener('click', () => running?.())
