import { address, counted, elementsOf, find, say, setRefusal, words } from './player-page.js'
import { post } from './player-send.js'

// Results as they type, once they pause for a moment; the newest question wins.
const PAUSE_MS = 250
const panel = find('[data-find]')
let asking = null
let timer = 0

async function show(url) {
  asking?.abort()
  const mine = new AbortController()
  asking = mine
  const state = panel.querySelector('[data-find-state]')
  state.textContent = words.loading
  try {
    const response = await fetch(url, { signal: mine.signal })
    if (!response.ok) throw new Error(words.failed)
    const markup = await response.text()
    if (asking !== mine) return
    const found = panel.querySelector('[data-found]')
    found.replaceChildren(elementsOf(markup))
    const count = found.querySelector('[data-count]')?.dataset.count
    state.textContent = count ? counted(words.results, Number(count)) : ''
  } catch (error) {
    if (asking === mine) state.textContent = error.name === 'AbortError' ? '' : words.failed
  }
}

function search(form) {
  const fields = new URLSearchParams(new FormData(form))
  fields.set('part', '1')
  const isEmpty = fields.get('q').trim() === '' && fields.get('kind') === 'track'
  if (!isEmpty) return void show(`${address}/add?${fields}`)
  asking?.abort()
  panel.querySelector('[data-found]').replaceChildren()
  panel.querySelector('[data-find-state]').textContent = ''
}

function later(form, delayMs) {
  clearTimeout(timer)
  timer = setTimeout(() => search(form), delayMs)
}

/** Shows a link to albums or to more of them here: the fields describe the list then. */
function browse(link, form) {
  const url = new URL(link.href)
  for (const name of ['q', 'kind', 'source']) form.elements[name].value = url.searchParams.get(name) ?? (name === 'kind' ? 'track' : '')
  url.searchParams.set('part', '1')
  void show(url.href)
}

async function add(form, submitter) {
  const answer = await post(form.action, new FormData(form, submitter))
  if (answer?.said) say(answer.said)
}

export function openFind() {
  if (!panel) return
  const form = panel.querySelector('[data-search]')
  form.addEventListener('input', ({ target }) => later(form, target.type === 'search' ? PAUSE_MS : 0))
  panel.addEventListener('submit', (event) => {
    event.preventDefault()
    delete event.target.dataset.sent
    setRefusal(null)
    if (event.target === form) later(form, 0)
    else void add(event.target, event.submitter)
  })
  // Search for text typed before this script loaded, or filled in again by the browser.
  if (form.elements.q.value && !panel.querySelector('[data-found]').childElementCount) later(form, 0)
  panel.addEventListener('click', (event) => {
    const link = event.target.closest('[data-browse]')
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    browse(link, form)
  })
}
