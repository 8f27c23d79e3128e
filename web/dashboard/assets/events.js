// Rows as they happen, and a filter by kind. Without this the page shows what has happened until it was loaded.
import { setUp } from './common.js'

const list = document.querySelector('[data-events]')
const rows = list.querySelector('tbody')
const filter = document.querySelector('[data-filter]')
const badge = document.querySelector('[data-live]')
const MOST_ROWS = 200

function applyFilter() {
  const wanted = new Set([...filter.querySelectorAll(':checked')].map(({ value }) => value))
  for (const row of rows.rows) row.hidden = !wanted.has(row.dataset.type)
}

filter.hidden = false
filter.addEventListener('change', applyFilter)

const source = new EventSource(list.dataset.events)
source.addEventListener('open', () => (badge.hidden = false))
source.addEventListener('error', () => (badge.hidden = true))
source.addEventListener('message', ({ data }) => {
  const template = document.createElement('template')
  template.innerHTML = JSON.parse(data)
  setUp(template.content)
  rows.prepend(template.content)
  while (rows.rows.length > MOST_ROWS) rows.lastElementChild.remove()
  applyFilter()
})
