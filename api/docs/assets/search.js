// Finds routes, fields, schemas, events and error codes. The index comes when the field is first used.
const box = document.querySelector('[data-search]')
const input = box.querySelector('input')
const list = box.querySelector('ul')
const count = box.querySelector('[data-count]')
const kinds = JSON.parse(box.dataset.kinds)
const MOST_RESULTS = 12
let index = null
let chosen = -1

async function open() {
  const [{ default: MiniSearch }, response] = await Promise.all([
    import('./minisearch.js'),
    fetch('/docs/assets/search.json'),
  ])
  const { entries, terms } = await response.json()
  const search = new MiniSearch({
    fields: ['title', 'names', 'more', 'text'],
    storeFields: ['kind', 'to', 'title', 'more'],
    // A search for `positionMs` or one of its parts finds it.
    tokenize: (text) => text.split(/[^\p{L}\p{N}_]+/u).flatMap(withParts),
    processTerm: (term) => term.toLowerCase() || null,
    searchOptions: {
      boost: { title: 5, names: 3, more: 1.5 },
      boostDocument: (_id, _term, { kind }) => (kind === 'operation' || kind === 'guide' ? 2 : 1),
      prefix: (term) => term.length > 1,
      fuzzy: (term) => (term.length > 2 ? 0.25 : false),
      combineWith: 'AND',
    },
  })
  search.addAll(entries)
  return { search, terms, ofId: new Map(entries.map((entry) => [entry.id, entry])) }
}

function withParts(word) {
  const parts = word.split(/_|(?<=[a-z])(?=[A-Z])/)
  return parts.length > 1 ? [word, ...parts] : parts
}

/** All words first; where none has them all, any. German words stand for English ones. */
function find({ search, terms }, text) {
  const words = text.toLowerCase().split(/\s+/).filter((word) => word !== '')
  const english = words.map((word) => terms[word] ?? word)
  const all = search.search({
    combineWith: 'AND',
    queries: english.map((word) => ({ combineWith: 'OR', queries: word.split(' ') })),
  })
  return all.length > 0 ? all : search.search(english.join(' '), { combineWith: 'OR' })
}

async function showFound() {
  index ??= open()
  const text = input.value.trim()
  const found = text === '' ? [] : find(await index, text).slice(0, MOST_RESULTS)
  if (input.value.trim() !== text) return
  list.replaceChildren(...found.map(item))
  if (text !== '' && found.length === 0) list.append(element('li', 'none', box.dataset.nothing))
  list.hidden = text === ''
  count.textContent = text === '' ? '' : found.length === 0 ? box.dataset.nothing : String(found.length)
  input.setAttribute('aria-expanded', String(!list.hidden && found.length > 0))
  choose(found.length > 0 ? 0 : -1)
}

function item({ kind, to, title, more }, at) {
  const line = element('li', '')
  line.id = `result-${at}`
  line.setAttribute('role', 'option')
  line.dataset.to = to
  line.append(element('span', 'kind', kinds[kind]), element('strong', '', title), element('small', '', more))
  line.addEventListener('click', () => go(line))
  return line
}

function element(name, className, text = '') {
  const made = document.createElement(name)
  made.className = className
  made.textContent = text
  if (className === 'none') made.setAttribute('role', 'option')
  return made
}

function choose(at) {
  const options = [...list.querySelectorAll('[data-to]')]
  chosen = options.length === 0 ? -1 : (at + options.length) % options.length
  for (const [i, option] of options.entries()) option.setAttribute('aria-selected', String(i === chosen))
  if (chosen < 0) return input.removeAttribute('aria-activedescendant')
  input.setAttribute('aria-activedescendant', options[chosen].id)
  options[chosen].scrollIntoView({ block: 'nearest' })
}

function go(line) {
  close()
  location.assign(line.dataset.to)
}

function close() {
  list.hidden = true
  input.setAttribute('aria-expanded', 'false')
  input.removeAttribute('aria-activedescendant')
}

input.addEventListener('focus', () => (index ??= open()))
input.addEventListener('input', () => void showFound())
input.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown') choose(chosen + 1)
  else if (event.key === 'ArrowUp') choose(chosen - 1)
  else if (event.key === 'Enter' && chosen >= 0) go(list.querySelectorAll('[data-to]')[chosen])
  else if (event.key === 'Escape') close()
  else return
  event.preventDefault()
})
document.addEventListener('click', ({ target }) => box.contains(target) || close())
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest?.('input, textarea, select')
  const isSlash = event.key === '/' && !isTyping && localStorage.getItem('single-keys') !== 'off'
  if (!isSlash && !(event.key === 'k' && (event.ctrlKey || event.metaKey))) return
  event.preventDefault()
  input.focus()
  input.select()
})
