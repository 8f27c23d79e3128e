// The page of Lavalink sessions works without this. It brings what has changed.
const list = document.querySelector('[data-sessions]')
const badge = document.querySelector('[data-live]')

function elementsOf(markup) {
  const template = document.createElement('template')
  template.innerHTML = markup
  return template.content
}

/** Controls keep the focus where they are replaced: the one at the same place has it then. */
function replace(part, markup) {
  const controls = () => [...part.querySelectorAll('button, a, [tabindex]')]
  const focused = part.contains(document.activeElement) ? controls().indexOf(document.activeElement) : -1
  part.replaceChildren(elementsOf(markup))
  const now = controls()
  if (focused !== -1) (now[Math.min(focused, now.length - 1)] ?? document.getElementById('main')).focus()
}

function update(card, parts) {
  for (const [name, markup] of Object.entries(parts)) replace(card.querySelector(`[data-part="${name}"]`), markup)
}

function remove(id) {
  const card = document.getElementById(id)
  const hadFocus = card?.contains(document.activeElement)
  card?.remove()
  if (hadFocus) document.getElementById('main').focus()
}

/** A card that is there already is only brought up to date. */
function add({ id, html }) {
  const known = document.getElementById(id)
  const fresh = elementsOf(html).firstElementChild
  if (!known) return list.insertBefore(fresh, list.querySelector('[data-none]'))
  for (const part of fresh.querySelectorAll('[data-part]')) {
    const place = known.querySelector(`[data-part="${part.dataset.part}"]`)
    if (place.innerHTML !== part.innerHTML) replace(place, part.innerHTML)
  }
}

function take({ cards, gone, lead, all }) {
  const absent = all ? [...list.querySelectorAll('.session')].map(({ id }) => id).filter((id) => !all.includes(id)) : gone
  for (const id of absent) remove(id)
  for (const card of cards) {
    const known = document.getElementById(card.id)
    if (card.html) add(card)
    else if (known) update(known, card.parts)
  }
  document.querySelector('[data-lead]').textContent = lead
}

if (list) {
  const source = new EventSource(list.dataset.sessions)
  source.addEventListener('open', () => (badge.hidden = false))
  source.addEventListener('error', () => (badge.hidden = true))
  source.addEventListener('message', ({ data }) => take(JSON.parse(data)))
}
