import type { Egress, EgressResponse } from '../../../../upstream/egress/egress-guard.ts'
import type { RandomAccessBytes } from '../random-access.ts'
import { contentRangeOf, totalBytesOf } from './content-range.ts'
import { Incoming } from './incoming.ts'

const HEAD_BYTES = 65_536
/** Time limit for the first bytes after the headers. A radio sends thousands at once. */
const HEAD_MS = 4000
const OPEN_MS = 8000
/** Reading tags and lengths behind the head costs no more than this. */
const MORE_BYTES = 6 * 1024 * 1024

/** An address that was opened, with its first bytes. */
export interface Remote {
  readonly response: EgressResponse
  readonly head: Buffer
  /** Null if unknown. */
  readonly size: number | null
  /** All that may be read of it: by ranges where the host answers them, else forwards. */
  readonly bytes: RandomAccessBytes
  /** Ends the request. */
  close(): void
}

export interface RemoteOptions {
  readonly egress: Egress
  readonly signal: AbortSignal
  readonly headers: Readonly<Record<string, string>>
  /** Maximum range requests behind the head. */
  readonly requests: number
  /** @throws where the answer is of no use. */
  readonly check: (response: EgressResponse) => void
}

/** The caller closes it. @throws {Fault} as `Egress.open`, and what `check` throws. */
export async function openRemote(url: string, { headers, check, ...options }: RemoteOptions): Promise<Remote> {
  const { egress, signal } = options
  // A part of what is compressed could not be read.
  const asked = { ...headers, range: `bytes=0-${HEAD_BYTES - 1}`, 'accept-encoding': 'identity' }
  const response = await egress.open(url, { headers: asked, signal, timeoutMs: OPEN_MS })
  const close = () => void response.body.destroy()
  try {
    check(response)
    const incoming = new Incoming(response.body)
    const head = await incoming.start(HEAD_BYTES, HEAD_MS)
    const isPart = response.status === 206
    const isAll = !isPart && incoming.hasEnded && incoming.length === head.length
    const size = totalBytesOf(response) ?? (isAll ? head.length : null)
    const isWhole = size !== null && size === head.length
    const bytes = isPart && !isWhole ? rangedBytes({ ...options, response, head, size }) : incoming.bytes(size)
    return { response, head, size, bytes, close }
  } catch (error) {
    close()
    throw error
  }
}

interface Ranged extends Pick<RemoteOptions, 'egress' | 'signal' | 'requests'> {
  readonly response: EgressResponse
  readonly head: Buffer
  readonly size: number | null
}

/** Reads the head, and more with range requests, within the limits of the host and the budget. */
function rangedBytes({ egress, signal, requests, response, head, size }: Ranged): RandomAccessBytes {
  const pieces = [{ at: 0, bytes: head }]
  let requestsLeft = requests
  let bytesLeft = MORE_BYTES

  async function load(at: number, length: number): Promise<(typeof pieces)[number]> {
    if (requestsLeft === 0 || length > bytesLeft) throw new Error('Reading this file needs too many requests.')
    requestsLeft -= 1
    bytesLeft -= length
    const headers = { range: `bytes=${at}-${at + length - 1}`, 'accept-encoding': 'identity' }
    const part = await egress.open(response.url.href, { headers, signal, timeoutMs: OPEN_MS })
    try {
      const isBehind = part.status === 416
      const isOther = part.status !== 206 || (contentRangeOf(part)?.fromByte ?? at) !== at
      if (isOther && !isBehind) throw new Error(`The server returned another part, or the status ${part.status}.`)
      const bytes = isBehind ? Buffer.alloc(0) : await new Incoming(part.body).start(length, HEAD_MS)
      const piece = { at, bytes }
      pieces.push(piece)
      return piece
    } finally {
      part.body.destroy()
    }
  }

  async function pieceFrom(at: number, length: number): Promise<Buffer> {
    const known = pieces.find((it) => it.at <= at && at < it.at + it.bytes.length)
    // A little more than asked: parsers continue where they were.
    const more = Math.min(Math.max(length, HEAD_BYTES), size === null ? Infinity : size - at)
    const piece = known ?? (await load(at, more))
    return piece.bytes.subarray(at - piece.at, at - piece.at + length)
  }

  return {
    size,
    isSeekable: true,
    read: async (at, length) => {
      const wanted = size === null ? length : Math.max(0, Math.min(length, size - at))
      const parts: Buffer[] = []
      // A host may send less than it is asked for.
      for (let got = 0; got < wanted;) {
        const part = await pieceFrom(at + got, wanted - got)
        if (part.length === 0) break
        parts.push(part)
        got += part.length
      }
      return parts.length === 1 ? parts[0]! : Buffer.concat(parts)
    },
    close: async () => {},
  }
}
