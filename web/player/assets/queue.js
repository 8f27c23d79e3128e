import { announce, clock, find, iconButton, isAllowed, make, setAllowed, words } from './page.js'
import { perform } from './connection.js'
import { rightTo } from './rights.js'
import { makeSortable, rowsOf } from './sortable.js'
import { trackRow } from './lists.js'

// The queue and its actions.
const list = find('[data-queue]')
let shown = ''
let waiting = null
let tracks = []
const rows = rowsOf(list)
const sorting = makeSortable(list, {
  ...rows,
  onMove(from, to) {
    rows.settle()
    void move(from, to)
  },
})

export function showQueue(player, me) {
  const queue = player?.queue ?? []
  channelId = player?.channelId ?? null
  const next = queue.length === 0 ? (player?.suggestion ?? null) : null
  const state = JSON.stringify([queue, next, player?.more, me])
  if (state === shown) return
  if (sorting.isDragging()) {
    waiting = () => showQueue(player, me)
    return
  }
  shown = state
  tracks = queue
  const focus = focused()
  list.replaceChildren(...queue.map((track, at) => row(track, at, me)))
  if (next) list.append(suggestionRow(next))
  restore(focus)
  find('[data-queue-head]').hidden = queue.length === 0
  find('[data-queue-more]').textContent = note(player, next)
}

function note(player, next) {
  if (player?.more > 0) return `+ ${player.more} ${words.more}`
  return list.children.length === 0 && !next ? words.queueEmpty : ''
}

function row(track, at, me) {
  const isMine = me !== null && track.requesterId === me.userId
  const handle = iconButton('grip', `${words.move}: ${track.title}. ${words.movedTo} ${at + 1}`, {
    'data-handle': true,
    'data-key': `move ${track.mark} ${at}`,
    'aria-describedby': 'move-hint',
  })
  setAllowed(handle, ...rightTo(me, 'move'))
  const jump = iconButton('play-next', `${words.playNow}: ${track.title}`, { 'data-key': `jump ${track.mark}` })
  setAllowed(jump, ...rightTo(me, 'skipTo'))
  jump.addEventListener('click', () => isAllowed(jump) && void perform('skipTo', { position: placeOf(track, at) }))
  const remove = iconButton('cross', `${words.remove}: ${track.title}`, { 'data-key': `remove ${track.mark}` })
  // Members may remove their own requests while in the channel: as with `resume`, without a vote.
  const [why, isByVote] = rightTo(me, 'remove')
  setAllowed(remove, isMine && isHere(me) ? null : why, isByVote && !isMine)
  remove.addEventListener('click', () => isAllowed(remove) && void perform('remove', { position: placeOf(track, at) }))
  const item = trackRow(
    track,
    make('span', { class: 'length' }, track.isStream ? words.stream : clock(track.lengthMs)),
    jump,
    remove,
  )
  item.prepend(handle)
  return item
}

let channelId = null

const isHere = (me) => me !== null && me.voiceChannelId === channelId

/** The current position of a track: another member may have moved it since the list was drawn. */
function placeOf(track, at) {
  return (tracks[at] === track ? at : tracks.indexOf(track)) + 1
}

function suggestionRow(track) {
  return trackRow({ ...track, requester: words.suggestion }, make('span', { class: 'length' }, clock(track.lengthMs)))
}

async function move(from, to) {
  const later = waiting
  waiting = null
  const track = tracks[from]
  shown = ''
  if (from !== to && (await perform('move', { from: from + 1, to: to + 1 }))) {
    announce(`${track.title}: ${words.movedTo} ${to + 1}`)
  } else {
    // As it was.
    redraw(from, to)
  }
  later?.()
}

function redraw(from, to) {
  const all = [...list.children]
  if (from === to || !all[to]) return
  all[from]?.[from < to ? 'before' : 'after'](all[to])
}

function focused() {
  const element = list.contains(document.activeElement) ? document.activeElement : null
  if (!element) return null
  return {
    key: element.dataset.key,
    isHandle: 'handle' in element.dataset,
    at: [...list.children].indexOf(element.closest('li')),
  }
}

/** Restores the focus to the same control of the same track, else to the one in its place. */
function restore(focus) {
  if (!focus) return
  const all = [...list.querySelectorAll('[data-key]')]
  const mark = focus.key.split(' ')[1]
  const same = all.find((it) => it.dataset.key === focus.key)
  const moved = focus.isHandle && all.find((it) => it.dataset.key.startsWith(`move ${mark} `))
  const near = list.children[Math.min(focus.at, list.children.length - 1)]?.querySelector('[data-key]')
  const target = same ?? moved ?? near ?? find('#tab-queue')
  target.focus()
}
