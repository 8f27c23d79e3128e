import { find, make } from '../core/dom.js'
import { icon } from '../core/icons.js'
import { channelOf, follow, me, memberOf, offline, state } from '../core/store.js'
import { words } from '../core/words.js'
import { createMessage } from './message.js'

const NEAR_END_PX = 120

/** By message id. */
const shown = new Map()
let beginning = null

export function startLog() {
  beginning = make('p', { className: 'quiet beginning' })
  find('log').append(beginning)
  follow(['channel', 'guild', 'language', 'applications'], drawHead)
  follow(['messages', 'channel', 'language', 'guild', 'commands'], draw)
  follow(['typing'], drawTyping)
  new ResizeObserver(keepEnd).observe(find('log'))
  find('log').addEventListener('scroll', () => (isAtEnd = nearEnd()), { passive: true })
  // Pictures come in late and push the end away.
  find('log').addEventListener('load', keepEnd, { capture: true })
  setInterval(drawTyping, 1000)
}

let isAtEnd = true

function nearEnd() {
  const log = find('log')
  return log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_END_PX
}

function keepEnd() {
  const log = find('log')
  if (isAtEnd) log.scrollTop = log.scrollHeight
}

function drawHead() {
  const channel = channelOf(state.channelId)
  const gone = offline().map(({ name }) => name)
  const head = find('chat-head')
  const title = channel ? [icon('hash'), channel.name] : [words().noChannel]
  head.replaceChildren(
    make('h2', {}, ...title),
    ...(gone.length > 0
      ? [make('p', { className: 'warning', role: 'alert' }, words().botOffline({ count: gone.length, names: gone }))]
      : []),
  )
  find('log').setAttribute('aria-label', words().log)
}

/** Messages of the channel, and those that only the acting member sees. */
function visible() {
  const mine = [...state.whispers.values()].filter(
    (one) => one.for === me()?.id && one.channelId === state.channelId && !state.messages.has(one.id),
  )
  return [...state.messages.values(), ...mine].toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))
}

function draw() {
  const log = find('log')
  const messages = visible()
  const ids = new Set(messages.map(({ id }) => id))
  for (const [id, { element }] of shown) {
    if (ids.has(id)) continue
    element.remove()
    shown.delete(id)
  }
  beginning.hidden = !state.isLoaded || !channelOf(state.channelId)
  beginning.textContent = words().beginning({ channel: channelOf(state.channelId)?.name ?? '' })
  let before = beginning
  for (const message of messages) {
    const view = shown.get(message.id) ?? createMessage()
    shown.set(message.id, view)
    view.update(message)
    if (before.nextElementSibling !== view.element) before.after(view.element)
    before = view.element
  }
  keepEnd()
  log.dataset.loaded = String(state.isLoaded)
}

function drawTyping() {
  for (const [userId, untilMs] of state.typing) if (untilMs < Date.now()) state.typing.delete(userId)
  const names = [...state.typing.keys()].map((id) => memberOf(id)?.name).filter(Boolean)
  const line = find('typing')
  const text = names.length > 0 ? words().typing({ count: names.length, names }) : ''
  if (line && line.textContent !== text) line.textContent = text
}
