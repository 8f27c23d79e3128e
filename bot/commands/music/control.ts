import type { Call } from '../core/invocation.ts'
import { command } from '../core/command.ts'
import { labelsOf } from '../labels/index.ts'
import { choice, text, whole } from '../core/options.ts'
import { PRESET_NAMES } from '../../player/audio-settings/filters.ts'
import type { Loop, PlayerPatch } from '../../music.ts'
import { Refusal } from '../core/error-message.ts'
import { say, type Answer } from '../core/reply.ts'
import type { CommandContext } from '../core/command-context.ts'
import { readTime, showTime } from '../i18n/format.ts'
import type { Words } from '../words/words.ts'

export const pause = command({
  name: 'pause',
  labels: labelsOf('pause'),
  rule: 'dj',
  options: {},
  run: (call, tools) => change(call, tools, { paused: true }, call.words.control.paused),
})

export const resume = command({
  name: 'resume',
  labels: labelsOf('resume'),
  rule: 'dj',
  options: {},
  run: (call, tools) => change(call, tools, { paused: false }, call.words.control.resumed),
})

export const volume = command({
  name: 'volume',
  labels: labelsOf('volume'),
  rule: 'dj',
  options: { percent: whole({ min: 0, max: 200 }) },
  run(call, tools) {
    const { percent } = call.options
    return change(call, tools, { volume: percent }, call.words.control.volume(percent))
  },
})

export const loop = command({
  name: 'loop',
  labels: labelsOf('loop'),
  rule: 'dj',
  options: { mode: choice(['off', 'track', 'queue']) },
  run: (call, tools) => change(call, tools, { loop: call.options.mode }, wordOfLoop(call.options.mode, call.words)),
})

export const filter = command({
  name: 'filter',
  labels: labelsOf('filter'),
  rule: 'dj',
  options: { preset: choice(['off', ...PRESET_NAMES]) },
  run(call, tools) {
    const { preset } = call.options
    const { control } = call.words
    if (preset === 'off') return change(call, tools, { filters: {} }, control.filterOff)
    return change(call, tools, { filters: { preset } }, control.filter(preset))
  },
})

export const seek = command({
  name: 'seek',
  labels: labelsOf('seek'),
  rule: 'dj',
  options: { time: text({ max: 10 }) },
  async run(call, tools) {
    const positionMs = readTime(call.options.time)
    if (positionMs === null) throw new Refusal(call.words.refused.badTime)
    return change(call, tools, { positionMs }, call.words.control.seeked(showTime(positionMs)))
  },
})

export const mute = command({
  name: 'mute',
  labels: labelsOf('mute'),
  rule: 'dj',
  options: {},
  run: (call, tools) => setMuted(call, tools, true),
})

export const unmute = command({
  name: 'unmute',
  labels: labelsOf('unmute'),
  rule: 'dj',
  options: {},
  run: (call, tools) => setMuted(call, tools, false),
})

export const stop = command({
  name: 'stop',
  labels: labelsOf('stop'),
  rule: 'dj',
  options: {},
  async run({ who, guildId, words }, { music }) {
    await music.close(who, guildId)
    return say(words.control.stopped)
  },
})

/** Changes the player. @returns the words given, for everyone. */
export async function change(
  call: Call,
  { music, cards }: CommandContext,
  patch: PlayerPatch,
  words: string,
): Promise<Answer> {
  await music.patch(call.who, call.guildId, patch)
  cards.refresh(call.guildId)
  return say(words)
}

export async function setMuted({ who, guildId, words }: Call, tools: CommandContext, muted: boolean): Promise<Answer> {
  if (muted) await tools.music.mute(who, guildId, true)
  else await tools.music.unmute(who, guildId)
  tools.cards.refresh(guildId)
  return say(muted ? words.control.muted : words.control.unmuted)
}

export function wordOfLoop(mode: Loop, { control }: Words): string {
  return { off: control.loopOff, track: control.loopTrack, queue: control.loopQueue }[mode]
}
