import { counted, failureNote, find, iconButton, isAllowed, make, setAllowed, words } from './page.js'
import { ask, perform } from './connection.js'
import { offerRow } from './lists.js'
import { rightTo } from './rights.js'

// Results as the member types, once they pause for a moment.
const PAUSE_MS = 250
const form = find('[data-search]')
const input = form.querySelector('input')
const list = find('[data-found]')
const state = find('[data-search-state]')
let timer = 0
let asking = null
let me = null
let found = []

export function setSearcher(given) {
  me = given
  draw()
}

const isLink = (text) => /^https?:\/\//i.test(text)

function draw() {
  list.replaceChildren(...found.map((track) => offerRow(track, me)))
  list.hidden = found.length === 0
}

function reset() {
  asking?.abort()
  asking = null
  found = []
  draw()
  state.replaceChildren()
}

function offerLink(query) {
  const button = make('button', { type: 'button', class: 'button small' }, words.playLink)
  setAllowed(button, ...rightTo(me, 'play'))
  button.addEventListener('click', () => void play(button, query))
  state.replaceChildren(button)
}

async function play(button, query) {
  if (isAllowed(button) && (await perform('play', { query }))) clear()
}

function clear() {
  input.value = ''
  reset()
}

async function search(q) {
  asking?.abort()
  const mine = new AbortController()
  asking = mine
  state.textContent = words.searching
  try {
    const { tracks } = await ask(`search?q=${encodeURIComponent(q.slice(0, 200))}`, mine.signal)
    if (asking !== mine) return
    found = tracks
    draw()
    state.textContent = tracks.length > 0 ? counted(words.results, tracks.length) : words.noneFound
  } catch (error) {
    if (asking === mine) state.replaceChildren(failureNote(error, () => void search(q)))
  }
}

function onInput(delayMs) {
  clearTimeout(timer)
  const q = input.value.trim()
  if (q === '') return reset()
  if (isLink(q)) {
    reset()
    return offerLink(q)
  }
  timer = setTimeout(() => void search(q), delayMs)
}

export const startSearch = () => input.focus()

export function openSearch() {
  input.addEventListener('input', () => onInput(PAUSE_MS))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const q = input.value.trim()
    if (!isLink(q)) return onInput(0)
    void play(state.querySelector('button') ?? iconButton('plus', words.add), q)
  })
}
