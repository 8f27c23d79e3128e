import { addAbortSignal } from 'node:stream'
import { TextDecoder } from 'node:util'
import { createPieceCount, TooManyPieces } from '../../../lib/buffers.ts'
import { unplayable } from '../../../lib/errors.ts'
import type { Egress } from '../../../upstream/egress/egress-guard.ts'
import { refuseStatus } from '../http/http-status.ts'
import { createFeedParser, type Feed } from './feed.ts'

/** The feed of a daily show has 20 MiB after ten years. The rest is not read. */
const MAX_BYTES = 24 * 1024 * 1024
/** Parsed in one turn: about a millisecond. */
const PIECE_CHARS = 16_384
const OPEN_MS = 5000
/** Less than a member waits for music; what was read by then counts. */
const READ_MS = 8000
const ACCEPT = 'application/rss+xml,application/atom+xml,application/xml;q=0.9,text/xml;q=0.9,*/*;q=0.5'

/** A feed by its address. For a thread that has time. @throws {Fault} `unplayable` for what is no feed. */
export async function readFeed(url: string, egress: Egress, signal: AbortSignal): Promise<Feed> {
  const response = await egress.open(url, { headers: { accept: ACCEPT }, signal, timeoutMs: OPEN_MS })
  refuseStatus(response)
  const parser = createFeedParser(response.url)
  const late = AbortSignal.timeout(READ_MS)
  addAbortSignal(AbortSignal.any([signal, late]), response.body)
  try {
    let decoder: TextDecoder | null = null
    const pieces = createPieceCount()
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      decoder ??= decoderFor(chunk)
      if (!pieces.add(chunk)) throw new TooManyPieces()
      const text = decoder.decode(chunk, { stream: true })
      for (let at = 0; at < text.length && !parser.isFull; at += PIECE_CHARS)
        parser.write(text.slice(at, at + PIECE_CHARS))
      if (parser.isFull || pieces.bytes > MAX_BYTES) break
    }
  } catch (error) {
    if (!late.aborted) throw error
  } finally {
    response.body.destroy()
  }
  const feed = parser.end()
  if (!feed) throw unplayable(`The response from ${response.url.host} isn't a podcast feed.`)
  return feed
}

/** A decoder for the encoding in the XML declaration; feeds without one are UTF-8. */
function decoderFor(start: Buffer): TextDecoder {
  const [, label = 'utf-8'] =
    /^.{0,10}<\?xml[^>]{0,100}encoding=["']([\w-]{1,30})["']/s.exec(start.toString('latin1', 0, 200)) ?? []
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder()
  }
}
