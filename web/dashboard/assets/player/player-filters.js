import { address, find } from './player-page.js'
import { createSender } from './player-send.js'

// Filters are set all together: what is on, with its numbers. A slider that is moved is sent when it rests.
const list = find('[data-filters]')
const state = { sender: null }

export const isFilterPending = () => state.sender?.isPending() ?? false

const round = (value) => String(Number(Number(value).toPrecision(3)))

function valueIn(filters, input) {
  const [filter, field] = input.name.split('.')
  const set = filters[filter]
  if (set === undefined) return Number(input.dataset.usual)
  if (filter === 'volume') return set
  if (filter === 'equalizer') return set.find(({ band }) => band === Number(field))?.gain ?? 0
  return set[field] ?? Number(input.dataset.usual)
}

export function showFilters(filters) {
  if (!list) return
  for (const group of list.querySelectorAll('[data-filter]')) {
    const box = group.querySelector('input[type="checkbox"]')
    box.checked = group.dataset.filter in filters
    for (const input of group.querySelectorAll('input[type="range"]')) {
      input.value = String(valueIn(filters, input))
      input.parentElement.querySelector('output').textContent = round(valueIn(filters, input))
    }
  }
}

function fieldsOf() {
  const fields = new URLSearchParams()
  for (const box of list.querySelectorAll('input[type="checkbox"]:checked')) {
    fields.append('on', box.value)
    for (const input of box.closest('[data-filter]').querySelectorAll('input[type="range"]')) {
      fields.append(input.name, round(input.value))
    }
  }
  return fields
}

export function openFilters(onAnswer) {
  if (!list) return
  state.sender = createSender(onAnswer)
  list.addEventListener('input', () => state.sender.send(`${address}/filters`, fieldsOf()))
}
