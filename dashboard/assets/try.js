// Calls the API from the browser: the key stays in this tab and goes nowhere but to /v1. Without this the page shows what
// a route takes, and a command line.
import { targetOf } from './curl.js'
import { clearBody, coloured, show, state, tone } from './try-answer.js'
import { accepted, bodyText, complain, controls, file, filled, isJson, mark, showLine, showWay, target } from './try-form.js'
import { currentKey, focusKey, showKey } from './try-key.js'
import { answer, base, call, clock, element, form, keep, locale, past, recall, words } from './try-page.js'

const MOST_CALLS = 20
const MOST_KEPT_CHARS = 4000
const MOST_MESSAGES = 100

/* --- The list of routes --------------------------------------------------------------------------------------------- */
function setUpList(list) {
  const groups = [...list.querySelectorAll('details')]
  const open = new Set(groups.filter((group) => group.open))
  const input = list.querySelector('input')
  list.querySelector('[data-filter]').hidden = false
  input.addEventListener('input', () => {
    const wanted = input.value.toLowerCase().split(/\s+/).filter((word) => word !== '')
    let found = 0
    for (const group of groups) {
      let own = 0
      for (const item of group.querySelectorAll('li')) {
        item.hidden = !wanted.every((word) => item.dataset.search.includes(word))
        if (!item.hidden) own += 1
      }
      group.hidden = own === 0
      group.open = wanted.length > 0 ? own > 0 : open.has(group)
      found += own
    }
    list.querySelector('[data-none]').hidden = found > 0
  })
  // The page of one route has its list beside it; the route should be in sight.
  const here = list.querySelector('[aria-current]')
  const all = list.querySelector('[data-all]')
  if (here) all.scrollTop = here.offsetTop - all.clientHeight / 2
}

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
    remember(response.status, ms)
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
  const list = element('ol', 'messages')
  const startedAt = performance.now()
  begin(() => socket.close())
  answer.querySelector('[data-body]').append(list)
  socket.addEventListener('open', () => {
    state('good', words.listening)
    remember(101, Math.round(performance.now() - startedAt))
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

/* --- The calls before ----------------------------------------------------------------------------------------------- */
function remember(status, ms) {
  const values = Object.fromEntries(
    [...form.elements].filter(({ name, type, checked }) => name && (type !== 'radio' || checked)).map(({ name, value }) => [name, value]),
  )
  const isShort = JSON.stringify(values).length <= MOST_KEPT_CHARS
  const entry = { atMs: Date.now(), id: call.id, method: call.method, target: target().slice(0, 200), status, ms, values: isShort ? values : {} }
  keep('calls', [entry, ...recall('calls', [])].slice(0, MOST_CALLS))
  showPast()
}

function showPast() {
  const calls = recall('calls', [])
  past.hidden = calls.length === 0
  past.querySelector('ol').replaceChildren(
    ...calls.map(({ atMs, id, method, target: to, status, ms }) => {
      const item = document.createElement('li')
      const link = element('a', '')
      link.href = `${base}/${encodeURIComponent(id)}#call-${atMs}`
      link.append(element('span', `verb ${method}`, method), ' ', element('code', '', to))
      item.append(link, element('span', `chip ${tone(status)}`, String(status)), element('small', '', `${ms} ms · ${clock.format(atMs)}`))
      return item
    }),
  )
}

/** Fills the form in as it was at a call before. */
function again() {
  const atMs = Number(/^#call-(\d+)$/.exec(location.hash)?.[1])
  const entry = recall('calls', []).find((it) => it.atMs === atMs && it.id === call.id)
  if (!entry) return
  for (const [name, value] of Object.entries(entry.values)) {
    const control = form.elements.namedItem(name)
    if (control) control.value = value
  }
  showWay()
  showLine()
}

past.querySelector('[data-clear]').addEventListener('click', () => {
  keep('calls', [])
  showPast()
})
const list = document.querySelector('[data-routes]')
if (list) setUpList(list)
if (form) {
  form.querySelector('[data-send]').hidden = false
  form.querySelector('[data-plain]').remove()
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (!running) void send()
  })
  form.querySelector('[data-stop]').addEventListener('click', () => running?.())
  addEventListener('hashchange', again)
  again()
}
showPast()
