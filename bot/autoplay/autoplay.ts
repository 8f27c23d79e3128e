import type { KnownGuildSettings } from '../../db/music/known-guild-settings.ts'
import type { GuildRef, PlayHistory } from '../../db/music/play-history.ts'
import type { Logger } from '../../lib/log.ts'
import { runForProject } from '../../lib/request-context.ts'
import type { TelemetryHooks } from '../../lib/telemetry-hooks.ts'
import type { AutoplayHooks, EndedTrack, QueuedTrack } from '../player/player-parts.ts'
import type { Player } from '../player/player.ts'
import type { SuggestionRequest } from '../player/queue/suggestion.ts'
import type { Clock } from '../player/timers.ts'
import type { Recommenders } from '../tracks/recommenders.ts'
import { decodeToken, encodeToken } from '../tracks/track-token.ts'
import type { TrackInfo } from '../tracks/track.ts'
import { isAllowed, rankProposals, verdictOf, type ChosenSong, type HeardSong } from './chooser.ts'
import { createListeningLog, isFailure, type ListeningLog } from './listening-log.ts'
import { gatherProposals, type Gathered, type ProvidersOptions } from './providers.ts'
import { songOf } from './song.ts'
import { guildKey } from '../guild-key.ts'

interface AutoplayOptions extends Pick<ProvidersOptions, 'library' | 'coverUrlOf' | 'collections'> {
  readonly findPlayer: (botId: string, guildId: string) => Player | undefined
  readonly listenersOf: (botId: string, guildId: string, channelId: string) => readonly string[]
  readonly settings: Pick<KnownGuildSettings, 'known' | 'change'>
  readonly history: PlayHistory
  readonly recommenders: Recommenders
  readonly clock: Clock
  readonly log: Logger
  readonly observer: Pick<TelemetryHooks, 'autoplayed'>
  /** Autoplay stops until members request a track or turn it on again. */
  readonly onGivenUp: (guild: GuildRef) => void
  /** Gives numbers from 0 up to, but not including, 1. */
  readonly random?: () => number
}

/** Chooses what plays when a queue runs out: one decision at a time for each player. */
export type Autoplay = ReturnType<typeof createAutoplay>

interface Session {
  readonly guild: GuildRef
  readonly projectId: string
  readonly listening: ListeningLog
  isChoosing: boolean
  /** Failures in a row: nothing was found, or what was found could not be played. */
  failures: number
  retryAtMs: number
  cancelRetry: () => void
  /** The proposals of the last successful search. */
  gathered: Gathered | null
  /** The last track that it chose for. */
  seed: QueuedTrack | null
}

const MOST_FAILURES = 3
const RETRY_MS = 1000
/** Songs that only their names are known of cost a search each. */
const MOST_SEARCHES = 5
/** The current track counts most; earlier requests and likes keep the music from drifting away. */
const ANCHOR_WEIGHTS = [0.45, 0.3] as const

interface Running {
  readonly options: AutoplayOptions
  readonly sessions: Map<string, Session>
}

export function createAutoplay(options: AutoplayOptions) {
  const { settings } = options
  const running: Running = { options, sessions: new Map() }
  return {
    hooksFor({ botId, guildId, projectId }: GuildRef & { readonly projectId: string }): AutoplayHooks {
      const session = () => sessionOf(running, { botId, guildId }, projectId)
      return {
        get isOn() {
          return settings.known(botId, guildId).autoplay
        },
        async set(isOn) {
          await settings.change(botId, guildId, { autoplay: isOn })
          Object.assign(session(), { failures: 0, retryAtMs: -Infinity })
          onDue(running, session())
        },
        onDue: () => onDue(running, session()),
        onTrackEnded: (ended) => onTrackEnded(running, session(), ended),
      }
    },
    /** The player is gone. */
    forget(guild: GuildRef) {
      running.sessions.get(guildKey(guild))?.cancelRetry()
      running.sessions.delete(guildKey(guild))
    },
  }
}

function sessionOf({ options, sessions }: Running, guild: GuildRef, projectId: string): Session {
  const known = sessions.get(guildKey(guild))
  if (known) return known
  const session: Session = {
    guild,
    projectId,
    listening: createListeningLog(guild, options.history, options.log),
    isChoosing: false,
    failures: 0,
    retryAtMs: -Infinity,
    cancelRetry: () => undefined,
    gathered: null,
    seed: null,
  }
  sessions.set(guildKey(guild), session)
  return session
}

