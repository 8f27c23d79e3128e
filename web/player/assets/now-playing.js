import { clock, find, grouped, icon, isAllowed, make, relabel, setAllowed, words } from './page.js'
import { coverOf, perform, pictureOf } from './connection.js'
import { openPosition } from './position.js'
import { rightTo } from './rights.js'
import { tintFor } from './tint.js'

// The current track, its position and the controls; on phones also the small player that stays.
const NEXT_LOOP = { off: 'track', track: 'queue', queue: 'off' }
const MOST_NAMED = 12
const SEEK_MS = 5000
const SEEK_REST_MS = 400
const all = (selector) => [...document.querySelectorAll(selector)]
const [covers, titles, authors] = ['cover', 'title', 'author'].map((name) => all(`[data-${name}]`))
const [detail, listeners, voteHint] = ['detail', 'listeners', 'vote-hint'].map((name) => find(`[data-${name}]`))
const seek = find('[data-seek]')
const position = openPosition(seek)
const { bar } = position
const [volume, volumeText, silenced] = ['volume', 'volume-text', 'silenced'].map((name) => find(`[data-${name}]`))
const controls = all('[data-do]')
const controlsOf = (name) => controls.filter((it) => it.dataset.do === name)
const percent = new Intl.NumberFormat(document.documentElement.lang, { style: 'percent' })
let player = null
let me = null
let kept = null
let shownCover = null
let shownListeners = ''
let isSliding = false

export const positionNow = position.now

export function showPlayer(given) {
  player = given
  const current = player?.current ?? null
  for (const title of titles) title.textContent = player?.streamTitle ?? current?.title ?? words.nothing
  detail.textContent = current ? details(current) : ''
  silenced.hidden = !player?.silenced
  silenced.querySelector('p').textContent = player?.silenced ? words.silenced[player.silenced] : ''
  drawCover(current)
  drawListeners(player?.listeners ?? [])
  seek.hidden = !current
  bar.hidden = !current || current.isStream || current.lengthMs === 0
  position.setLength(current?.lengthMs ?? 0, !current || current.isStream ? words.stream : undefined)
  const isMoving = current && !player.paused && player.silenced === null
  position.moveTo(current ? player.positionMs : 0, isMoving ? 1 : 0)
}

function details(current) {
  const parts = [
    player.paused ? words.paused : '',
    player.channelName ? `${words.listenIn} ${player.channelName}` : '',
    current.requester ? `${words.requestedBy} ${current.requester}` : '',
  ]
  return parts.filter((part) => part !== '').join(' · ')
}

function drawCover(current) {
  const wanted = current?.hasCover ? current.mark : null
  if (wanted === shownCover) return
  shownCover = wanted
  void tintFor(wanted === null ? null : current)
  for (const cover of covers) {
    cover.replaceChildren(icon('players'))
    if (wanted !== null) cover.append(pictureOf(coverOf(current, 'large')))
  }
}

function drawListeners(members) {
  const state = JSON.stringify(members)
  if (state === shownListeners) return
  shownListeners = state
  listeners.hidden = members.length === 0
  const items = members.slice(0, MOST_NAMED).map(({ id, name, avatar }) => {
    const picture = make('span', { class: 'avatar', 'aria-hidden': 'true' }, [...name][0] ?? '')
    if (avatar) picture.append(pictureOf(`avatar/${id}?v=${avatar}`, { loading: 'lazy' }))
    return make('li', {}, picture, make('span', {}, name))
  })
  const more = members.length - items.length
  listeners.replaceChildren(...items, ...(more > 0 ? [make('li', {}, `+${grouped(more)}`)] : []))
}

function showControls() {
  const isPaused = player?.paused !== false
  for (const button of controlsOf('pause')) {
    button.replaceChildren(icon(isPaused || !player.current ? 'play' : 'pause'))
    relabel(button, isPaused ? words.resume : words.pause)
  }
  const [[mute], [loop], [autoplay], [heart]] = ['mute', 'loop', 'autoplay', 'addFavourite'].map(controlsOf)
  mute.replaceChildren(icon(player?.muted ? 'muted' : 'volume'))
  relabel(mute, player?.muted ? words.unmute : words.mute)
  relabel(loop, words.loop[player?.loop ?? 'off'])
  loop.classList.toggle('on', (player?.loop ?? 'off') !== 'off')
  loop.dataset.loop = player?.loop ?? 'off'
  autoplay.setAttribute('aria-pressed', String(player?.autoplay ?? false))
  heart.setAttribute('aria-pressed', String(isKept()))
  if (!isSliding) {
    volume.value = String(player?.volume ?? 100)
    showVolume()
  }
}

