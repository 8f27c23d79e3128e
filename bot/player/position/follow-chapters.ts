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
  if (current === null || current.info.isStream || state.marks.chapters.list.length > 0) return
  const chapters = await state.parts.chaptersOf(current.info)
  if (state.rotation.current !== current || state.isClosing || chapters.length === 0) return
  state.marks.chapters.set(chapters)
  followChapters(state)
}

/** Emits the chapter that became audible, if any, and schedules the next check. */
export function followChapters(state: PlayerState): void {
  const { parts, phase, positionMs, filters, silenced } = state
  const { chapters } = state.marks
  if (chapters.list.length === 0 || state.isClosing) return
  const index = chapters.indexAt(positionMs)
  const chapter = index === null ? undefined : chapters.list[index]
  if (chapters.moveTo(index) && index !== null && chapter) {
    emit(state, { type: 'chapterStarted', number: index + 1, chapter })
  }
  const next = chapters.list[index === null ? 0 : index + 1]
  const waitMs = next ? (next.startMs - positionMs) / tempoOf(filters) : Infinity
  const isMoving = phase.at === 'playing' && silenced === null
  chapters.setTimer(
    isMoving && waitMs <= AHEAD_MS
      ? parts.clock.after(Math.max(waitMs, LEAST_WAIT_MS), () => followChapters(state))
      : () => undefined,
  )
}

/** @throws {Fault} `conflict` for a track without chapters, `validation_error` for an unknown chapter. */
export function chapterNumbered({ marks, rotation }: PlayerState, number: number): Chapter {
  const { list } = marks.chapters
  if (rotation.current === null) {
    throw new Fault('conflict', 'Nothing is playing, so there are no chapters.', { reason: 'nothing_playing' })
  }
  if (list.length === 0) throw new Fault('conflict', 'The current track has no chapters.', { reason: 'no_chapters' })
  const chapter = list[number - 1]
  if (!chapter)
    throw unprocessable('no_such_chapter', `Must be from 1 to ${list.length}, a chapter of the current track.`)
  return chapter
}
