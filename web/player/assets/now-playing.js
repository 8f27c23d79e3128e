import { clock, find, icon, isAllowed, make, setAllowed, words } from './page.js'
import { perform, showCover } from './connection.js'
import { openPosition } from './position.js'
import { rightTo } from './rights.js'

// The current track, its position and the controls.
const NEXT_LOOP = { off: 'track', track: 'queue', queue: 'off' }
const [cover, title, author, detail] = ['cover', 'title', 'author', 'detail'].map((name) => find(`[data-${name}]`))
const seek = find('[data-seek]')
const position = openPosition(seek)
const { bar } = position
const [volume, volumeText, silenced] = ['volume', 'volume-text', 'silenced'].map((name) => find(`[data-${name}]`))
const control = (name) => find(`[data-do="${name}"]`)
const controls = Object.fromEntries(
  ['shuffle', 'previous', 'pause', 'skip', 'loop', 'mute', 'addFavourite', 'autoplay', 'stop', 'clear'].map((it) => [
    it,
    control(it),
  ]),
)
const percent = new Intl.NumberFormat(document.documentElement.lang, { style: 'percent' })
let player = null
let shownCover = null
let isSliding = false

export const positionNow = position.now

export function showPlayer(given) {
  player = given
  const current = player?.current ?? null
  title.textContent = player?.streamTitle ?? current?.title ?? words.nothing
  author.textContent = current ? (player.streamTitle === null ? current.author : current.title) : words.nothingHint
  detail.textContent = current ? details(current) : ''
  silenced.hidden = !player?.silenced
  silenced.querySelector('p').textContent = player?.silenced ? words.silenced[player.silenced] : ''
  drawCover(current)
  seek.hidden = !current
  bar.hidden = !current || current.isStream || current.lengthMs === 0
  position.setLength(current?.lengthMs ?? 0, !current || current.isStream ? words.stream : undefined)
  const isMoving = current && !player.paused && player.silenced === null
  position.moveTo(current ? player.positionMs : 0, isMoving ? 1 : 0)
  showControls()
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
  cover.replaceChildren(icon('players'))
  if (wanted === null) return
  const image = make('img', { alt: '' })
  image.addEventListener('error', () => image.remove())
  cover.append(image)
  void showCover(image, wanted, 'large')
}

function relabel(button, picture, label) {
  if (picture) button.replaceChildren(icon(picture))
  button.setAttribute('aria-label', label)
  button.title = label
}

function showControls() {
  relabel(
    controls.pause,
    player && !player.paused && player.current ? 'pause' : 'play',
    player?.paused === false ? words.pause : words.resume,
  )
  relabel(controls.mute, player?.muted ? 'muted' : 'volume', player?.muted ? words.unmute : words.mute)
  relabel(controls.loop, null, words.loop[player?.loop ?? 'off'])
  controls.loop.classList.toggle('on', (player?.loop ?? 'off') !== 'off')
  controls.loop.dataset.loop = player?.loop ?? 'off'
  controls.autoplay.setAttribute('aria-pressed', String(player?.autoplay ?? false))
  if (!isSliding) {
    volume.value = String(player?.volume ?? 100)
    volumeText.textContent = percent.format(Number(volume.value) / 100)
  }
}

export function showRights(me) {
  const names = { pause: player?.paused ? 'resume' : 'pause', mute: player?.muted ? 'unmute' : 'mute' }
  for (const [name, button] of Object.entries(controls)) {
    const [why, isByVote] = rightTo(me, names[name] ?? name)
    setAllowed(button, player ? why : words.nothing, isByVote)
  }
  for (const [slider, right] of [
    [bar, 'seek'],
    [volume, 'volume'],
  ]) {
    const [why] = rightTo(me, right)
    slider.disabled = !player || why !== null
    slider.title = why ?? ''
  }
}

function act(name) {
  if (name === 'pause') return perform(player?.paused ? 'resume' : 'pause')
  if (name === 'mute') return perform(player?.muted ? 'unmute' : 'mute')
  if (name === 'loop') return perform('loop', { mode: NEXT_LOOP[player?.loop ?? 'off'] })
  if (name === 'autoplay') return perform('autoplay', { on: !player?.autoplay })
  return perform(name)
}

export function openControls() {
  for (const [name, button] of Object.entries(controls)) {
    button.addEventListener('click', () => isAllowed(button) && void act(name))
  }
  bar.addEventListener('input', () => position.hold())
  bar.addEventListener('change', async () => {
    const positionMs = Number(bar.value)
    if (await perform('seek', { time: clock(positionMs) })) position.moveTo(positionMs)
    position.letGo()
  })
  volume.addEventListener('input', () => {
    isSliding = true
    volumeText.textContent = percent.format(Number(volume.value) / 100)
  })
  volume.addEventListener('change', async () => {
    await perform('volume', { percent: Number(volume.value) })
    isSliding = false
    showControls()
  })
  setInterval(() => position.show(), 250)
}
