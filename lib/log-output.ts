import { pino, type DestinationStream } from 'pino'
import { settleWithin } from './deadline.ts'

/** Destination of log lines. */
export interface LogOutput extends DestinationStream {
  /** Writes what is buffered, or drops it when the reader does not take it. Lines that come later are not written. */
  close(): Promise<void>
}

/** Bound of the buffer while the disk is full or the reader is stalled; later lines are dropped. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024
/** Maximum wait for a reader when the process ends. */
const CLOSE_WITHIN_MS = 1000
/** A write costs two threads a wake-up each. Fewer bytes wait for `FLUSH_MS`. */
const WRITE_BYTES = 32 * 1024
const FLUSH_MS = 250
/** More than this does not wait for the end of the turn, in UTF-16 units. */
const MOST_GATHERED = 64 * 1024
/** At the very end each try of a write blocks for 100 ms. */
const LAST_TRIES = 5

/**
 * Standard output for a busy process: lines are gathered and written by another thread, a quarter of a second late at
 * most, since a write for every line would cost more than the request it tells of. The rest is written when the
 * process ends in any way but `kill -9`. Trouble with the log never becomes trouble of the service.
 *
 * Lines of the same turn of the event loop are handed on together: counting the bytes of each took as long as making it.
 */
export function bufferedOutput(): LogOutput {
  // Node makes it non-blocking: a write into a full pipe would otherwise hold a thread for as long as the reader is stalled.
  if (!process.stdout.writable) return { write: () => undefined, close: () => Promise.resolve() }
  let triesLeft = Infinity
  let isBroken = false
  let gathered = ''
  function handOn(): void {
    const lines = gathered
    gathered = ''
    if (lines !== '' && triesLeft > 0) stream.write(lines)
  }
  process.once('exit', () => {
    triesLeft = Math.min(triesLeft, LAST_TRIES)
    handOn()
    try {
      // The library would try for ever what fails for another reason than a stalled reader.
      if (!isBroken) stream.flushSync()
    } catch {
      // The reader is stalled, or all was written before.
    }
    // Otherwise pino flushes again and throws.
    stream.destroy()
  })
  const stream = pino.destination({
    dest: 1,
    sync: false,
    minLength: WRITE_BYTES,
    maxWrite: 2 * WRITE_BYTES,
    periodicFlush: FLUSH_MS,
    maxLength: MOST_WAITING_BYTES,
    retryEAGAIN: () => triesLeft-- > 0,
  })
  let lost = 0
  stream.on('drop', (lines: string) => (lost += lines.split('\n').length - 1))
  // The disk is full, or the reader is gone: what waits is tried again with the next line.
  stream.on('error', () => (isBroken = true))
  stream.on('write', () => (isBroken = false))
  stream.on('drain', () => {
    if (lost === 0) return
    const line = { level: 'error', time: new Date().toISOString(), lines: lost, msg: 'log lines lost' }
    lost = 0
    stream.write(`${JSON.stringify(line)}\n`)
  })
  const flushed = () => new Promise<void>((resolve) => stream.flush(() => resolve()))
  return {
    write(line) {
      if (gathered === '') setImmediate(handOn)
      gathered += line
      if (gathered.length > MOST_GATHERED) handOn()
    },
    async close() {
      handOn()
      // The second one is for the line about lost lines.
      await settleWithin(CLOSE_WITHIN_MS, flushed().then(flushed))
      triesLeft = 0
      // Not `destroy`: it empties the buffer but keeps its length, and a pending write then never ends.
      stream.end()
    },
  }
}
