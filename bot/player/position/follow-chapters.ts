import { Fault, unprocessable } from '../../../lib/errors.ts'
import type { Chapter } from '../../tracks/chapters.ts'
import { tempoOf } from '../audio-settings/filters.ts'
import { emit, type PlayerState } from '../player-state.ts'

/** The audio node reports the position every second; a timer covers only chapters that start before the next report. */
const AHEAD_MS = 1500
/** Minimum wait, for a position that is paused right before a chapter. */
const LEAST_WAIT_MS = 50

/** Reads the chapters of the track that has begun. They come while it plays. */
export async function loadChapters(state: PlayerState): Promise<void> {
  const { current } = state.rotation
  if (current === null || current.info.isStream || state.marks.chapters.length > 0) return
  const chapters = await state.parts.chaptersOf(current.info)
  if (state.rotation.current !== current || state.isClosing || chapters.length === 0) return
  state.marks.chapters = chapters
  followChapters(state)
}

/** Emits the chapter that became audible, if any, and schedules the next check. */
export function followChapters(state: PlayerState): void {
  const { parts, phase, positionMs, filters, silenced, marks } = state
  const { chapters, chapterIndex } = marks
  if (chapters.length === 0 || state.isClosing) return
  const index = chapters.findLastIndex(({ startMs }) => startMs <= positionMs)
  const chapter = chapters[index]
  marks.chapterIndex = chapter ? index : null
  if (chapter && index !== chapterIndex) emit(state, { type: 'chapterStarted', number: index + 1, chapter })
  const next = chapters[index + 1]
  const waitMs = next ? (next.startMs - positionMs) / tempoOf(filters) : Infinity
  const isMoving = phase.at === 'playing' && silenced === null
  marks.setTimer(
    isMoving && waitMs <= AHEAD_MS
      ? parts.clock.after(Math.max(waitMs, LEAST_WAIT_MS), () => followChapters(state))
      : () => undefined,
  )
}

/** @throws {Fault} `conflict` for a track without chapters, `validation_error` for an unknown chapter. */
export function chapterNumbered({ marks: { chapters }, rotation }: PlayerState, number: number): Chapter {
  if (rotation.current === null) {
    throw new Fault('conflict', 'Nothing is playing, so there are no chapters.', { reason: 'nothing_playing' })
  }
  if (chapters.length === 0)
    throw new Fault('conflict', 'The current track has no chapters.', { reason: 'no_chapters' })
  const chapter = chapters[number - 1]
  if (!chapter)
    throw unprocessable('no_such_chapter', `Must be from 1 to ${chapters.length}, a chapter of the current track.`)
  return chapter
}
