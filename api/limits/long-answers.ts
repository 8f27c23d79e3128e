import { createWorkPace } from '../../lib/sharing/work-pace.ts'

/** Shared by all projects of this thread. */
const pace = createWorkPace()

/** A track with its token, as JSON. */
const TRACK_BYTES = 512
/** Fewer cost about as much as any request. */
const MANY_TRACKS = 200
/** A change of a player writes its queue to the database, too. */
const WRITE_FACTOR = 3

/** Waits until the project may read so many tracks. @throws {Fault} `service_unavailable` where too many of its reads wait */
export async function admitRead(projectId: string, tracks: number): Promise<void> {
  if (tracks > MANY_TRACKS) await admitBytes(projectId, tracks * TRACK_BYTES)
}

/** The same for a change of a player in whose queue so many tracks wait. */
export async function admitChange(projectId: string, tracks: number): Promise<void> {
  if (tracks > MANY_TRACKS) await admitBytes(projectId, tracks * TRACK_BYTES * WRITE_FACTOR)
}

/** The same for an answer of so many bytes. */
export function admitBytes(projectId: string, bytes: number): Promise<void> {
  return pace.take(projectId, bytes)
}

/** Whether an answer has so many tracks that it is written in pieces. */
export function hasManyTracks(data: unknown): boolean {
  return tracksOf(data) > MANY_TRACKS
}

/** Number of tracks in the queue of a player, or in those of a list of players. */
export function tracksOf(data: unknown): number {
  if (Array.isArray(data)) return data.reduce((sum: number, one: unknown) => sum + tracksOf(one), 0)
  if (typeof data !== 'object' || data === null || !('queue' in data)) return 0
  return Array.isArray(data.queue) ? data.queue.length : 0
}
