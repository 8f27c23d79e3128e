import { button, find, make, refill } from '../core/dom.js'
import { icon } from '../core/icons.js'
import { setTried, wasTried } from '../core/preferences.js'
import { changed, channelOf, follow, me, memberOf, state, voiceOf } from '../core/store.js'
import { words } from '../core/words.js'
import { commandNamed } from './commands.js'

const SHOWN = 3
const triedNow = new Set()

/**
 * Suggests commands: the first one large while the channel is empty, then a few more above the message box.
 * @param composer `run` sends a command, `fill` writes it without sending.
 */
export function startSuggestions(composer) {
  let isFilled = false
  const redraw = () => {
    draw(composer)
    const [first] = fitting()
    if (isFilled || !first || !isBeginning()) return
    isFilled = true
    composer.fill(first)
  }
  follow(['commands', 'messages', 'channel', 'language', 'me', 'voice', 'locale', 'tried', 'activity', 'links'], redraw)
}

export function markTried(path) {
  triedNow.add(path)
  setTried(keyOf({ command: path }))
  changed('tried')
}

const keyOf = ({ command }) => command.replaceAll(' ', '.')

/** Suggestions that work now: the bots of this guild have the command, and play if it takes that. */
const fitting = () => state.suggestions.filter((one) => commandNamed(one.command) && (!one.needsSound || isHeard()))

function isHeard() {
  const here = voiceOf(me()?.id)?.channelId
  return state.applications.some(({ id }) => here && voiceOf(id)?.channelId === here && state.speakers[id]?.speaking)
}

const isBeginning = () => state.isLoaded && state.messages.size === 0 && triedNow.size === 0

/** The command as a member would type it. */
function textOf({ command: path, options, members: [by] = [] }) {
  const command = commandNamed(path)
  const values = Object.entries(options).map(([name, value]) => {
    const role = state.guild.roles.find(({ id }) => id === value)
    return command.options[0]?.name === name && !role ? value : `${role ? '@' : ''}${role?.name ?? value}`
  })
  const text = [`/${command.shown}`, ...values].join(' ')
  return by === undefined ? text : words().asMember({ member: memberOf(by)?.name ?? '', command: text })
}

function draw(composer) {
  const all = fitting()
  const area = find('next')
  if (all.length === 0 || !state.isLoaded) return area.replaceChildren()
  const element = isBeginning() ? drawStart(all[0], composer) : drawChips(all, composer)
  // Activity comes twice a second, and mostly changes nothing here.
  if (area.firstElementChild?.isEqualNode(element)) return undefined
  return refill(area, element)
}

function drawChips(all, composer) {
  const rest = all.filter((one) => !wasTried(keyOf(one)) && !triedNow.has(one.command)).slice(0, SHOWN)
  const chips = rest.map((one) => {
    const press = () => composer.run(one)
    return button({ className: 'chip', text: textOf(one), press, data: { try: one.command, key: one.command } })
  })
  // Nearly all that there is to try is tried.
  const links = rest.length < SHOWN ? state.links.filter(({ name }) => name === 'connect') : []
  const connect = links.map(({ url: href }) =>
    make('a', { className: 'chip', href, target: '_blank', rel: 'noreferrer' }, words().links.connect),
  )
  const title = make('span', { id: 'next-title', className: 'quiet tiny' }, words().next)
  const parts = [...chips, ...connect]
  return parts.length > 0
    ? make('div', { className: 'chips', role: 'group', aria: { labelledby: 'next-title' } }, title, parts)
    : null
}

function drawStart(first, composer) {
  const { title, lead, leadOutside, try: tryIt, after } = words().start
  const member = me()
  const voice = voiceOf(member?.id)
  const name = member?.name ?? ''
  const line = voice
    ? lead({ member: name, channel: channelOf(voice.channelId)?.name ?? '' })
    : leadOutside({ member: name })
  const press = () => composer.run(first)
  return make(
    'section',
    { className: 'start', aria: { labelledby: 'start-title' } },
    make('h2', { id: 'start-title' }, title),
    make('p', {}, line),
    make(
      'p',
      { className: 'start-row' },
      button({
        className: 'component primary try',
        picture: icon('play'),
        text: tryIt({ command: textOf(first) }),
        press,
        data: { try: first.command, key: first.command },
      }),
      make('span', { className: 'quiet' }, after),
    ),
  )
}
