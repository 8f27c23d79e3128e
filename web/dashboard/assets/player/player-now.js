import { address, announce, elementsOf, find, root, say, words } from './player-page.js'
import { createSender, post } from './player-send.js'
import { isFilterPending, openFilters, showFilters } from './player-filters.js'
import { followLyrics, showLyrics } from './player-lyrics.js'
import { openPosition } from './position.js'

// The current track, its position and its settings. Changes show at once and are corrected by the answer.
const seek = find('[data-seek]')
const position = openPosition(seek)
const { bar } = position
const KEY_STEP_MS = 5000
/** Time to read the message before the page is left. */
const READ_MS = 1500
const percent = new Intl.NumberFormat(document.documentElement.lang, { style: 'percent' })
let state = { lengthMs: Number(bar.max) }
let title = find('.now-title')?.textContent

const seeking = createSender((answer) => {
  position.letGo()
  take(answer)
})
const senders = new Map()

function showPosition() {
  position.show()
  if (!position.isHeld()) followLyrics(position.now())
}

export function movePosition({ ms, rate }) {
  position.moveTo(ms, rate)
}

/** Applies the answer to a sent change. */
function take(answer) {
  // The service could not be reached: controls go back to the known state.
  if (!answer) return showState(state)
  if (answer.state) showState(answer.state)
  if (answer.positionMs !== undefined && !seeking.isPending()) position.moveTo(answer.positionMs)
}

/** Applies a changed state. A control that is being moved stays as it is. */
export function showState(changed) {
  state = { ...state, ...changed }
  for (const control of root.querySelectorAll('[data-key]')) {
    const { key } = control.dataset
    if (!(key in changed) || senders.get(control)?.isPending()) continue
    if (key === 'sleep' && changed.sleep !== '' && changed.sleep !== '0') continue
    control.value = String(changed[key])
    showValue(control)
  }
  if (changed.filters && !isFilterPending()) showFilters(changed.filters)
  showButtons()
  seek.hidden = state.lengthMs === 0
  position.setLength(state.lengthMs)
}

const OTHER = { pause: 'resume', resume: 'pause', mute: 'unmute', unmute: 'mute' }

function showButtons() {
  const focused = document.activeElement
  const isHidden = { pause: state.paused, resume: !state.paused, mute: state.muted, unmute: !state.muted }
  for (const button of root.querySelectorAll('[data-action]')) {
    const { action, needs } = button.dataset
    if (action in isHidden) button.hidden = isHidden[action]
    if (needs === 'current') button.disabled = !state.hasTrack
  }
  // The button that took its place keeps the focus where the hand is.
  const other = OTHER[focused?.dataset?.action]
  if (other && focused.hidden) root.querySelector(`[data-action="${other}"]`).focus()
}

export function showValue(control) {
  const output = control.parentElement.querySelector('output')
  if (!output) return
  const value = Number(control.value)
  const { unit } = control.dataset
  control.parentElement.classList.toggle('loud', unit === '%' && value > 100)
  output.textContent = unit === '%' ? percent.format(Math.round(value) / 100) : unit === 's' ? `${value / 1000} s` : String(Number(value.toPrecision(3)))
}

/** Parts as markup of our own. Details that are open stay open. */
export function showParts(parts) {
  for (const [name, markup] of Object.entries(parts)) {
    if (name === 'sleep') showSleep(markup)
    const place = root.querySelector(`[data-part="${name}"]`)
    if (!place) continue
    const wasOpen = place.querySelector('details')?.open
    const focused = place.contains(document.activeElement) ? [...place.querySelectorAll('button, a, summary')].indexOf(document.activeElement) : -1
    place.replaceChildren(elementsOf(markup))
    const details = place.querySelector('details')
    if (details && wasOpen !== undefined) details.open = wasOpen
    if (focused !== -1) [...place.querySelectorAll('button, a, summary')][focused]?.focus()
  }
  if (!('now' in parts)) return
  const now = find('.now-title')?.textContent
  if (now && now !== title) announce(now)
  title = now
  void showLyrics()
}

function showSleep(markup) {
  const control = root.querySelector('[data-key="sleep"]')
  if (control && control !== document.activeElement) control.replaceChildren(elementsOf(markup))
}

function sendSetting(control) {
  const sender = senders.get(control) ?? createSender(take)
  senders.set(control, sender)
  sender.send(control.form.action, { [control.name]: control.value })
}

/** A press on a button of a form that is no setting. */
async function sendAction(form, submitter) {
  const answer = await post(submitter?.getAttribute('formaction') ?? form.action, new FormData(form, submitter))
  take(answer)
  return answer
}

function seekTo(ms) {
  bar.value = String(ms)
  position.hold()
  seeking.send(`${address}/seek`, { positionMs: bar.value })
}

export function openControls() {
  root.addEventListener('input', ({ target }) => {
    if (target.type === 'range' && target !== bar) showValue(target)
    if ('send' in target.dataset && target.type === 'range') sendSetting(target)
  })
  root.addEventListener('change', ({ target }) => {
    if ('send' in target.dataset && target.type !== 'range') sendSetting(target)
  })
  bar.addEventListener('input', () => position.hold())
  bar.addEventListener('change', () => seekTo(bar.value))
  bar.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    seekTo(Number(bar.value) + step * KEY_STEP_MS)
  })
  root.addEventListener('submit', (event) => {
    const { target, submitter } = event
    if (target.closest('[data-find], .queue-form') || target.method !== 'post') return
    event.preventDefault()
    delete target.dataset.sent
    void sendAction(target, submitter)
  })
  openFilters(take)
  setInterval(showPosition, 250)
}

export function left() {
  say(words.gone)
  const list = address.split('/').slice(0, -2).join('/')
  // Moves the focus to the content of the list page.
  setTimeout(() => location.assign(`${list}#main`), READ_MS)
}
