import type { PlayerObject } from '../protocol/player.ts'
import type { LavalinkPlayer } from '../players/player.ts'
import type { FrameStats } from '../protocol/stats.ts'
import type { LavalinkSession } from './session.ts'
import type { LavalinkSessions } from './sessions.ts'

/** A player as its project sees it. */
export interface NodePlayerView extends PlayerObject {
  /** Frames of the last minute; null where it did not play through all of it, or that is not known. */
  readonly frames: FrameStats | null
}

/** A session as its project sees it. */
export interface SessionView {
  readonly id: string
  readonly clientName: string | null
  /** The bot of the client. */
  readonly userId: string
  readonly keyId: string
  /** Wall clock in milliseconds; `lostAtMs` is null while its socket is open. */
  readonly openedAtMs: number
  readonly lostAtMs: number | null
  readonly isResuming: boolean
  /** Time that it waits for its client to come back. */
  readonly timeoutSeconds: number
  /** By guild id. */
  readonly players: readonly NodePlayerView[]
}

/** Current counts over all projects. */
interface SessionCounts {
  readonly sessions: number
  /** Sessions without a socket that wait to be resumed. */
  readonly waiting: number
  readonly players: number
  readonly playingPlayers: number
}

/** The sessions of the node, for those who watch over them. */
export type SessionDirectory = ReturnType<typeof createSessionDirectory>

export function createSessionDirectory(sessions: LavalinkSessions) {
  const ofProject = (projectId: string) => [...sessions.all()].filter(({ caller }) => caller.projectId === projectId)
  const find = (projectId: string, id: string) => ofProject(projectId).find((session) => session.id === id)

  return {
    counts(): SessionCounts {
      const all = [...sessions.all()]
      const { players, playingPlayers } = sessions.stats()
      return { sessions: all.length, waiting: all.filter(({ isOnline }) => !isOnline).length, players, playingPlayers }
    },
    /** Sessions of a project, the oldest first. */
    list: (projectId: string) => ofProject(projectId).map(toView),
    /** Ends it with its players; its client is told. @returns null where the project has no such session */
    async end(projectId: string, sessionId: string): Promise<SessionView | null> {
      const session = find(projectId, sessionId)
      if (!session) return null
      const view = toView(session)
      await sessions.end(session, SESSION_ENDED, 'The session was ended by its project.')
      return view
    },
    /** Stops a player, which leaves its channel. @returns the player as it was; null where there is none */
    async stopPlayer(projectId: string, sessionId: string, guildId: string): Promise<NodePlayerView | null> {
      const session = find(projectId, sessionId)
      const player = session?.players.find(guildId)
      if (!session || !player) return null
      const view = toPlayerView(player)
      await session.players.destroy(guildId)
      return view
    },
  }
}

/** Clients do not know it, and connect again like after any other loss. */
const SESSION_ENDED = 4002

function toView(session: LavalinkSession): SessionView {
  const { id, clientName, userId, caller, openedAtMs, lostAtMs, isResuming, timeoutSeconds } = session
  const players = [...session.players.all()].map(toPlayerView)
  return {
    id,
    clientName,
    userId,
    keyId: caller.keyId,
    openedAtMs,
    lostAtMs,
    isResuming,
    timeoutSeconds,
    players: players.toSorted((a, b) => (a.guildId < b.guildId ? -1 : 1)),
  }
}

function toPlayerView(player: LavalinkPlayer): NodePlayerView {
  return { ...player.toObject(), frames: player.frames }
}
