import { runForProject } from '../../lib/request-context.ts'
import type { Audible } from '../audio/node/protocol.ts'
import type { PlayerCore, QueuedTrack } from './player-state.ts'

/** How a track is opened, and the name by which the audio node knows it again, whatever its address is then. `isFresh` as for a source. */
export async function openTrack(
  { parts: { sources, projectId } }: PlayerCore,
  { info }: QueuedTrack,
  signal: AbortSignal,
  isFresh?: boolean,
): Promise<Audible> {
  const playable = await runForProject(projectId, () => sources.open(info, signal, isFresh))
  return { ...playable, identity: `${info.sourceName} ${info.identifier}` }
}
