import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'

/** Memory of this service that all sockets of one project may hold together. */
const MAX_PROJECT_BYTES = 32 * 1024 * 1024
/** A piece of a message that is to be put together costs so much beside its bytes. */
const PIECE_BYTES = 512

interface Followed {
  readonly projectId: string
  readonly socket: WebSocket
  /** The connection beneath it. */
  readonly wire: Duplex
  /** Called before it is cut for holding too much. */
  readonly onCut: () => void
}

export type SocketMemory = ReturnType<typeof createSocketMemory>

/** Counts by project what its sockets hold: each has bounds of its own, but there may be thousands. */
export function createSocketMemory(maxProjectBytes = MAX_PROJECT_BYTES) {
  const projects = new Map<string, number>()

  function change(projectId: string, bytes: number): number {
    const total = (projects.get(projectId) ?? 0) + bytes
    if (total === 0) projects.delete(projectId)
    else projects.set(projectId, total)
    return total
  }

  return {
    /**
     * Counts what a socket holds until it closes: messages that have begun, and what its client does not read. One that
     * would hold more when its project holds as much as it may is cut.
     * @returns what must be called after each write to the wire
     */
    follow({ projectId, socket, wire, onCut }: Followed): () => void {
      const message = createMessageMeter(socket, wire, () => count())
      let held = 0
      function count(): void {
        if (wire.destroyed) return
        const now = message.bytes() + wire.writableLength
        const grown = now - held
        held = now
        if (change(projectId, grown) <= maxProjectBytes || grown <= 0) return
        onCut()
        socket.terminate()
      }
      wire.on('drain', count)
      wire.once('close', () => change(projectId, -held))
      return count
    },
  }
}

/**
 * Counts the bytes that a client has sent of an unfinished message. Its chunks are kept as they arrived: the count is
 * the bytes from the wire less those of finished messages and frames.
 */
function createMessageMeter(socket: WebSocket, wire: Duplex, onChange: () => void): { bytes(): number } {
  let bytes = 0
  let pieces = 0
  let lastChunk = 0
  // Runs before the listener of ws, which reports the messages and frames within the chunk.
  wire.prependListener('data', (chunk: Buffer) => {
    lastChunk = chunk.length
    bytes += chunk.length
    pieces += 1
    onChange()
  })
  const isOver = (payload: Buffer) => {
    bytes = Math.max(0, bytes - frameBytes(payload))
    if (bytes === 0) pieces = 0
    onChange()
  }
  socket.on('ping', isOver).on('pong', isOver)
  socket.on('message', (data: Buffer) => {
    isOver(data)
    // Bytes that follow it came in the same chunk; the heads of its fragments are not known.
    bytes = Math.min(bytes, lastChunk)
    pieces = Math.min(pieces, 1)
  })
  return { bytes: () => bytes + pieces * PIECE_BYTES }
}

/** Size of a client's frame, with head and mask (RFC 6455, 5.2). */
function frameBytes({ length }: Buffer): number {
  return length + (length < 126 ? 6 : length < 65_536 ? 8 : 14)
}
