import { button, find, make } from '../core/dom.js'
import { icon } from '../core/icons.js'
import { setTried, wasTried } from '../core/preferences.js'
import { changed, channelOf, follow, me, state, voiceOf } from '../core/store.js'
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
  follow(['commands', 'messages', 'channel', 'language', 'me', 'voice', 'locale', 'tried'], redraw)
}

export function markTried(path) {
  triedNow.add(path)
  setTried(keyOf({ command: path }))
  changed('tried')
}

const keyOf = ({ command }) => command.replaceAll(' ', '.')

/** Suggestions whose command the bots of this guild have. */
const fitting = () => state.suggestions.filter(({ command }) => commandNamed(command))

const isBeginning = () => state.isLoaded && state.messages.size === 0 && triedNow.size === 0

/** The command as a member would type it. */
function textOf({ command: path, options }) {
  const command = commandNamed(path)
  const values = Object.entries(options).map(([name, value]) => {
    const role = state.guild.roles.find(({ id }) => id === value)
    return command.options[0]?.name === name && !role ? value : `${role ? '@' : ''}${role?.name ?? value}`
  })
  return [`/${command.shown}`, ...values].join(' ')
}

function draw(composer) {
  const all = fitting()
  const area = find('next')
  if (all.length === 0 || !state.isLoaded) return area.replaceChildren()
  if (isBeginning()) return area.replaceChildren(drawStart(all[0], composer))
  const rest = all.filter((one) => !wasTried(keyOf(one)) && !triedNow.has(one.command)).slice(0, SHOWN)
  if (rest.length === 0) return area.replaceChildren()
  return area.replaceChildren(
    make(
      'div',
      { className: 'chips', role: 'group', aria: { labelledby: 'next-title' } },
      make('span', { id: 'next-title', className: 'quiet tiny' }, words().next),
      rest.map((one) =>
        button({ className: 'chip', text: textOf(one), press: () => composer.run(one), data: { try: one.command } }),
      ),
    ),
  )
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
        data: { try: first.command },
      }),
      make('span', { className: 'quiet' }, after),
    ),
  )
}
