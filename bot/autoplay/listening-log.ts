import type { GuildRef, Play, PlayHistory } from '../../db/music/play-history.ts'
import type { Logger } from '../../lib/log.ts'
import { createTurns } from '../../lib/sharing/turns.ts'
import type { EndedTrack, QueuedTrack } from '../player/player-parts.ts'
import type { SuggestionRequest } from '../player/queue/suggestion.ts'
import { verdictOf, type HeardSong } from './chooser.ts'
import { songOf } from './song.ts'

/** Recent tracks of one guild. Starts from the database, and works without it if the database cannot be written. */
export type ListeningLog = ReturnType<typeof createListeningLog>

const MOST_PLAYS = 100

interface LoggedPlay extends HeardSong {
  readonly track: string
  /** null if it comes from the database. */
  readonly queued: QueuedTrack | null
  readonly isAskedFor: boolean
}

export function createListeningLog(guild: GuildRef, history: PlayHistory, log: Logger) {
  /** Plays from before this process; read when needed, and again after a failed read. */
  let earlier: readonly LoggedPlay[] | null = null
  const own: LoggedPlay[] = []
  let saved = 0
  const inTurn = createTurns()

  const all = (): Promise<readonly LoggedPlay[]> =>
    inTurn(async () => {
      earlier ??= (await history.list(guild, MOST_PLAYS + saved))
        .slice(saved)
        .map((play) => toLogged(play, null))
        .toReversed()
      return [...earlier, ...own].slice(-MOST_PLAYS)
    })

  async function save(play: Play): Promise<void> {
    try {
      await history.add(guild, play)
      if (!earlier) saved += 1
    } catch (err) {
      log.warn({ err, ...guild }, 'saving play history failed')
    }
  }

  return {
    add({ track, startedAtMs, heardMs, ended }: EndedTrack) {
      const { info, encoded, requesterId, recommendation } = track
      const names = songOf(info)
      const play = {
        ...names,
        track: encoded,
        requesterId,
        provider: recommendation?.provider ?? null,
        heardMs,
        lengthMs: info.lengthMs,
      }
      const logged = toLogged({ ...play, ended }, track)
      own.push(isFailure({ startedAtMs, ended }) ? { ...logged, verdict: 'failed' } : logged)
      own.splice(0, own.length - MOST_PLAYS)
      if (startedAtMs !== null) void inTurn(() => save({ ...play, startedAtMs: Math.round(startedAtMs), ended }))
    },
    /** Songs heard and the current one, oldest first. @throws if the database cannot be read. */
    async playsWith({ seed, isPlaying }: Pick<SuggestionRequest, 'seed' | 'isPlaying'>): Promise<readonly HeardSong[]> {
      const plays = await all()
      // The seed may have ended since the request was made.
      const isOver = !isPlaying || plays.at(-1)?.queued === seed
      return isOver ? plays : [...plays, { ...songOf(seed.info), verdict: 'neutral' }]
    },
    /** Tokens of what members liked lately, what they asked for before what was recommended; without what was heard last. */
    async anchors(limit: number): Promise<readonly string[]> {
      const liked = (await all())
        .slice(0, -1)
        .filter(({ verdict }) => verdict === 'liked')
        .toReversed()
      const newest = [...liked.filter(({ isAskedFor }) => isAskedFor), ...liked.filter((play) => !play.isAskedFor)]
      return [...new Set(newest.map(({ track }) => track))].slice(0, limit)
    },
  }
}

/** Whether a track failed. Skipping a track that is still loading rejects it, playable or not, and is no failure. */
export function isFailure({ startedAtMs, ended }: Pick<EndedTrack, 'startedAtMs' | 'ended'>): boolean {
  return ended === 'failed' || (startedAtMs === null && ended !== 'skipped')
}

function toLogged(play: Omit<Play, 'startedAtMs' | 'requesterId'>, queued: QueuedTrack | null): LoggedPlay {
  const { song, artist, track, provider } = play
  return { song, artist, track, queued, verdict: verdictOf(play), isAskedFor: provider === null }
}
