import { make } from '../core/dom.js'
import { attempt } from '../core/problem.js'
import { voiceChannels, voiceOf } from '../core/store.js'
import { moveMember } from './move.js'

/** A press that moves less is a press. */
const START_PX = 6
/** A finger that rests so long takes the member up; one that moves before scrolls the list. */
const HOLD_MS = 350

const targets = new WeakMap()

export function makeDropTarget(element, channelId) {
  targets.set(element, channelId)
  element.classList.add('drop-target')
}

/** Members are moved by mouse, finger and keyboard (Alt with an arrow). */
export function makeDraggable(row, member) {
  row.addEventListener('pointerdown', (event) => {
    if (event.button === 0) beginDrag(row, member, event)
  })
  row.addEventListener('keydown', (event) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!event.altKey || step === undefined) return
    event.preventDefault()
    const channels = voiceChannels()
    const at = channels.findIndex(({ id }) => id === voiceOf(member.id)?.channelId)
    const next = channels[at < 0 ? 0 : at + step]
    if (next) void attempt(() => moveMember(member, next.id))
  })
}

function beginDrag(row, member, start) {
  const isTouch = start.pointerType === 'touch'
  const drag = { ghost: null, target: null }
  const stopping = new AbortController()
  const { signal } = stopping
  const lift = () => {
    drag.ghost = make('div', { className: 'ghost', aria: { hidden: true } }, member.name)
    document.body.append(drag.ghost)
    document.body.classList.add('dragging')
    follow(start)
  }
  const timer = isTouch ? setTimeout(lift, HOLD_MS) : null

  function follow({ clientX, clientY }) {
    drag.ghost.style.transform = `translate(${clientX + 8}px, ${clientY + 8}px)`
    const below = document.elementFromPoint(clientX, clientY)?.closest('.drop-target') ?? null
    if (below === drag.target) return
    drag.target?.classList.remove('over')
    below?.classList.add('over')
    drag.target = below
  }
  function onMove(event) {
    const isFar = Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) > START_PX
    if (!drag.ghost && isFar && isTouch) return end()
    if (!drag.ghost && isFar) lift()
    if (drag.ghost) follow(event)
  }
  function end() {
    clearTimeout(timer)
    stopping.abort()
    drag.target?.classList.remove('over')
    drag.ghost?.remove()
    document.body.classList.remove('dragging')
  }
  function onUp() {
    const wasDragged = drag.ghost !== null
    const channelId = drag.target && targets.get(drag.target)
    end()
    if (!wasDragged) return
    swallowClick()
    if (channelId && channelId !== voiceOf(member.id)?.channelId) void attempt(() => moveMember(member, channelId))
  }
  addEventListener('pointermove', onMove, { signal })
  addEventListener('pointerup', onUp, { signal })
  addEventListener('pointercancel', end, { signal })
  addEventListener('keydown', ({ key }) => key === 'Escape' && end(), { signal })
  // While a member is held the finger does not scroll.
  addEventListener('touchmove', (event) => drag.ghost && event.preventDefault(), { signal, passive: false })
  addEventListener('contextmenu', (event) => drag.ghost && event.preventDefault(), { signal })
}

/** Suppresses the click that follows a drop. */
function swallowClick() {
  addEventListener('click', swallow, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', swallow, { capture: true }), 50)
}

function swallow(event) {
  event.stopPropagation()
  event.preventDefault()
}