const isKept = () => kept !== null && kept === player?.current?.mark

function showVolume() {
  volumeText.textContent = percent.format(Number(volume.value) / 100)
  volume.parentElement.classList.toggle('loud', Number(volume.value) > 100)
}

export function showRights(given) {
  if (me !== given) kept = given?.kept ?? null
  me = given
  const hint = me && me.voiceChannelId === null ? words.joinHint : words.nothingHint
  const current = player?.current ?? null
  for (const author of authors) {
    author.textContent = current ? (player.streamTitle === null ? current.author : current.title) : hint
  }
  showControls()
  const skipsByVote = rightTo(me, 'skip')[1]
  for (const button of controlsOf('skip')) relabel(button, skipsByVote ? words.voteSkip : words.skip)
  for (const it of all('[data-skip-words]')) it.hidden = !skipsByVote
  const names = { pause: player?.paused ? 'resume' : 'pause', mute: player?.muted ? 'unmute' : 'mute' }
  for (const button of controls) {
    const name = button.dataset.do
    const [why, isByVote] = rightTo(me, names[name] ?? name)
    setAllowed(button, player ? why : words.nothing, isByVote && name !== 'skip')
    // Its name says it already; without room for the name, the dot does.
    if (name === 'skip') button.toggleAttribute('data-by-vote', isByVote && button.childElementCount === 1)
  }
  voteHint.hidden = !controls.some((it) => it.hasAttribute('data-by-vote'))
  for (const [slider, right] of [
    [bar, 'seek'],
    [volume, 'volume'],
  ]) {
    const [why] = rightTo(me, right)
    slider.disabled = !player || why !== null
    slider.title = why ?? ''
  }
}

async function act(name) {
  if (name === 'pause') return perform(player?.paused ? 'resume' : 'pause')
  if (name === 'mute') return perform(player?.muted ? 'unmute' : 'mute')
  if (name === 'loop') return perform('loop', { mode: NEXT_LOOP[player?.loop ?? 'off'] })
  if (name === 'autoplay') return perform('autoplay', { on: !player?.autoplay })
  if (name === 'addFavourite') return toggleFavourite()
  return perform(name)
}

async function toggleFavourite() {
  const track = player?.current?.mark ?? null
  const isDone = await (isKept() ? perform('removeFavourite', { track }) : perform('addFavourite'))
  if (!isDone) return
  kept = isKept() ? null : track
  showRights(me)
}

/** A press on the control of this name. */
export function press(name) {
  const [button] = controlsOf(name)
  if (isAllowed(button)) void act(name)
}

let resting = 0

/** Goes forward or back, once the keys rest. @param direction 1 or -1. */
export function seekBy(direction) {
  if (bar.disabled || bar.hidden || seek.hidden) return
  position.hold()
  bar.value = String(Number(bar.value) + direction * SEEK_MS)
  position.show()
  clearTimeout(resting)
  resting = setTimeout(() => void seekToBar(), SEEK_REST_MS)
}

async function seekToBar() {
  const positionMs = Number(bar.value)
  if (await perform('seek', { time: clock(positionMs) })) position.moveTo(positionMs)
  position.letGo()
}

export function openControls() {
  for (const button of controls) {
    button.addEventListener('click', () => isAllowed(button) && void act(button.dataset.do))
  }
  bar.addEventListener('input', () => position.hold())
  bar.addEventListener('change', () => void seekToBar())
  volume.addEventListener('input', () => {
    isSliding = true
    showVolume()
  })
  volume.addEventListener('change', async () => {
    await perform('volume', { percent: Number(volume.value) })
    isSliding = false
    showRights(me)
  })
  setInterval(() => position.show(), 250)
}
