import { text, whole } from '../core/options.ts'
import { Refusal } from '../core/error-message.ts'
import { readTime, showTime } from '../i18n/format.ts'
import { labelsOf } from '../i18n/labels.ts'
import { playerCommand } from './player-command.ts'
import { textOf } from '../../../lib/texts/texts.ts'

const controlText = textOf('playback', 'control')

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
  options: { percent: whole({ min: 0, max: 200 }) },
  input: ({ options }) => ({ volume: options.percent }),
  say: ({ words, options }) => words.control.volume({ percent: options.percent }),
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

export const stop = playerCommand({
  name: 'stop',
  labels: labelsOf(controlText, 'stop'),
  operation: 'close',
  say: ({ words }) => words.control.stopped,
})
