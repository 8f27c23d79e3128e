import { call, memberPath } from '../core/api.js'
import { avatar } from '../core/avatar.js'
import { button, make } from '../core/dom.js'
import { icon } from '../core/icons.js'
import { LOCALES, localeOf, setLocale } from '../core/preferences.js'
import { attempt } from '../core/problem.js'
import { changed, channelOf, me, voiceOf } from '../core/store.js'
import { words } from '../core/words.js'

/** The current member at the page, with the controls of their own voice. */
export function drawSelf() {
  const member = me()
  if (!member) return null
  const { you, locale, notInVoice, inVoice } = words()
  const voice = voiceOf(member.id)
  const where = voice ? inVoice({ channel: channelOf(voice.channelId)?.name ?? '' }) : notInVoice
  const lines = make(
    'div',
    { className: 'grow' },
    make('p', { className: 'quiet tiny' }, you),
    make('p', { className: 'strong' }, member.name),
    make('p', { className: 'quiet tiny' }, where),
  )
  return make(
    'section',
    { className: 'self', aria: { label: you } },
    make('div', { className: 'self-who' }, avatar(member), lines),
    make('div', { className: 'self-row' }, localeSelect(member, locale), ...voiceButtons(member, voice)),
  )
}

function localeSelect({ id }, label) {
  const options = Object.entries(LOCALES).map(([value, name]) =>
    make('option', { value, lang: value, selected: value === localeOf(id) }, name),
  )
  const onChange = ({ target }) => {
    setLocale(id, target.value)
    changed('locale')
  }
  return make(
    'select',
    { className: 'grow', title: label, aria: { label }, data: { key: 'locale' }, on: { change: onChange } },
    options,
  )
}

function voiceButtons({ id }, voice) {
  if (!voice) return []
  const { mute, unmute, deafen, undeafen, leave } = words()
  const perform = (path, body) => () => attempt(() => call('POST', memberPath(id, path), body))
  return [
    toggle('self-mute', voice.selfMute, {
      label: voice.selfMute ? unmute : mute,
      picture: icon(voice.selfMute ? 'mic-off' : 'mic'),
      press: perform('/mute', { muted: !voice.selfMute }),
    }),
    toggle('self-deaf', voice.selfDeaf, {
      label: voice.selfDeaf ? undeafen : deafen,
      picture: icon(voice.selfDeaf ? 'ear-off' : 'ear'),
      press: perform('/deafen', { deafened: !voice.selfDeaf }),
    }),
    button({
      label: leave,
      className: 'icon-button',
      picture: icon('leave'),
      press: perform('/leave'),
      data: { key: 'self-leave' },
    }),
  ]
}

function toggle(key, isOn, facts) {
  return button({ ...facts, className: 'icon-button', aria: { pressed: isOn }, data: { key } })
}
