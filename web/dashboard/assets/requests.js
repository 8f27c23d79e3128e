// Rows as they come, which can be paused. Without this the page shows what had come when it was loaded.
const list = document.querySelector('[data-requests]')
const badge = document.querySelector('[data-live]')
const pause = document.querySelector('[data-pause]')
const MOST_ROWS = 200

// Filters that are left open do not belong into the address.
const filters = document.querySelector('[data-filters]')
filters?.addEventListener('submit', () => {
  for (const field of filters.elements) if (field.value === '') field.disabled = true
})
addEventListener('pageshow', () => {
  for (const field of filters?.elements ?? []) field.disabled = false
})

const moment = new Intl.DateTimeFormat(document.documentElement.lang === 'de' ? 'de' : 'en-GB', {
  dateStyle: 'medium',
  timeStyle: 'medium',
})
const rows = list?.querySelector('tbody')
/** Rows received while paused. */
const held = []

function showRows(markup) {
  const template = document.createElement('template')
  template.innerHTML = markup
  for (const time of template.content.querySelectorAll('time')) time.textContent = moment.format(new Date(time.dateTime))
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
