import { guildPath } from '../core/api.js'
import { button, fill, find, make } from '../core/dom.js'
import { icon } from '../core/icons.js'
import { setVolume, volume } from '../core/preferences.js'
import { changed, channelOf, follow, me, memberOf, state, voiceChannels, voiceOf } from '../core/store.js'
import { words } from '../core/words.js'
import { createSound } from './sound.js'

const SILENT_MS = 1500
const READ_MS = 100

const listening = { state: 'stopped', choice: 'auto', channelId: null, heardAtMs: 0, level: 0, hadFailed: false }
const sound = createSound((next) => {
  listening.state = next
  listening.hadFailed = next === 'failed' || (listening.hadFailed && next === 'stopped')
  if (next === 'playing') listening.heardAtMs = performance.now()
  changed('listen')
})
const parts = {}

export function startListen() {
  build()
  follow(['language'], build)
  follow(['guild', 'voice', 'applications', 'activity', 'listen', 'language'], draw)
  sound.setVolume(volume())
  setInterval(readLevel, READ_MS)
}

/** The bot that is listened to: one that is in voice, or the first. */
function botVoice() {
  const bots = state.applications.map(({ id }) => voiceOf(id)).filter(Boolean)
  return bots.find(({ userId }) => state.speakers[userId]?.speaking) ?? bots[0] ?? null
}

function chosenChannel() {
  if (listening.choice !== 'auto' && channelOf(listening.choice)) return listening.choice
  return botVoice()?.channelId ?? voiceOf(me()?.id)?.channelId ?? voiceChannels()[0]?.id ?? null
}

export function toggleListen() {
  if (isOn()) sound.stop()
  else listenTo(chosenChannel())
}

export const isOn = () => listening.state === 'playing' || listening.state === 'starting'

function listenTo(channelId) {
  if (!channelId) return
  listening.channelId = channelId
  listening.heardAtMs = performance.now()
  void sound.start(`/sandbox${guildPath(`/channels/${channelId}/listen.ogg`)}`)
}

function build() {
  const it = words().listen
  parts.button = button({ className: 'listen-button', press: toggleListen })
  parts.line = make('p', { className: 'listen-line', role: 'status' })
  parts.bar = make('span', { className: 'level-bar' })
  parts.level = make(
    'div',
    { className: 'level', role: 'meter', aria: { label: it.level, valuemin: 0, valuemax: 100, valuenow: 0 } },
    parts.bar,
  )
  const slider = make('input', {
    type: 'range',
    min: '0',
    max: '100',
    value: String(volume()),
    aria: { label: it.volume },
  })
  slider.addEventListener('input', onVolume)
  parts.channel = make('select', { aria: { label: it.to }, on: { change: onChannel } })
  parts.facts = make('p', { className: 'listen-facts' })
  fill(find('listen'), { aria: { label: it.start } })
  find('listen').replaceChildren(
    parts.button,
    make('div', { className: 'listen-now' }, parts.line, parts.level),
    make(
      'div',
      { className: 'listen-row' },
      parts.channel,
      make('label', { className: 'volume' }, icon('voice'), slider),
    ),
    parts.facts,
  )
}

function onChannel({ target }) {
  listening.choice = target.value
  followBot()
  changed('listen')
}

/** Goes along where the bot, or the choice, went. */
function followBot() {
  const wanted = chosenChannel()
  if (isOn() && wanted && wanted !== listening.channelId) listenTo(wanted)
}

function draw() {
  if (!state.guild?.channels) return
  followBot()
  const it = words().listen
  const on = isOn()
  parts.button.replaceChildren(icon(on ? 'stop' : 'play'), on ? it.stop : it.start)
  parts.button.setAttribute('aria-pressed', String(on))
  drawChannels(it)
  drawLine()
  drawFacts(it)
}

function drawChannels(it) {
  const bot = memberOf(botVoice()?.userId ?? state.applications[0]?.id)
  const options = [
    ['auto', it.follow({ bot: bot?.name ?? 'bot' })],
    ...voiceChannels().map(({ id, name }) => [id, name]),
  ]
  const text = JSON.stringify([options, listening.choice])
  if (parts.channel.dataset.drawn === text) return
  parts.channel.dataset.drawn = text
  parts.channel.replaceChildren(
    ...options.map(([value, name]) => make('option', { value, selected: value === listening.choice }, name)),
  )
}

function drawLine() {
  const text = lineOf(words().listen)
  if (parts.line.textContent !== text) parts.line.textContent = text
  parts.level.classList.toggle('silent', isOn() && isSilent())
}

const isSilent = () => performance.now() - listening.heardAtMs > SILENT_MS

function lineOf(it) {
  if (listening.hadFailed && !isOn()) return it.failed
  if (!isOn()) return it.idle
  if (listening.state === 'starting') return it.starting
  const channel = channelOf(listening.channelId)?.name ?? ''
  if (!isSilent()) return it.sound({ channel })
  if (sound.isBlocked) return it.blocked
  const bots = state.applications.filter(({ id }) => voiceOf(id)?.channelId === listening.channelId)
  if (bots.length === 0) return it.noBot({ channel })
  return bots.some(({ id }) => state.speakers[id]?.packetsPerSecond > 0) ? it.silent : it.silence
}

function drawFacts(it) {
  const speaker = state.speakers[botVoice()?.userId]
  const encryption = speaker?.endToEnd ? it.encrypted : it.transport
  const facts = speaker
    ? [
        make(
          'span',
          { className: speaker.endToEnd ? 'good' : '', title: speaker.transport ?? '' },
          icon('lock'),
          encryption,
        ),
        speaker.packetsPerSecond === null
          ? ''
          : make('span', { className: 'number' }, it.packets({ count: speaker.packetsPerSecond })),
      ]
    : [make('span', {}, it.none)]
  parts.facts.replaceChildren(...facts)
}

function readLevel() {
  const level = listening.state === 'playing' ? sound.readLevel() : 0
  if (level > 0) listening.heardAtMs = performance.now()
  // Falls slower than it rises, as meters do.
  listening.level = Math.max(level, listening.level - 0.08)
  parts.bar.style.transform = `scaleX(${listening.level.toFixed(3)})`
  const percent = String(Math.round(listening.level * 20) * 5)
  if (parts.level.getAttribute('aria-valuenow') !== percent) parts.level.setAttribute('aria-valuenow', percent)
  drawLine()
}

function onVolume({ target }) {
  setVolume(target.value)
  sound.setVolume(Number(target.value))
}
