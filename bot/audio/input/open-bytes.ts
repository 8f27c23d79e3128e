import { createReadStream, type Stats } from 'node:fs'
import { open } from 'node:fs/promises'
import { Fault } from '../../../lib/errors.ts'
import type { Egress } from '../../../upstream/egress/egress-guard.ts'
import type { ReadHlsWindow } from '../../sources/hls/hls-windows.ts'
import type { TrackBytes } from './bytes.ts'
import { openHlsBytes } from './hls-bytes.ts'
import { openHttpBytes } from './http-bytes.ts'
import type { Audible } from '../node/protocol.ts'

/** Access of the audio thread to remote tracks. */
export interface TrackAccess {
  readonly egress: Egress
  /** Fetches and parses playlists in another thread. */
  readonly readHlsWindow: ReadHlsWindow
}

/** Callbacks of a source while it is read. */
interface SourceNews {
  readonly onTitle: (title: string) => void
  /** A temporary failure, which is retried; a message for the player's trace. */
  readonly onTrouble: (text: string) => void
}

/** The bytes of a track; remote ones come through the egress guard. @throws {Fault} */
export function openTrackBytes(
  { egress, readHlsWindow }: TrackAccess,
  track: Audible,
  { onTitle = () => undefined, onTrouble = () => undefined }: Partial<SourceNews> = {},
): Promise<TrackBytes> {
  if (track.kind === 'file') return openFileBytes(track.path)
  if (track.kind === 'hls') return openHlsBytes({ egress, readHlsWindow, ...track, onTrouble })
  const guard = track.operatorHost === undefined ? egress : egress.allowing(track.operatorHost)
  return openHttpBytes({ ...track, egress: guard, onTitle, onTrouble })
}

/** Two of them wait while a track plays. */
const CHUNK_BYTES = 32 * 1024

/** @throws {Fault} `not_found` when the file is gone. */
async function openFileBytes(path: string): Promise<TrackBytes> {
  const { size: sizeBytes, mtimeMs } = await factsOf(path)
  const closing = new AbortController()
  return {
    sizeBytes,
    isSeekable: true,
    state: `${sizeBytes} ${mtimeMs}`,
    read: (fromByte, isTransient = false) =>
      isTransient
        ? readInPlace(path, fromByte, closing.signal)
        : createReadStream(path, { start: fromByte, signal: closing.signal, highWaterMark: CHUNK_BYTES }),
    close: () => {
      closing.abort()
    },
  }
}

async function* readInPlace(path: string, fromByte: number, signal: AbortSignal): AsyncGenerator<Buffer, void> {
  await using file = await open(path)
  const memory = Buffer.allocUnsafeSlow(CHUNK_BYTES)
  for (let at = fromByte; ;) {
    const { bytesRead } = await file.read(memory, 0, CHUNK_BYTES, at)
    signal.throwIfAborted()
    if (bytesRead === 0) return
    at += bytesRead
    yield memory.subarray(0, bytesRead)
  }
}

async function factsOf(path: string): Promise<Stats> {
  try {
    await using file = await open(path)
    const facts = await file.stat()
    if (facts.isFile()) return facts
  } catch (cause) {
    throw gone(cause)
  }
  throw gone(null)
}

function gone(cause: unknown): Fault {
  return new Fault('not_found', 'The file of this track is missing or unreadable.', { cause })
}
