import { call, memberPath } from '../core/api.js'
import { avatar } from '../core/avatar.js'
import { button, find, make, refill } from '../core/dom.js'
import { icon } from '../core/icons.js'
import { showChannel, showGuild } from '../core/live.js'
import { attempt } from '../core/problem.js'
import { changed, follow, me, memberOf, state, textChannels, voiceChannels, voiceOf } from '../core/store.js'
import { words } from '../core/words.js'
import { languageSelect, pageLinks } from '../panels/bar.js'
import { closeDrawers } from '../panels/drawers.js'
import { makeDraggable, makeDropTarget } from './drag.js'
import { openMemberMenu, stateIcons } from './member-menu.js'
import { drawSelf } from './self.js'

export function startChannelList() {
  follow(['guild', 'voice', 'unread', 'channel', 'language', 'me', 'links'], draw)
  follow(['activity'], drawSpeaking)
}

function draw() {
  const { guild } = state
  const { server, text, voice, channels } = words()
  find('sidebar').setAttribute('aria-label', channels)
  if (!guild?.channels) return
  refill(
    find('sidebar-content'),
    make(
      'div',
      { className: 'channels' },
      state.guilds.length > 1 ? guildSelect(server) : make('p', { className: 'guild-name' }, guild.name),
      section(text, 'text-title', textChannels().map(drawText)),
      section(voice, 'voice-title', voiceChannels().map(drawVoice)),
      make(
        'div',
        { className: 'only-narrow' },
        make('ul', { className: 'links' }, pageLinks(words())),
        languageSelect(words()),
      ),
    ),
    drawSelf(),
  )
  drawSpeaking()
}

function section(title, id, items) {
  return make(
    'section',
    { aria: { labelledby: id } },
    make('h2', { id, className: 'small-title' }, title),
    make('ul', { className: 'channel-list' }, items),
  )
}

function guildSelect(label) {
  const options = state.guilds.map(({ id, name }) =>
    make('option', { value: id, selected: id === state.guild.id }, name),
  )
  return make(
    'select',
    { className: 'guild-select', aria: { label }, data: { key: 'guild' }, on: { change: onChange } },
    options,
  )
}

function drawText({ id, name }) {
  const isShown = id === state.channelId
  const isUnread = state.unread.has(id) && !isShown
  const press = () => {
    closeDrawers()
    void attempt(() => showChannel(id))
    changed('channel')
  }
  const more = isUnread
    ? make('span', { className: 'dot' }, make('span', { className: 'visually-hidden' }, words().unread))
    : null
  const row = button({ className: 'channel', press, data: { key: `text-${id}` } })
  row.append(icon('hash'), make('span', { className: 'grow' }, name), ...(more ? [more] : []))
  if (isShown) row.setAttribute('aria-current', 'page')
  return make('li', {}, row)
}

function drawVoice(channel) {
  const { id, name, type, status, userLimit } = channel
  const here = state.guild.voiceStates.filter(({ channelId }) => channelId === id)
  const mine = voiceOf(me()?.id)?.channelId === id
  const join = () => attempt(() => call('POST', memberPath(me().id, '/join'), { channelId: id }))
  const label = (mine ? words().inVoice : words().join)({ channel: name })
  const row = button({ className: 'channel', press: () => mine || join(), data: { key: `voice-${id}` } })
  row.append(icon(type === 'stage' ? 'stage' : 'voice'), make('span', { className: 'grow' }, name))
  row.title = label
  if (mine) row.setAttribute('aria-current', 'true')
  if (userLimit) row.append(make('span', { className: 'quiet' }, `${here.length}/${userLimit}`))
  const members = here.map(drawMember).filter(Boolean)
  const list = make('ul', { className: 'voice-members', aria: { label: name } }, members)
  const item = make(
    'li',
    { className: 'voice-channel', data: { channel: id } },
    row,
    status ? make('p', { className: 'channel-status' }, status) : null,
    members.length > 0 ? list : null,
  )
  makeDropTarget(item, id)
  return item
}

function drawMember(voice) {
  const member = memberOf(voice.userId)
  if (!member) return null
  const press = ({ currentTarget }) => openMemberMenu(currentTarget, member)
  const row = button({ className: 'voice-member', press, data: { key: `member-${member.id}`, member: member.id } })
  const isMe = member.id === me()?.id
  row.append(avatar(member), make('span', { className: 'grow' }, member.name), ...stateIcons(member, voice))
  if (isMe) row.append(make('span', { className: 'tag' }, words().acting))
  row.title = words().dragHelp
  row.setAttribute('aria-haspopup', 'menu')
  makeDraggable(row, member)
  return make('li', {}, row)
}

/** Only rings: the list is not drawn again each half second. */
function drawSpeaking() {
  for (const row of document.querySelectorAll('[data-member]')) {
    row.classList.toggle('speaking', state.speakers[row.dataset.member]?.speaking ?? false)
  }
}

function onChange({ target }) {
  showGuild(target.value)
}
