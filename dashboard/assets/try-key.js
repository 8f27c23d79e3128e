// The key of this tab: pasted or made, never sent anywhere but to the API.
import { clock, keep, recall } from './try-page.js'

const KEY = /^svc\.[0-9a-f]{64}$/
const panel = document.querySelector('[data-key]')
let chosen = recall('key', null)

export function currentKey() {
  if (chosen?.untilMs && chosen.untilMs <= Date.now()) chosen = null
  return chosen?.key ?? null
}

function choose(key, untilMs = null) {
  chosen = key && { key, untilMs }
  keep('key', chosen)
  showKey()
}

export function showKey() {
  if (!panel) return
  const key = currentKey()
  const now = panel.querySelector('[data-key-now]')
  const paste = panel.querySelector('[data-key-paste]')
  const mint = panel.querySelector('[data-mint]')
  now.hidden = key === null
  paste.hidden = key !== null
  if (mint) mint.hidden = key !== null
  now.querySelector('code').textContent = key === null ? '' : `${key.slice(0, 12)}…`
  const until = now.querySelector('[data-until]')
  until.textContent = chosen?.untilMs ? ` ${until.dataset.until} ${clock.format(chosen.untilMs)}` : ''
  const copy = document.querySelector('[data-copy-key]')
  if (copy) copy.hidden = key === null
}

/** Takes a new key out of the page that shows it once. */
function takeMinted(page) {
  const minted = page.querySelector('[data-minted]')
  if (!minted) return false
  choose(minted.querySelector('code').textContent, Number(minted.dataset.minted))
  minted.remove()
  return true
}

function setUpKey() {
  if (takeMinted(document)) history.replaceState(null, '', location.pathname)
  const paste = panel.querySelector('[data-key-paste]')
  const input = paste.querySelector('input')
  const problem = paste.querySelector('.problem')
  const use = () => {
    const key = input.value.trim()
    problem.hidden = KEY.test(key)
    input.toggleAttribute('aria-invalid', !KEY.test(key))
    if (!KEY.test(key)) return input.focus()
    input.value = ''
    choose(key)
    panel.querySelector('[data-key-now] button').focus()
  }
  paste.querySelector('button').addEventListener('click', use)
  input.addEventListener('keydown', (event) => event.key === 'Enter' && use())
  panel.querySelector('[data-key-now] button').addEventListener('click', () => {
    choose(null)
    input.focus()
  })
  panel.querySelector('[data-mint] form')?.addEventListener('submit', (event) => {
    event.preventDefault()
    void mint(event.target)
  })
  showKey()
}

/** Without leaving the page, so that what was filled in stays. */
async function mint(own) {
  delete own.dataset.sent
  try {
    const response = await fetch(own.action, { method: 'POST', body: new URLSearchParams(new FormData(own)) })
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    if (takeMinted(page)) return panel.querySelector('[data-key-now] button').focus()
    const fresh = page.querySelector('[data-mint] .note')
    if (!fresh) return location.reload()
    panel.querySelector('[data-mint] .note')?.remove()
    own.before(fresh)
  } catch {
    own.submit()
  }
}

export function focusKey() {
  panel.querySelector('#key').focus()
}

if (panel) setUpKey()
