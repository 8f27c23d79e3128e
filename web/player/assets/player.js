import { announce, find } from './page.js'
import { follow, signOut } from './connection.js'
import { openList, setMe } from './lists.js'
import { followLyrics, openStage, showLyrics } from './lyrics.js'
import { openControls, positionNow, press, seekBy, showPlayer, showRights } from './now-playing.js'
import { showQueue } from './queue.js'
import { openSearch, setSearcher, startSearch } from './search.js'
import { openShortcuts } from './shortcuts.js'
import { showVotes } from './votes.js'

// Puts the parts together once it is known who the member is.
const TABS = ['search', 'queue', 'lyrics', 'history', 'favourites']
const tabs = TABS.map((name) => find(`#tab-${name}`))
const grid = find('[data-grid]')
const mini = find('[data-open-now]')
/** There the search and what plays have a place beside the tabs. */
const wide = matchMedia('(min-width: 56rem)')
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
    // On a phone, the page opens with what plays, or with the search for something to play.
    if (find('main').ariaBusy === 'true' && !player?.current && !wide.matches) choose(tabs[0])
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

/** On phones, what plays takes the place of the chosen tab, or gives it back. */
function showNow(isShown) {
  grid.classList.toggle('now-open', isShown)
  mini.setAttribute('aria-expanded', String(isShown))
  if (!wide.matches) scrollTo(0, 0)
}

function choose(tab) {
  showNow(false)
  const name = tab.id.slice('tab-'.length)
  grid.dataset.tab = name
  for (const it of tabs) {
    const isChosen = it === tab
    it.setAttribute('aria-selected', String(isChosen))
    it.tabIndex = isChosen ? 0 : -1
    // The style sheet says where the search is seen: beside the others if there is room.
    if (it !== tabs[0]) find(`#${it.getAttribute('aria-controls')}`).hidden = !isChosen
  }
  // Until something is found, the search offers what was played.
  if (name === 'search') find('#panel-history').hidden = false
  if (name !== 'queue' && name !== 'lyrics') void openList(name === 'search' ? 'history' : name)
  draw()
}

function onTabKey(event) {
  const seen = tabs.filter((it) => it.checkVisibility())
  const at = seen.indexOf(event.target)
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: seen.length - 1 }[event.key]
  if (to === undefined) return
  event.preventDefault()
  const tab = seen[(to + seen.length) % seen.length]
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
  mini.addEventListener('click', () => showNow(!grid.classList.contains('now-open')))
  wide.addEventListener('change', () => wide.matches && grid.dataset.tab === 'search' && choose(tabs[1]))
  openControls()
  openSearch()
  openStage()
  openShortcuts({
    ' ': () => press('pause'),
    ArrowRight: () => seekBy(1),
    ArrowLeft: () => seekBy(-1),
    '/'() {
      if (!wide.matches) choose(tabs[0])
      startSearch()
    },
  })
  setInterval(() => followLyrics(positionNow()), 200)
  void follow(onMessage)
}
