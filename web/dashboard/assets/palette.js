// Ctrl-K finds pages, things and settings of the project; `?` lists the shortcuts; `/` goes to the page's own search.
import { openShortcuts } from './shortcuts.js'

const palette = document.getElementById('palette')

const MOST_HITS = 25
const ASK_AFTER_MS = 120
const SHORTEST_FOR_DOCS = 3

let timer = 0
let asked = 0
let active = -1
let docs = null
/** The text of which the hits are shown. */
let shownOf = ''

function start() {
  const opener = document.querySelector('[data-palette]')
  opener.hidden = false
  opener.addEventListener('click', openPalette)
  document.addEventListener('keydown', onPaletteKey)
  const input = inputOf()
  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => void ask(input.value), ASK_AFTER_MS)
  })
  input.addEventListener('keydown', onKey)
  // The area round a dialog is the dialog itself.
  palette.addEventListener('click', ({ target }) => target === palette && palette.close())
  openShortcuts({
    '/'() {
      const search = document.querySelector('main input[type="search"]')
      search?.focus()
      return search !== null
    },
  })
}

const inputOf = () => palette.querySelector('input')
const list = () => palette.querySelector('ul')

function onPaletteKey(event) {
  const { key, ctrlKey, metaKey, altKey } = event
  if (!(ctrlKey || metaKey) || altKey || key.toLowerCase() !== 'k') return
  event.preventDefault()
  if (palette.open) palette.close()
  else openPalette()
}

function openPalette() {
  if (document.querySelector('dialog[open]')) return
  inputOf().value = ''
  palette.showModal()
  inputOf().focus()
  void ask('')
}

async function ask(text) {
  const question = ++asked
  const query = text.trim()
  const found = await fetch(`${palette.dataset.search}?${new URLSearchParams({ q: query })}`)
    .then((answer) => answer.json())
    .catch(() => ({ hits: [] }))
  const hits = [...found.hits, ...(await inDocs(query))].slice(0, MOST_HITS)
  if (question !== asked) return
  shownOf = query
  draw(hits)
}

/** The reference's own index, fetched once it is needed. */
async function inDocs(query) {
  if (query.length < SHORTEST_FOR_DOCS) return []
  docs ??= fetch('/docs/assets/search.json').then((answer) => answer.json())
  const { entries } = await docs.catch(() => ((docs = null), { entries: [] }))
  const wanted = query.toLowerCase()
  return entries.filter(({ title, more }) => `${title} ${more}`.toLowerCase().includes(wanted))
}

function draw(hits) {
  list().replaceChildren(...hits.map(drawHit))
  active = hits.length > 0 ? 0 : -1
  palette.querySelector('[role="status"]').textContent = hits.length === 0 ? palette.dataset.none : ''
  mark()
}

function drawHit({ title, more, to }, at) {
  const row = Object.assign(document.createElement('li'), { id: `hit-${at}` })
  row.setAttribute('role', 'option')
  row.dataset.to = to
  for (const [tag, text] of [
    ['span', title],
    ['small', more],
  ])
    row.append(Object.assign(document.createElement(tag), { textContent: text }))
  row.addEventListener('click', () => go(row))
  return row
}

function onKey(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const rows = list().children
  if (event.key === 'Enter') {
    event.preventDefault()
    void enter()
  }
  if (!step || rows.length === 0) return
  event.preventDefault()
  active = (active + step + rows.length) % rows.length
  mark()
}

/** Those who type faster than hits come mean what they typed. */
async function enter() {
  const { value } = inputOf()
  if (shownOf !== value.trim()) {
    clearTimeout(timer)
    await ask(value)
  }
  const row = list().children[active]
  if (row) go(row)
}

function mark() {
  for (const [at, row] of [...list().children].entries()) row.setAttribute('aria-selected', String(at === active))
  const row = list().children[active]
  if (row) inputOf().setAttribute('aria-activedescendant', row.id)
  else inputOf().removeAttribute('aria-activedescendant')
  row?.scrollIntoView({ block: 'nearest' })
}

function go({ dataset }) {
  palette.close()
  location.assign(dataset.to)
}

if (palette) start()
