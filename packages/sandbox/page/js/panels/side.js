import { button, find, make } from '../core/dom.js'
import { icon } from '../core/icons.js'
import { showTraffic } from '../core/live.js'
import { changed, follow } from '../core/store.js'
import { words } from '../core/words.js'
import { drawMembers } from './members.js'
import { countFaults, drawNetwork } from './network.js'
import { drawTraffic, forgetTraffic } from './traffic.js'

const TABS = { members: ['people', drawMembers], network: ['network', drawNetwork], traffic: ['traffic', drawTraffic] }
let shown = 'members'

export function startSide() {
  build()
  follow(['language'], build)
  follow(['network'], drawTabs)
  follow(['guild', 'voice', 'me', 'applications'], () => shown === 'members' && drawPanel())
  follow(['network', 'guild', 'voice', 'applications'], () => shown === 'network' && drawPanel())
  follow(['traffic'], () => shown === 'traffic' && drawPanel())
}

function build() {
  const side = find('side')
  side.setAttribute('aria-label', words().sideLabel)
  const tabs = Object.entries(TABS).map(([name, [picture]]) =>
    button({
      id: `tab-${name}`,
      role: 'tab',
      className: 'tab',
      picture: icon(picture),
      text: make('span', {}, words().tabs[name]),
      aria: { controls: 'side-panel' },
      press: () => show(name),
    }),
  )
  side.replaceChildren(
    make(
      'div',
      { className: 'tabs', role: 'tablist', aria: { label: words().sideLabel }, on: { keydown: onKey } },
      tabs,
    ),
    make('div', { id: 'side-panel', className: 'panel', role: 'tabpanel', tabIndex: 0 }),
  )
  forgetTraffic()
  drawTabs()
  drawPanel()
}

function show(name) {
  shown = name
  showTraffic(name === 'traffic')
  find('side-panel').replaceChildren()
  forgetTraffic()
  drawTabs()
  drawPanel()
  changed('side')
}

function onKey(event) {
  const names = Object.keys(TABS)
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
  if (!step) return
  event.preventDefault()
  show(names.at((names.indexOf(shown) + step) % names.length))
  find(`tab-${shown}`).focus()
}

function drawTabs() {
  for (const name of Object.keys(TABS)) {
    const tab = find(`tab-${name}`)
    tab.setAttribute('aria-selected', String(name === shown))
    tab.tabIndex = name === shown ? 0 : -1
  }
  find('side-panel').setAttribute('aria-labelledby', `tab-${shown}`)
  const count = countFaults()
  const tab = find('tab-network')
  tab.querySelector('.count')?.remove()
  if (count > 0) tab.append(make('span', { className: 'count', title: words().active({ count }) }, String(count)))
}

const drawPanel = () => TABS[shown][1](find('side-panel'))
