// The page of players works without this. It brings changes as they happen, moves the bars, sends forms without leaving
// the page, and lets the queue be reordered by dragging.
const list = document.querySelector('[data-players]')
const announce = document.querySelector('[data-announce]')
const refusal = document.querySelector('[data-refusal]')
let dragged = null
let waiting = null

function apply(cards) {
  if (dragged) {
    waiting = cards
    return
  }
  const wanted = new Map([...cards].map((card) => [card.id, card]))
  for (const card of list.querySelectorAll('.player')) {
    if (wanted.has(card.id)) continue
    const hadFocus = card.contains(document.activeElement)
    card.remove()
    if (hadFocus) document.getElementById('main').focus()
  }
  for (const [id, card] of wanted) {
    const known = document.getElementById(id)
    if (known) update(known, card)
    else list.insertBefore(card, list.querySelector('[data-none]'))
  }
  dress()
}

function update(known, fresh) {
  for (const part of fresh.querySelectorAll('[data-part]')) {
    const old = known.querySelector(`[data-part="${part.dataset.part}"]`)
    if (!old || old.innerHTML === part.innerHTML) continue
    const focused = old.contains(document.activeElement) ? document.activeElement : null
    // A slider that is being moved stays as it is.
    if (focused?.type === 'range') continue
    const title = part.querySelector('.now-title')?.textContent
    if (title && title !== old.querySelector('.now-title')?.textContent) announce.textContent = title
    const place = focused && placeOf(old, focused)
    old.innerHTML = part.innerHTML
    if (place) goBackTo(findAgain(old, place), place)
  }
}

function controlsOf(part) {
  return [...part.querySelectorAll('button, select, input:not([type="hidden"]), a')].filter((it) => !('plain' in it.dataset))
}

/** What tells one control from the next, before and after its markup was replaced. */
function keyOf(element) {
  return element.id || `${element.closest('form')?.action ?? ''} ${element.getAttribute('aria-label') ?? element.textContent.trim()}`
}

function rowOf(element) {
  return element.closest('li')?.querySelector('.queue-title').textContent ?? null
}

function saidOf(element) {
  return element.closest('li')?.dataset.said ?? ''
}

function placeOf(part, element) {
  return { key: keyOf(element), row: rowOf(element), said: saidOf(element), at: controlsOf(part).indexOf(element) }
}

/** Announces a row's new position to screen readers. */
function goBackTo(element, { said }) {
  element.focus()
  if (saidOf(element) !== said) announce.textContent = saidOf(element)
}

/** The same control; where it is gone another of its row, or whichever has taken its place. */
function findAgain(part, { key, row, at }) {
  const all = controlsOf(part)
  return (
    all.find((it) => keyOf(it) === key) ??
    all.find((it) => row !== null && rowOf(it) === row) ??
    all[Math.min(at, all.length - 1)] ??
    document.getElementById('main')
  )
}

function cardsOf(markup) {
  return new DOMParser().parseFromString(markup, 'text/html').querySelectorAll('.player')
}

function dress() {
  for (const bar of list.querySelectorAll('progress[data-moving]')) bar.startedAt = performance.now() - Number(bar.dataset.position)
}

function two(value) {
  return String(value).padStart(2, '0')
}

function clock(ms) {
  const seconds = Math.floor(ms / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

setInterval(() => {
  for (const bar of list.querySelectorAll('progress[data-moving="yes"]')) {
    bar.value = Math.min(performance.now() - bar.startedAt, bar.max)
    bar.parentElement.querySelector('[data-clock]').textContent = clock(bar.value)
  }
}, 250)

async function send(form, submitter) {
  try {
    const response = await fetch(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form, submitter)) })
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    if (!page.querySelector('[data-players]')) return location.reload()
    refusal.replaceChildren(...page.querySelector('[data-refusal]').childNodes)
    apply(page.querySelectorAll('.player'))
  } catch {
    form.submit()
  }
}

list.addEventListener('submit', (event) => {
  event.preventDefault()
  // The guard against pressing twice is for pages that are left.
  delete event.target.dataset.sent
  void send(event.target, event.submitter)
})
list.addEventListener('input', ({ target }) => {
  if (target.type === 'range') target.parentElement.querySelector('output').textContent = `${target.value} %`
})
list.addEventListener('change', ({ target }) => {
  if ('send' in target.dataset) void send(target.form)
})

list.addEventListener('dragstart', ({ target, dataTransfer }) => {
  dragged = target.closest?.('li[draggable]')
  if (!dragged) return
  dragged.classList.add('dragged')
  dataTransfer.effectAllowed = 'move'
  dataTransfer.setData('text/plain', dragged.dataset.at)
})
list.addEventListener('dragover', (event) => {
  const over = event.target.closest?.('li[draggable]')
  if (!dragged || !over || over.parentElement !== dragged.parentElement) return
  event.preventDefault()
  const { top, height } = over.getBoundingClientRect()
  over[event.clientY < top + height / 2 ? 'before' : 'after'](dragged)
})
list.addEventListener('drop', (event) => event.preventDefault())
list.addEventListener('dragend', () => {
  const item = dragged
  dragged = null
  item?.classList.remove('dragged')
  const queue = item?.closest('[data-queue]')
  const to = item ? [...item.parentElement.children].indexOf(item) + 1 : 0
  if (item && to !== Number(item.dataset.at)) void move(queue, item.dataset.at, to)
  else if (waiting) apply(waiting)
  waiting = null
})

function move(queue, from, to) {
  const form = document.createElement('form')
  form.action = queue.dataset.queue
  form.method = 'post'
  const csrf = list.querySelector('[name="csrf"]').value
  for (const [name, value] of Object.entries({ csrf, from, to })) {
    const input = document.createElement('input')
    input.name = name
    input.value = value
    form.append(input)
  }
  return send(form)
}

dress()
const source = new EventSource(list.dataset.players)
const badge = document.querySelector('[data-live]')
source.addEventListener('open', () => (badge.hidden = false))
source.addEventListener('error', () => (badge.hidden = true))
source.addEventListener('message', ({ data }) => apply(cardsOf(JSON.parse(data))))
