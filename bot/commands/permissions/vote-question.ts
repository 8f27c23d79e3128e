import type { Input, OperationName } from '../../player/operations.ts'
import type { VoteSubject } from '../../permissions/votes.ts'
import type { Language } from '../../../lib/texts/languages.ts'
import { lazily, textsOf } from '../../../lib/texts/texts.ts'
import { plain } from '../core/embed-format.ts'
import { showTime } from '../i18n/format.ts'

const LONGEST_NAME = 80

const TEXTS = lazily((language) => ({
  ...textsOf('permissions')[language].vote.questions,
  presets: textsOf('sound')[language].preset,
}))
type Texts = (typeof TEXTS)[Language]

/** The question that a vote asks: “Skip Golden Hour?” Titles are escaped for Discord. */
export function questionOf({ asked, track: about }: VoteSubject, language: Language): string {
  const texts = TEXTS[language]
  const track = about ? plain(about.title, LONGEST_NAME) : texts.thisTrack
  switch (asked.name) {
    case 'play':
      return ofTracks(asked, about ? track : null, texts)
    case 'patch':
      return ofPatch(asked, track, texts)
    case 'mute':
      return asked.input.muted ? texts.mute : texts.unmute
    case 'sleep':
      return ofSleep(asked.input, texts)
    case 'skip':
    case 'skipTo':
    case 'remove':
      return texts[asked.name]({ track })
    case 'move':
      return texts.move({ track, position: asked.input.to })
    case 'removeSeveral':
    case 'moveSeveral':
      return texts[asked.name]({ count: asked.input.positions.length })
    case 'seekBy':
      return ofStep(asked.input, track, texts)
    case 'seekToChapter':
      return texts.chapter({ number: asked.input.chapter, track })
    case 'setNextTrack':
      return texts.next({ track })
    case 'previous':
    case 'unmute':
    case 'shuffle':
    case 'clear':
    case 'removeDuplicates':
    case 'undo':
    case 'close':
      return texts[asked.name]
    case 'addLayer':
    case 'changeLayer':
    case 'removeLayer':
      return texts.sound
    case 'clearNextTrack':
    case 'info':
    case 'queue':
    case 'queueItems':
    case 'requesters':
    case 'trace':
    case 'listen':
    case 'nextTrack':
    case 'layers':
      throw new Error(`No member votes on ${asked.name}.`)
  }
}

type Asked<Name extends OperationName | 'play'> = Extract<VoteSubject['asked'], { readonly name: Name }>

function ofTracks({ when, query, count }: Asked<'play'>, track: string | null, texts: Texts): string {
  const others = query === null ? texts.many({ count }) : texts.searched({ query: plain(query, LONGEST_NAME) })
  return (when === 'now' ? texts.now : texts.next)({ track: track ?? others })
}

function ofStep({ seconds }: Input<'seekBy'>, track: string, texts: Texts): string {
  return (seconds < 0 ? texts.rewind : texts.forward)({ seconds: Math.abs(seconds), track })
}

function ofPatch({ input, volume: before }: Asked<'patch'>, track: string, texts: Texts): string {
  const { paused, volume, positionMs, loop, filters, autoplay } = input
  const parts = [
    paused === undefined ? '' : (paused ? texts.pause : texts.resume)({ track }),
    volume === undefined ? '' : (volume > before ? texts.louder : texts.quieter)({ percent: volume }),
    positionMs === undefined ? '' : texts.seek({ position: showTime(positionMs), track }),
    loop === undefined ? '' : texts.loop[loop],
    filters === undefined ? '' : ofFilters(filters, texts),
    autoplay === undefined ? '' : texts.autoplay[autoplay ? 'on' : 'off'],
  ]
  return parts.filter(Boolean).join(' ') || texts.sound
}

function ofFilters({ preset, ...others }: NonNullable<Input<'patch'>['filters']>, texts: Texts): string {
  if (preset !== undefined) return texts.filter({ name: texts.presets[preset] })
  return Object.keys(others).length > 0 ? texts.filters : texts.noFilters
}

function ofSleep({ minutes }: Input<'sleep'>, { sleep, sleepAfterTrack, sleepOff }: Texts): string {
  if (minutes === null) return sleepAfterTrack
  return minutes === 0 ? sleepOff : sleep({ count: minutes })
}