/** Never throws, since players continue without it. */
function onDue(running: Running, session: Session): void {
  try {
    chooseIfDue(running, session)
  } catch (err) {
    running.options.log.error({ err, ...session.guild }, 'autoplay failed')
  }
}

function chooseIfDue(running: Running, session: Session): void {
  const { findPlayer, clock } = running.options
  if (session.isChoosing || clock.nowMs() < session.retryAtMs) return
  const player = findPlayer(session.guild.botId, session.guild.guildId)
  const request = player?.suggestionRequest()
  if (!player || !request) return
  // A new request resets earlier failures.
  if (request.seed !== session.seed && !request.seed.recommendation) session.failures = 0
  session.seed = request.seed
  if (session.failures >= MOST_FAILURES) return
  session.isChoosing = true
  void runForProject(session.projectId, () => choose(running, session, player)).finally(() => {
    session.isChoosing = false
    // Handles requests that came meanwhile; without a change, nothing is due.
    onDue(running, session)
  })
}

/** Never rejects. */
async function choose(running: Running, session: Session, player: Player): Promise<void> {
  try {
    const request = player.suggestionRequest()
    const track = request && (await chooseTrack(running.options, session, request))
    if (track) await player.suggest(track, request.seed)
    else if (request) fail(running, session)
  } catch (err) {
    running.options.log.warn({ err, ...session.guild }, 'autoplay failed')
    fail(running, session)
  }
}

function fail(running: Running, session: Session): void {
  const { clock, log, onGivenUp } = running.options
  session.failures += 1
  session.retryAtMs = clock.nowMs() + RETRY_MS
  session.cancelRetry()
  if (session.failures < MOST_FAILURES) session.cancelRetry = clock.after(RETRY_MS, () => onDue(running, session))
  if (session.failures !== MOST_FAILURES) return
  log.warn(session.guild, 'autoplay stopped: no playable track')
  onGivenUp(session.guild)
}

function onTrackEnded(running: Running, session: Session, ended: EndedTrack): void {
  session.listening.add(ended)
  const { recommendation } = ended.track
  if (!recommendation) return
  running.options.observer.autoplayed(recommendation.provider, outcomeOf(ended))
  if (ended.ended === 'failed') fail(running, session)
  else session.failures = 0
}

/** The next track, resolved to a source; null if there is none. If providers fail, uses their earlier results. */
async function chooseTrack(options: AutoplayOptions, session: Session, request: SuggestionRequest) {
  const { recommenders, listenersOf } = options
  const { guild, listening } = session
  const listenerIds = listenersOf(guild.botId, guild.guildId, request.channelId)
  const liked = await listening.anchors(ANCHOR_WEIGHTS.length)
  const anchors = liked.map((token) => decodeToken(token))
  const seeds = [request.seed.info, ...anchors].map((track, at) => ({ track, weight: ANCHOR_WEIGHTS[at - 1] ?? 1 }))
  const gathered = await gatherProposals({ ...options, recommenders: recommenders.all }, { guild, seeds, listenerIds })
  const plays = await listening.playsWith(request)
  const found = await findBest(gathered, plays, options)
  if (!found) return session.gathered && findBest(session.gathered, plays, options)
  session.gathered = gathered
  return found
}

async function findBest(
  { proposals, favourites }: Gathered,
  plays: readonly HeardSong[],
  { recommenders, random = Math.random }: AutoplayOptions,
): Promise<QueuedTrack | null> {
  let searches = 0
  for (const choice of rankProposals(proposals, { plays, favourites }, random)) {
    if (choice.track === null && searches >= MOST_SEARCHES) continue
    if (choice.track === null) searches += 1
    const info = choice.track ?? (await recommenders.mirror(choice.wanted).catch(() => null))
    // The found track may count as another song, which the rules do not allow.
    if (info && isAllowed(songOf(info), plays)) return toQueued(info, choice)
  }
  return null
}

function toQueued(info: TrackInfo, { provider, because, of }: ChosenSong): QueuedTrack {
  return { info, encoded: encodeToken(info), requesterId: null, recommendation: { provider, because, of } }
}

function outcomeOf(played: EndedTrack) {
  const { track, heardMs, ended } = played
  if (isFailure(played)) return 'failed'
  if (ended === 'finished') return 'finished'
  const verdict = verdictOf({ heardMs, lengthMs: track.info.lengthMs, ended })
  if (verdict === 'liked') return 'half'
  if (ended === 'closed') return 'closed'
  return verdict === 'rejected' ? 'skipped_early' : 'skipped'
}
