import { Socket } from 'node:net'
import { releaseBuffer } from '../../lib/buffers.ts'
import { FILES_FD } from './pool/protocol.ts'

const CHUNK_BYTES = 256 * 1024

/**
 * The worker's end of the pipe that files go over.
 * Takes files straight into where they stay: no chunk is kept, and the collector has nothing to do.
 */
export function openFiles() {
  let target: Buffer = Buffer.alloc(0)
  let haveBytes = 0
  let full: (() => void) | null = null
  const onChunk = (nread: number, chunk: Uint8Array): boolean => {
    target.set(chunk.subarray(0, nread), haveBytes)
    haveBytes += nread
    const isFull = haveBytes === target.length
    if (isFull) full?.()
    return !isFull
  }
  const socket = new Socket({ fd: FILES_FD, onread: { buffer: Buffer.alloc(CHUNK_BYTES), callback: onChunk } })
  socket.pause()

  return {
    /** The next files, of these sizes. One call at a time. */
    async read(sizes: readonly number[]): Promise<readonly Buffer[]> {
      const all = sizes.reduce((sum, size) => sum + size, 0)
      target = Buffer.allocUnsafeSlow(all)
      haveBytes = 0
      const filled = Promise.withResolvers<void>()
      full = filled.resolve
      if (all > 0) socket.resume()
      else filled.resolve()
      await filled.promise
      socket.pause()
      let from = 0
      return sizes.map((size) => target.subarray(from, (from += size)))
    },
    /** `data` is handed over. */
    write: (data: Uint8Array) => void socket.write(data, () => releaseBuffer(data)),
  }
}
