import { clock } from './clock.js'
import { announce, elementsOf, find, refusalNote } from './page-parts.js'

// The page of players works without this. It brings what has changed, moves the bars, and sends forms without leaving the page.
const list = find('[data-players]')
const refusal = find('[data-refusal]')

function start(card, { ms, rate }) {
  const progress = card.querySelector('[data-progress]')
  Object.assign(progress, { startMs: ms, rate, atMs: performance.now() })
}

function update(card, { parts = {}, position }) {
  for (const [name, markup] of Object.entries(parts)) {
    const part = card.querySelector(`[data-part="${name}"]`)
    const focused = part.contains(document.activeElement) ? [...part.querySelectorAll('button, a')].indexOf(document.activeElement) : -1
    const before = part.querySelector('.now-title')?.textContent
    part.replaceChildren(elementsOf(markup))
    const title = part.querySelector('.now-title')?.textContent
    if (title && title !== before) announce(title)
    const controls = [...part.querySelectorAll('button, a')]
    if (focused !== -1) (controls[Math.min(focused, controls.length - 1)] ?? document.getElementById('main')).focus()
  }
  if (position) start(card, position)
}

function take({ cards, gone, lead, all }) {
  const absent = all ? [...list.querySelectorAll('.player')].map(({ id }) => id).filter((id) => !all.includes(id)) : gone
  for (const id of absent) {
    const card = document.getElementById(id)
    const hadFocus = card?.contains(document.activeElement)
    card?.remove()
    if (hadFocus) document.getElementById('main').focus()
  }
  for (const change of cards) {
    const known = document.getElementById(change.id)
    if (!change.html) {
      if (known) update(known, change)
      continue
    }
    const fresh = elementsOf(change.html).firstElementChild
    dress(fresh)
    // A card that is there already is known by the page: it is only made sure that it is up to date.
    if (!known) list.insertBefore(fresh, list.querySelector('[data-none]'))
    else if (!known.isEqualNode(withTokensOf(known, fresh))) refresh(known, fresh)
  }
  document.querySelector('[data-lead]').textContent = lead
}

/** Each answer has tokens of its own, all of them good: else no card would ever be equal, and its buttons be replaced. */
function withTokensOf(known, fresh) {
  const token = known.querySelector('[name=csrf]')?.value
  for (const input of fresh.querySelectorAll('[name=csrf]')) if (token) input.setAttribute('value', token)
  return fresh
}

function refresh(known, fresh) {
  const parts = {}
  for (const part of fresh.querySelectorAll('[data-part]')) {
    const { part: name } = part.dataset
    if (name !== 'length' && known.querySelector(`[data-part="${name}"]`).innerHTML !== part.innerHTML) parts[name] = part.innerHTML
  }
  const { position, rate } = fresh.querySelector('[data-progress]').dataset
  update(known, { parts, position: { ms: Number(position), rate: Number(rate) } })
}

function dress(card) {
  const { position, rate } = card.querySelector('[data-progress]').dataset
  start(card, { ms: Number(position), rate: Number(rate) })
}

function move() {
  for (const place of list.querySelectorAll('[data-progress]')) {
    const bar = place.querySelector('progress')
    if (!bar) continue
    bar.value = Math.min(place.startMs + (performance.now() - place.atMs) * place.rate, bar.max)
    place.querySelector('[data-clock]').textContent = clock(bar.value)
  }
}

async function send(form, submitter) {
  const body = new URLSearchParams(new FormData(form, submitter))
  body.set('answer', 'json')
  try {
    const response = await fetch(submitter.getAttribute('formaction'), { method: 'POST', body })
    if (!response.headers.get('content-type')?.startsWith('application/json')) return location.reload()
    const { refused } = await response.json()
    return refusal.replaceChildren(...(refused === null ? [] : [refusalNote(refused)]))
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

for (const card of list.querySelectorAll('.player')) dress(card)
setInterval(move, 250)
const source = new EventSource(list.dataset.players)
const badge = document.querySelector('[data-live]')
source.addEventListener('open', () => (badge.hidden = false))
source.addEventListener('error', () => (badge.hidden = true))
source.addEventListener('message', ({ data }) => take(JSON.parse(data)))
