import { button, make } from '../core/dom.js'
import { changed, state } from '../core/store.js'
import { words } from '../core/words.js'

const drawn = { lastId: 0, list: null, filter: '', isPaused: false }

export function forgetTraffic() {
  Object.assign(drawn, { lastId: 0, list: null })
}

/** Newest first. Entries are added, never drawn again, so that one that is open stays open. */
export function drawTraffic(panel) {
  if (!drawn.list?.isConnected) build(panel)
  if (drawn.isPaused) return
  const first = state.traffic[0]?.id ?? 0
  while (Number(drawn.list.lastElementChild?.dataset.id ?? first) < first) drawn.list.lastElementChild.remove()
  const fresh = state.traffic.filter(({ id }) => id > drawn.lastId)
  drawn.lastId = state.traffic.at(-1)?.id ?? 0
  drawn.list.prepend(...fresh.map(drawEntry).toReversed())
  panel.querySelector('.empty').hidden = state.traffic.length > 0
}

function build(panel) {
  const it = words()
  drawn.lastId = 0
  drawn.list = make('ul', { className: 'traffic', aria: { label: it.tabs.traffic } })
  const filter = make('input', {
    type: 'search',
    placeholder: it.filter,
    value: drawn.filter,
    aria: { label: it.filter },
  })
  filter.addEventListener('input', () => {
    drawn.filter = filter.value.toLowerCase()
    for (const row of drawn.list.children) applyFilter(row)
  })
  const pause = button({ className: 'quiet-button', text: drawn.isPaused ? it.resume : it.pause, press: onPause })
  const clear = button({ className: 'quiet-button', text: it.clear, press: onClear })
  panel.replaceChildren(
    make('p', { className: 'quiet lead' }, it.trafficLead),
    make('div', { className: 'traffic-tools' }, filter, pause, clear),
    make('p', { className: 'quiet empty' }, it.noTraffic),
    drawn.list,
  )
}

function onPause({ currentTarget }) {
  drawn.isPaused = !drawn.isPaused
  currentTarget.textContent = drawn.isPaused ? words().resume : words().pause
  changed('traffic')
}

function onClear() {
  state.traffic = []
  drawn.list.replaceChildren()
  changed('traffic')
}

function drawEntry({ id, atMs, kind, name, status, durationMs, body }) {
  const time = new Date(atMs).toISOString().slice(11, 23)
  const end =
    status === null ? null : make('span', { className: status >= 400 ? 'bad number' : 'number' }, String(status))
  const took = durationMs === null ? null : make('span', { className: 'quiet number' }, `${Math.round(durationMs)} ms`)
  const head = make(
    'summary',
    {},
    make('span', { className: `kind ${kind}` }, words().trafficKinds[kind]),
    make(
      'span',
      { className: 'grow name', title: name },
      name.replaceAll(/\d{15,}/g, (id) => `…${id.slice(-4)}`),
    ),
    end,
    took,
  )
  const row = make(
    'li',
    { data: { id: String(id), name: name.toLowerCase() } },
    make(
      'details',
      {},
      head,
      make('p', { className: 'quiet number' }, time),
      make('pre', { tabIndex: 0 }, body || '–'),
    ),
  )
  applyFilter(row)
  return row
}

function applyFilter(row) {
  row.hidden = drawn.filter !== '' && !row.dataset.name.includes(drawn.filter)
}
