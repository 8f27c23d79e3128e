import type { Clock } from '../../../bot/player/timers.ts'
import { toSegments, type Segment } from '../../../bot/tracks/segments.ts'
import type { Chapter } from '../../../bot/tracks/chapters.ts'
import type { TrackInfo } from '../../../bot/tracks/track.ts'
import type { Logger } from '../../../lib/log.ts'
import { knownCategories } from '../../../lib/music/segment-categories.ts'
import { runForProject } from '../../../lib/request-context.ts'
import type { NodeCaller } from '../http/node-keys.ts'
import type { LineObject } from '../protocol/lyrics.ts'
import type { ChapterObject, PluginEvent, SegmentObject } from '../protocol/plugin-events.ts'
import type { TrackKnowledge } from '../tracks/open-tracks.ts'
import { toLyricsObject } from './lyrics.ts'
import { Timeline } from './timeline.ts'

/** The player whose track is followed. */
export interface MarkedPlayer {
  /** The current track, another object each time that it is put on; null if there is none. */
  readonly playing: { readonly info: TrackInfo } | null
  readonly positionMs: number
  /** Speed of the position; 0 while it stands still. */
  readonly tempo: number
  /** Replaces the skipped segments of the current track. */
  setSegments(segments: readonly Segment[]): void
}

type EventFacts = PluginEvent extends infer E ? (E extends PluginEvent ? Omit<E, 'op' | 'guildId'> : never) : never

interface TrackMarksOptions {
  readonly caller: NodeCaller
  readonly guildId: string
  readonly knowledge: Pick<TrackKnowledge, 'findLyrics' | 'sponsorBlock' | 'chaptersOf'>
  readonly clock: Pick<Clock, 'after'>
  readonly log: Logger
  readonly send: (event: PluginEvent) => void
}

/** A timer is set for what begins before the position is told again. */
const AHEAD_MS = 1500
const LEAST_WAIT_MS = 20

/**
 * Plug-in events for the track of a guild while it plays: lines of lyrics, chapters, and skipped segments. Clients
 * choose them before there is a player, and the choice lasts as long as that.
 */
export class TrackMarks {
  readonly #options: TrackMarksOptions
  #player: MarkedPlayer | null = null
  #track: MarkedPlayer['playing'] = null
  #categories: readonly string[] | null = null
  #hasLyrics = false
  #lines = new Timeline<LineObject & { readonly startMs: number }>([])
  #chapters = new Timeline<Chapter>([])
  #segments: readonly Segment[] = []
  #loading = new AbortController()
  #cancelTimer: () => void = () => undefined

  constructor(options: TrackMarksOptions) {
    this.#options = options
  }

  /** Null where none were set. */
  get categories(): readonly string[] | null {
    return this.#categories
  }

  /** Categories of segments that are passed over, from now on; null switches chapters off, too. */
  setCategories(categories: readonly string[] | null): void {
    this.#categories = categories
    if (categories === null) {
      this.#chapters = new Timeline<Chapter>([])
      this.#setSegments([])
    } else this.#load((track) => this.#loadSegments(track))
  }

  /** Lines of lyrics are told as they are sung, from now on or no more. */
  setLyrics(isOn: boolean): void {
    this.#hasLyrics = isOn
    this.#lines = new Timeline([])
    if (isOn) this.#load((track) => this.#loadLyrics(track))
  }

