import { flag, optional, choice, text, whole, labelsOf, labelOf } from '../core/options.ts'
import { playerCommand, perform } from './player-command.ts'
import { answerWithCard } from '../card/card-answer.ts'
import { drawCard, readCard } from '../card/card.ts'
import { Refusal, replyPrivately, say, type Reply } from '../core/reply.ts'
import { getPlayer, findPlayer } from '../permissions/rules.ts'
import type { Invocation, CommandContext } from '../core/invocation.ts'
import { Loop, LONGEST_STEP_S } from '../../player/inputs.ts'
import type { PlayerInfo } from '../../player/player-info.ts'
import type { Language } from '../../../lib/texts/languages.ts'
import { command } from '../core/command.ts'
import { nameTrack, readTime, showTime } from '../i18n/format.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const controlText = textOf('playback', 'control')

/** Seconds of `/forward` and `/rewind` without a number. */
const STEP_S = 10

export const pause = playerCommand({
  name: 'pause',
  labels: labelsOf(controlText, 'pause'),
  operation: 'patch',
  input: () => ({ paused: true }),
  say: ({ words }) => words.control.paused,
})

export const resume = playerCommand({
  name: 'resume',
  labels: labelsOf(controlText, 'resume'),
  operation: 'patch',
  input: () => ({ paused: false }),
  say: ({ words }) => words.control.resumed,
})

export const volume = playerCommand({
  name: 'volume',
  labels: labelsOf(controlText, 'volume'),
  operation: 'patch',
  options: { percent: optional(whole({ min: 0, max: 200 })) },
  input: ({ options: { percent } }) => (percent === null ? null : { volume: percent }),
  show: ({ words }, { volume }) => words.control.volumeNow({ percent: volume }),
  say: ({ words }, { volume }) => words.control.volume({ percent: volume }),
})

export const seek = playerCommand({
  name: 'seek',
  labels: labelsOf(controlText, 'seek'),
  operation: 'patch',
  options: { time: text({ max: 10 }) },
  input({ options, words }) {
    const positionMs = readTime(options.time)
    if (positionMs === null) throw new Refusal(words.refused.badTime)
    return { positionMs }
  },
  say: ({ words, options }) => words.control.seeked({ position: showTime(readTime(options.time) ?? 0) }),
})

export const replay = playerCommand({
  name: 'replay',
  labels: labelsOf(controlText, 'replay'),
  operation: 'patch',
  input: () => ({ positionMs: 0 }),
  say: ({ words }, { current }) => words.control.replayed({ track: current ? nameTrack(current) : '' }),
})

export const forward = stepCommand('forward', 1)
export const rewind = stepCommand('rewind', -1)

function stepCommand(name: 'forward' | 'rewind', direction: 1 | -1) {
  return playerCommand({
    name,
    labels: labelsOf(controlText, name),
    operation: 'seekBy',
    options: { seconds: optional(whole({ min: 1, max: LONGEST_STEP_S })) },
    input: ({ options }) => ({ seconds: direction * (options.seconds ?? STEP_S) }),
    say: ({ words }, { positionMs }) => words.control.seeked({ position: showTime(positionMs) }),
  })
}

export const mute = playerCommand({
  name: 'mute',
  labels: labelsOf(controlText, 'mute'),
  operation: 'mute',
  input: () => ({ muted: true }),
  say: ({ words }) => words.control.muted,
})

export const unmute = playerCommand({
  name: 'unmute',
  labels: labelsOf(controlText, 'unmute'),
  operation: 'unmute',
  say: ({ words }) => words.control.unmuted,
})

export const stop = stopCommand('stop')
/** The name that members know from other bots. */
export const leave = stopCommand('leave')

function stopCommand(name: 'stop' | 'leave') {
  return playerCommand({
    name,
    labels: labelsOf(controlText, name),
    operation: 'close',
    say: ({ words }) => words.control.stopped,
  })
}

export const join = command({
  name: 'join',
  labels: labelsOf(controlText, 'join'),
  rule: 'joiner',
  options: {},
  async run(invocation, context) {
    const { scope, guildId, member, words } = invocation
    const channelId = (await findPlayer(invocation, context))?.channelId ?? member.voiceChannelId
    if (channelId === null) throw new Refusal(words.refused.notInVoice)
    await context.music.join(scope, guildId, channelId)
    return say(words.control.joined({ channel: `<#${channelId}>` }))
  },
})

const loopText = textOf('playback', 'loop')

export const loop = playerCommand({
  name: 'loop',
  labels: labelOf(loopText),
  operation: 'patch',
  options: { mode: optional(choice(Loop.options)) },
  input: ({ options: { mode } }) => (mode === null ? null : { loop: mode }),
  show: ({ language }, player) => `${nameLoop(language, player)}\n${loopText[language].words.change}`,
  say: ({ language }, player) => nameLoop(language, player),
})

function nameLoop(language: Language, { loop }: PlayerInfo): string {
  return loopText[language].words[loop]
}

const skipText = textOf('playback', 'skip')

export const skip = command({
  name: 'skip',
  labels: labelsOf(skipText, 'skip'),
  rule: 'listener',
  options: {},
  run: skipTrack,
})

export const previous = playerCommand({
  name: 'previous',
  labels: labelsOf(skipText, 'previous'),
  operation: 'previous',
  say: ({ words }, { track }) => (track ? words.skip.back({ track: nameTrack(track) }) : words.skip.skippedLast),
})

async function skipTrack(invocation: Invocation, context: CommandContext): Promise<Reply> {
  await perform(invocation, context, 'skip', {})
  const { current } = await context.music.queue(invocation.scope, invocation.guildId)
  const { words } = invocation
  return say(current ? words.skip.skipped({ next: nameTrack(current) }) : words.skip.skippedLast)
}

const nowPlayingText = textOf('playback', 'nowPlaying')

export const nowplaying = command({
  name: 'nowplaying',
  labels: labelOf(nowPlayingText),
  rule: 'anyone',
  options: {},
  async run(invocation, context) {
    const { scope, guildId, words, member } = invocation
    const { channelId } = await getPlayer(invocation, context)
    const facts = await readCard(context.music, scope, guildId)
    if (!facts) throw new Refusal(words.refused.nothingPlays)
    const { embeds = [] } = drawCard(facts, words)
    // Listeners bring the card here; others see a copy.
    if (member.voiceChannelId !== channelId) return replyPrivately({ embeds })
    return answerWithCard(invocation, context, replyPrivately({ embeds }))
  },
})

const autoplayText = textOf('settings', 'autoplay')

export const autoplay = playerCommand({
  name: 'autoplay',
  labels: labelsOf(autoplayText, 'autoplay'),
  operation: 'patch',
  options: { on: optional(flag()) },
  // Without a value it is a switch.
  input: async (invocation, context) => ({
    autoplay: invocation.options.on ?? !(await getPlayer(invocation, context)).autoplay,
  }),
  say: ({ language }, { autoplay }) => autoplayText[language].words[autoplay ? 'on' : 'off'],
})
