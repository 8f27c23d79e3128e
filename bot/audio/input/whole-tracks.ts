import { randomBytes } from 'node:crypto'
import { open, rm, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Fault } from '../../../lib/errors.ts'
import type { TrackBytes } from './bytes.ts'

const FILE_MAX_BYTES = 128 * 1024 * 1024
const TOTAL_MAX_BYTES = 1024 * 1024 * 1024
const CHUNK_BYTES = 64 * 1024

/** Puts whole tracks on the disk whose hosts allow no seeking, but whose decoder has to. */
export type WholeTracks = ReturnType<typeof createWholeTracks>

export function createWholeTracks({ fileMax = FILE_MAX_BYTES, totalMax = TOTAL_MAX_BYTES } = {}) {
  let total = 0

  async function write(bytes: AsyncIterable<Buffer>, file: FileHandle): Promise<number> {
    let size = 0
    try {
      for await (const chunk of bytes) {
        size += chunk.length
        total += chunk.length
        if (size > fileMax || total > totalMax) throw tooLarge()
        await file.write(chunk)
      }
      return size
    } catch (error) {
      total -= size
      throw error
    }
  }

  return {
    /** Reads all, and owns `source`. @throws {Fault} where it is too large, and what reading throws. */
    async keep(bytes: AsyncIterable<Buffer>, source: TrackBytes): Promise<TrackBytes> {
      const path = join(tmpdir(), `bandstand-track-${randomBytes(12).toString('hex')}`)
      const file = await open(path, 'wx+', 0o600)
      try {
        // Without a name it goes with this process, however that ends.
        await rm(path)
        const sizeBytes = await write(bytes, file)
        source.close()
        return keptBytes(file, sizeBytes, () => (total -= sizeBytes))
      } catch (error) {
        source.close()
        await file.close()
        throw error
      }
    },
  }
}

function keptBytes(file: FileHandle, sizeBytes: number, onClose: () => void): TrackBytes {
  const closing = new AbortController()
  return {
    sizeBytes,
    isSeekable: true,
    state: null,
    async *read(fromByte) {
      for (let at = fromByte; !closing.signal.aborted;) {
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, at)
        if (bytesRead === 0) return
        at += bytesRead
        yield buffer.subarray(0, bytesRead)
      }
    },
    close() {
      if (closing.signal.aborted) return
      closing.abort()
      onClose()
      void file.close().catch(() => undefined)
    },
  }
}

function tooLarge(): Fault {
  const message = "This track's host allows no seeking, and the file's index is too far behind its start."
  return new Fault('upstream_failed', message)
}