  /** Another track is on, or none; or there is a player now. */
  onTrack(player: MarkedPlayer): void {
    this.#player = player
    const { playing } = player
    if (playing === this.#track) return
    this.#clear()
    this.#track = playing
    if (this.#categories !== null) this.#load((track) => this.#loadSegments(track))
    if (this.#hasLyrics) this.#load((track) => this.#loadLyrics(track))
  }

  /** The position was told, or has jumped. */
  onPosition(): void {
    const player = this.#player
    if (!player || player.playing === null || player.playing !== this.#track) return
    const { positionMs, tempo } = player
    for (const { mark, index, isSkipped } of this.#lines.moveTo(positionMs)) {
      const { startMs: _, ...line } = mark
      this.#send({ type: 'LyricsLineEvent', lineIndex: index, line, skipped: isSkipped })
    }
    const chapter = this.#chapters.moveTo(positionMs).at(-1)
    if (chapter) this.#send({ type: 'ChapterStarted', chapter: toChapterObject(chapter.mark, this.#track.info) })
    this.#cancelTimer()
    const distance = Math.min(this.#lines.distanceToNext(positionMs), this.#chapters.distanceToNext(positionMs))
    const waitMs = tempo > 0 ? distance / tempo : Infinity
    if (waitMs > AHEAD_MS) return
    this.#cancelTimer = this.#options.clock.after(Math.max(waitMs, LEAST_WAIT_MS), () => this.onPosition())
  }

  /** The audio node passed over a segment. */
  onSkipped(segment: Segment): void {
    const lengthMs = this.#track?.info.lengthMs ?? 0
    this.#send({ type: 'SegmentSkipped', segment: toSegmentObject(segment, lengthMs) })
  }

  close(): void {
    this.#clear()
    this.#player = null
  }

  #clear(): void {
    this.#cancelTimer()
    this.#loading.abort()
    this.#loading = new AbortController()
    this.#track = null
    this.#lines = new Timeline([])
    this.#chapters = new Timeline<Chapter>([])
    this.#segments = []
  }

  /** Loads marks for the current track, if there is one. */
  #load(load: (track: TrackInfo) => Promise<void>): void {
    const track = this.#track
    if (!track) return
    const { caller, log } = this.#options
    runForProject(caller.projectId, () => load(track.info)).catch((err: unknown) => {
      if (this.#track === track) log.debug({ err, sourceName: track.info.sourceName }, 'track not followed')
    })
  }

  async #loadSegments(track: TrackInfo): Promise<void> {
    const { sponsorBlock, chaptersOf } = this.#options.knowledge
    const { signal } = this.#loading
    const { sourceName, identifier, isStream, lengthMs } = track
    const chosen = this.#categories
    const isOver = () => signal.aborted || this.#categories !== chosen
    const categories = knownCategories(chosen ?? [])
    const isVideo = sourceName === 'youtube' && !isStream && categories.length > 0
    // The log has it already where the service failed.
    const found = isVideo ? await sponsorBlock.find(identifier, lengthMs).catch(() => []) : []
    if (isOver()) return
    const segments = toSegments(found, categories, lengthMs).filter(({ action }) => action === 'skip')
    if (segments.length > 0) {
      this.#send({ type: 'SegmentsLoaded', segments: segments.map((one) => toSegmentObject(one, lengthMs)) })
    }
    this.#setSegments(segments)
    const chapters = isStream ? [] : await chaptersOf(track)
    if (isOver() || chapters.length === 0) return
    this.#send({ type: 'ChaptersLoaded', chapters: chapters.map((one) => toChapterObject(one, track)) })
    this.#chapters = new Timeline(chapters)
    this.onPosition()
  }

  async #loadLyrics(track: TrackInfo): Promise<void> {
    const { knowledge, caller } = this.#options
    const { signal } = this.#loading
    const found = await knowledge.findLyrics(track, caller, signal).catch(() => null)
    if (signal.aborted || !this.#hasLyrics) return
    const lyrics = found && toLyricsObject(found)
    if (!lyrics || lyrics.lines.length === 0) return this.#send({ type: 'LyricsNotFoundEvent' })
    this.#send({ type: 'LyricsFoundEvent', lyrics })
    this.#lines = new Timeline(lyrics.lines.map((line) => Object.assign({ startMs: line.timestamp }, line)))
    this.onPosition()
  }

  #setSegments(segments: readonly Segment[]): void {
    if (segments.length === 0 && this.#segments.length === 0) return
    this.#segments = segments
    const lengthMs = this.#track?.info.lengthMs || Infinity
    this.#player?.setSegments(segments.map((one) => (one.endMs < lengthMs ? one : toTheEnd(one))))
  }

  #send(facts: EventFacts): void {
    this.#options.send({ op: 'event', guildId: this.#options.guildId, ...facts })
  }
}

/** Extends a segment to the end of the track, wherever that really is. */
function toTheEnd(segment: Segment): Segment {
  return { ...segment, endMs: Infinity }
}

function toSegmentObject({ category, startMs, endMs }: Segment, lengthMs: number): SegmentObject {
  return { category, start: startMs, end: Math.min(endMs, lengthMs || Number.MAX_SAFE_INTEGER) }
}

function toChapterObject({ title: name, startMs: start, endMs }: Chapter, { lengthMs }: TrackInfo): ChapterObject {
  const end = endMs ?? Math.max(start, lengthMs)
  return { name, start, end, duration: end - start }
}
