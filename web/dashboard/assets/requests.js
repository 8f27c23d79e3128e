// Rows as they come, which can be paused, and a request in a drawer beside the list. Without this the page shows what had
// come when it was loaded, and each row leads to the page of its request.
import { fetchMain, isPlainPress, setUp } from './common.js'

const list = document.querySelector('[data-requests]')
const badge = document.querySelector('[data-live]')
const pause = document.querySelector('[data-pause]')
const MOST_ROWS = 200

const rows = list?.querySelector('tbody')
/** Rows received while paused. */
const held = []

function showRows(markup) {
  const template = document.createElement('template')
  template.innerHTML = markup
  setUp(template.content)
  rows.prepend(template.content)
  while (rows.rows.length > MOST_ROWS) rows.lastElementChild.remove()
}

function follow(address) {
  const source = new EventSource(address)
  source.addEventListener('open', () => (badge.hidden = false))
  source.addEventListener('error', () => (badge.hidden = true))
  source.addEventListener('message', ({ data }) => {
    const markup = JSON.parse(data)
    if (pause.getAttribute('aria-pressed') === 'false') return showRows(markup)
    held.push(markup)
    if (held.length > MOST_ROWS) held.shift()
  })
  pause.hidden = false
  const { paused: resume } = pause.dataset
  const label = pause.textContent
  pause.addEventListener('click', () => {
    const isPaused = pause.getAttribute('aria-pressed') === 'false'
    pause.setAttribute('aria-pressed', String(isPaused))
    pause.textContent = isPaused ? resume : label
    if (!isPaused) for (const markup of held.splice(0)) showRows(markup)
  })
}

if (list?.dataset.requests) follow(list.dataset.requests)

const left = document.querySelector('[data-until]')
const minutesLeft = () => Math.max(0, Math.ceil((left.dataset.until - Date.now()) / 60_000))
if (left) setInterval(() => (left.textContent = left.textContent.replace(/\d+/, minutesLeft)), 10_000)

const drawer = document.querySelector('[data-drawer]')
/** A drawer has no room beside the list of a small screen. */
const isWide = matchMedia('(min-width: 56.01rem)')
let opener = null

function mark(link) {
  opener?.closest('tr').classList.remove('chosen')
  opener = link
  opener?.closest('tr').classList.add('chosen')
}

async function open(link) {
  mark(link)
  const main = await fetchMain(link.href)
  // Another row may have been chosen meanwhile.
  if (opener !== link) return
  if (!main) return location.assign(link.href)
  drawer.querySelector('[data-drawn]').replaceChildren(...main.childNodes)
  setUp(drawer)
  drawer.querySelector('.actions a').href = link.href
  drawer.hidden = false
  drawer.scrollTop = 0
  drawer.focus()
}

function close() {
  drawer.hidden = true
  const link = opener
  mark(null)
  link?.focus()
}

rows?.addEventListener('click', (event) => {
  const link = event.target.closest('th a')
  if (!link || !isWide.matches || !isPlainPress(event)) return
  event.preventDefault()
  void open(link)
})
drawer?.querySelector('[data-close]').addEventListener('click', close)
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape' && drawer && !drawer.hidden && !document.querySelector('dialog[open]')) close()
})
