import { announce, find } from './page.js'
import { follow, signOut } from './connection.js'
import { openList, setMe } from './lists.js'
import { followLyrics, showLyrics } from './lyrics.js'
import { openControls, positionNow, showPlayer, showRights } from './now-playing.js'
import { showQueue } from './queue.js'
import { openSearch, setSearcher } from './search.js'
import { showVotes } from './votes.js'

// Puts the parts together once it is known who the member is.
const TABS = ['queue', 'lyrics', 'history', 'favourites']
const tabs = TABS.map((name) => find(`#tab-${name}`))
let player = null
let me = null
let playing = null

function draw() {
  showQueue(player, me)
  showRights(me)
  showVotes(player, me)
  void showLyrics(player?.current ?? null)
}

function onMessage(message) {
  if (message.type === 'player') {
    player = message.player
    showPlayer(player)
    const mark = player?.current?.mark ?? null
    if (playing !== null && mark !== null && mark !== playing) announce(player.current.title)
    playing = mark
    find('main').setAttribute('aria-busy', 'false')
  } else {
    me = message.me
    find('[data-me]').textContent = me.name
    find('[data-guild-name]').textContent = me.guildName
    setMe(me)
    setSearcher(me)
  }
  draw()
}

function choose(tab) {
  for (const it of tabs) {
    const isChosen = it === tab
    it.setAttribute('aria-selected', String(isChosen))
    it.tabIndex = isChosen ? 0 : -1
    find(`#${it.getAttribute('aria-controls')}`).hidden = !isChosen
  }
  const name = tab.id.slice('tab-'.length)
  if (name === 'history' || name === 'favourites') void openList(name)
  draw()
}

function onTabKey(event) {
  const at = tabs.indexOf(event.target)
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key]
  if (to === undefined) return
  event.preventDefault()
  const tab = tabs[(to + tabs.length) % tabs.length]
  tab.focus()
  choose(tab)
}

/** Called once, when the connection knows its member. */
export function start() {
  for (const tab of tabs) {
    tab.addEventListener('click', () => choose(tab))
    tab.addEventListener('keydown', onTabKey)
  }
  find('[data-sign-out]')?.addEventListener('click', () => void signOut())
  openControls()
  openSearch()
  setInterval(() => followLyrics(positionNow()), 200)
  void follow(onMessage)
}
