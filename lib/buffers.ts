/**
 * Gives the memory of a buffer back at once; it must not be used from then on. Large buffers that are left to the collector
 * make it walk through all that the process holds, each time there are 64 MB of them.
 */
export function releaseBuffer({ buffer, byteLength }: ArrayBufferView): void {
  // A part of something larger has others beside it.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength && !buffer.detached) buffer.transfer(0)
}

/** All chunks in one; they themselves are given back. */
export function concatAndRelease(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks
  if (first && chunks.length === 1) return first
  const whole = Buffer.concat(chunks)
  for (const chunk of chunks) releaseBuffer(chunk)
  return whole
}

/** Smaller pieces are counted: each costs memory and time of its own, however few bytes it brings. */
const PIECE_BYTES = 512
const MAX_SMALL_PIECES = 4096
/** Pieces allowed for any message, however short. */
const MIN_PIECES = 16
/** Clients that send in fragments make them larger. */
const FRAGMENT_BYTES = 4096

/** Live streams send frames of some fifty bytes for hours. */
export const STREAM_PIECES = { maxSmall: 1024, pieceBytes: 32 }

/** Counts the pieces of a body, as its sender, chunked coding and the network cut it. */
export function createPieceCount({ maxSmall, pieceBytes } = { maxSmall: MAX_SMALL_PIECES, pieceBytes: PIECE_BYTES }) {
  let count = 0
  let bytes = 0
  return {
    get bytes() {
      return bytes
    },
    /** Returns false once the body has come in more small pieces than anything but an attack sends. */
    add(piece: { readonly length: number }): boolean {
      count += 1
      bytes += piece.length
      return count <= maxSmall + bytes / pieceBytes
    },
  }
}

/** The bounds of a message on a WebSocket: of its bytes, its fragments, and the pieces that the network cuts them into. */
export function boundMessage(maxPayload: number) {
  return {
    maxPayload,
    maxFragments: MIN_PIECES + Math.ceil(maxPayload / FRAGMENT_BYTES),
    maxBufferedChunks: MIN_PIECES + Math.ceil(maxPayload / PIECE_BYTES),
  }
}

/** A body came in more small pieces than anything but an attack sends. */
export class TooManyPieces extends Error {
  override readonly name = 'TooManyPieces'
  override readonly message = 'The body arrives in too many small chunks.'
}

/**
 * Reads a whole body and releases its chunks. Stops at more than `maxBytes`.
 * @throws what `tooLarge` makes, what the body throws, and `TooManyPieces`.
 */
export async function readBounded(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  tooLarge: () => Error,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  const pieces = createPieceCount()
  for await (const chunk of body) {
    if (!pieces.add(chunk)) throw new TooManyPieces()
    if (pieces.bytes > maxBytes) throw tooLarge()
    chunks.push(Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk))
  }
  return concatAndRelease(chunks)
}
