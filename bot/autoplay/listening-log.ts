import type { GuildRef, Play, PlayHistory } from '../../db/music/play-history.ts'
import type { Logger } from '../../lib/log.ts'
import type { EndedTrack, QueuedTrack } from '../player/player-parts.ts'
import type { SuggestionRequest } from '../player/queue/suggestion.ts'
import { verdictOf, type HeardSong } from './chooser.ts'
import { songOf } from './song.ts'

/** Recent tracks of one guild. Starts from the database, and works without it if the database cannot be written. */
export interface ListeningLog {
  add(ended: EndedTrack): void
  /** What was heard and what plays, the oldest first. */
  playsWith(request: Pick<SuggestionRequest, 'seed' | 'isPlaying'>): readonly HeardSong[]
  /** Tokens of what members liked lately, what they asked for before what was recommended; without what was heard last. */
  anchors(limit: number): readonly string[]
}

const MOST_PLAYS = 100

interface LoggedPlay extends HeardSong {
  readonly track: string
  /** null if it comes from the database. */
  readonly queued: QueuedTrack | null
  readonly isAskedFor: boolean
}

export function createListeningLog(guild: GuildRef, history: PlayHistory, log: Logger): ListeningLog {
  let plays: LoggedPlay[] | null = null

  function load(): LoggedPlay[] {
    plays ??= history
      .list(guild, MOST_PLAYS)
      .map((play) => toLogged(play, null))
      .toReversed()
    return plays
  }

  return {
    add({ track, startedAtMs, heardMs, ended }) {
      const { info, encoded, requesterId, recommendation } = track
      const names = songOf(info)
      const { lengthMs } = info
      const play = {
        ...names,
        track: encoded,
        requesterId,
        provider: recommendation?.provider ?? null,
        heardMs,
        lengthMs,
      }
      const all = load()
      const logged = toLogged({ ...play, ended }, track)
      all.push(isFailure({ startedAtMs, ended }) ? { ...logged, verdict: 'failed' } : logged)
      all.splice(0, all.length - MOST_PLAYS)
      if (startedAtMs === null) return
      try {
        history.add(guild, { ...play, startedAtMs: Math.round(startedAtMs), ended })
      } catch (err) {
        log.warn({ err, ...guild }, 'saving play history failed')
      }
    },
    playsWith({ seed, isPlaying }) {
      const all = load()
      // It may have ended since the request was made.
      const isOver = !isPlaying || all.at(-1)?.queued === seed
      return isOver ? all : [...all, { ...songOf(seed.info), verdict: 'neutral' }]
    },
    anchors(limit) {
      const liked = load()
        .slice(0, -1)
        .filter(({ verdict }) => verdict === 'liked')
        .toReversed()
      const newest = [...liked.filter(({ isAskedFor }) => isAskedFor), ...liked.filter((play) => !play.isAskedFor)]
      return [...new Set(newest.map(({ track }) => track))].slice(0, limit)
    },
  }
}

/** Who skips a track that is still being opened does not want it, playable or not. */
export function isFailure({ startedAtMs, ended }: Pick<EndedTrack, 'startedAtMs' | 'ended'>): boolean {
  return ended === 'failed' || (startedAtMs === null && ended !== 'skipped')
}

function toLogged(play: Omit<Play, 'startedAtMs' | 'requesterId'>, queued: QueuedTrack | null): LoggedPlay {
  const { song, artist, track, provider } = play
  return { song, artist, track, queued, verdict: verdictOf(play), isAskedFor: provider === null }
}
