import { Fault } from '../../../lib/errors.ts'
import { abortable } from '../../../lib/deadline.ts'
import type { Logger } from '../../../lib/log.ts'
import { runForProject } from '../../../lib/request-context.ts'
import { createFairShare } from '../../../lib/sharing/fair-share.ts'
import type { Sources } from '../../../bot/sources/source.ts'
import type { TrackInfo } from '../../../bot/tracks/track.ts'
import type { NodeCaller } from '../http/node-keys.ts'
import { findTracks, isOn, type FoundTracks } from './find-tracks.ts'
import { readIdentifier } from './identifier.ts'
import { toLoadResult } from './load-result.ts'
import { toTrackException } from './track-exception.ts'
import { decodeTrack, readTrack, toTrackObject } from './track-object.ts'
import type { TrackService } from './track-service.ts'

export interface TrackServiceOptions {
  readonly sources: Pick<Sources, 'names' | 'find' | 'search' | 'related' | 'keep' | 'open'>
  readonly log: Logger
  /** Time limit of a load. Defaults to 9.5 s, since clients wait for ten. */
  readonly loadMs?: number
}

const LOAD_MS = 9500

const NOTHING_FOUND = 'Nothing was found for this identifier.'
const NO_SINGLE_TRACK =
  'This identifier leads to a playlist or a search; a player takes one track. Choose one with /v4/loadtracks.'

/** A bot in a thousand guilds loads a few at once; the next project finds places all the same. */
const LOADS = { what: 'track loads', total: 128, share: 32, maxWaiting: 64, maxWaitMs: 5000 }

export function createTrackService({ sources, log, loadMs = LOAD_MS }: TrackServiceOptions): TrackService {
  const loads = createFairShare(LOADS)

  function find(identifier: string, { projectId }: NodeCaller, signal: AbortSignal): Promise<FoundTracks> {
    const parsed = readIdentifier(identifier, (source) => isOn(source, sources))
    const ending = AbortSignal.any([signal, AbortSignal.timeout(loadMs)])
    const work = () => abortable(findTracks(parsed, sources, ending), ending)
    return loads.run(projectId, () => runForProject(projectId, work), ending)
  }

  return {
    async load(identifier, caller, signal) {
      try {
        const found = await find(identifier, caller, signal)
        if (found.kind === 'track') keepUpload(found.track, sources, caller)
        return toLoadResult(found, addressIn(identifier))
      } catch (error) {
        signal.throwIfAborted()
        const data = toTrackException(error)
        // The caller gets a message; unexpected errors are logged for the operator.
        log[data.severity === 'fault' ? 'error' : 'debug']({ err: error }, 'tracks not loaded')
        return { loadType: 'error', data }
      }
    },
    async resolve(identifier, caller, signal) {
      const found = await find(identifier, caller, signal).catch((error: unknown) => {
        signal.throwIfAborted()
        throw asFault(error)
      })
      if (found.kind === 'track') return found.track
      throw new Fault('bad_request', found.kind === 'empty' ? NOTHING_FOUND : NO_SINGLE_TRACK)
    },
    decode: decodeTrack,
    read: readTrack,
    encode: toTrackObject,
    open: (track, signal, isFresh) => sources.open(track, signal, isFresh),
  }
}

/** Turns a timeout into a refusal that the caller may retry; a bug stays one. */
function asFault(error: unknown): unknown {
  const { severity, message } = toTrackException(error)
  return error instanceof Fault || severity === 'fault' ? error : new Fault('bad_request', message, { cause: error })
}

/** Files that members sent along expire: what waits in a bot's queue must still play then. */
function keepUpload({ sourceName, identifier }: TrackInfo, sources: Pick<Sources, 'keep'>, caller: NodeCaller): void {
  const url = sourceName === 'http' ? URL.parse(identifier) : null
  const isDiscords = url?.host === 'cdn.discordapp.com' || url?.host === 'media.discordapp.net'
  if (!url || !isDiscords || !url.pathname.includes('attachments/')) return
  // The project ID becomes part of the file's name; that of a named key may have other characters.
  sources.keep(url.href, caller.projectId.replaceAll(/[^\w-]/g, '_'))
}

/** The address of a page in an identifier, with or without a prefix before it. */
function addressIn(identifier: string): string | null {
  return /https?:\/\/\S+/.exec(identifier)?.[0] ?? null
}
