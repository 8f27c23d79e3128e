import { finished, pipeline } from 'node:stream/promises'
import { Fault } from '../../../lib/errors.ts'
import { endNow } from '../../../lib/process/end-now.ts'
import { NOT_INSTALLED, setNice, withMemoryLimit } from '../../../lib/workers/child-process.ts'
import type { ExitStatus, SpawnedChild, Spawner } from '../../../lib/workers/spawner.ts'
import type { DecoderSandbox } from './decoder-sandbox.ts'
import { createStallWatch, STALL_LIMITS, type DecoderProgress } from './stall-watch.ts'

/** Length of ffmpeg's error output to keep. */
const MAX_COMPLAINT_CHARS = 4000
/** A long film with filters takes 50 MiB; files that need more are refused. */
const MEMORY_MIB = 512

export type FfmpegInput =
  | { readonly from: 'file'; readonly path: string }
  | { readonly from: 'http'; readonly url: string; readonly progress: () => RelayProgress }
  | {
      readonly from: 'pipe'
      readonly bytes: AsyncIterable<Buffer>
      /** The input is already at its position; `startSeconds` does not apply. */
      readonly isLive: boolean
      /** Position in the track of the first byte. */
      readonly fromSeconds: number
      /** Opens the bytes for the next process, once these are read; null after the last. */
      readonly following?: () => Promise<AsyncIterable<Buffer> | null>
    }

/** Progress of a range server with ffmpeg's requests. */
export interface RelayProgress {
  readonly bytes: number
  /** ffmpeg waits for bytes that the source has not sent yet. */
  readonly isStarved: boolean
  /** Why its last answer broke off; null while none did. ffmpeg takes that for the end of the track. */
  readonly failure: Fault | null
}

export type FfmpegProcess = Awaited<ReturnType<typeof startFfmpeg>>

interface FfmpegStart {
  readonly args: readonly string[]
  readonly input: FfmpegInput
  readonly nice: number
  readonly sandbox: DecoderSandbox | null
  readonly spawner: Spawner
  readonly stallTickMs: number
}

/**
 * Starts ffmpeg with no environment but PATH, a memory bound, and a watch that ends it when it stalls.
 * @throws {Fault} `service_unavailable` if it cannot be started.
 */
export async function startFfmpeg(options: FfmpegStart) {
  const { args, input, nice, sandbox, spawner, stallTickMs } = options
  const [command = '', ...commandArgs] = [
    ...(sandbox?.enter ?? []),
    ...withMemoryLimit(MEMORY_MIB, 'ffmpeg', args).flat(),
  ]
  // No process outlives a service that was killed: its streams close with it, and a write to (or a read from) a closed
  // stream ends ffmpeg.
  const child = await spawner.start({ command, args: commandArgs, nice }).catch((cause: unknown) => {
    throw cannotStart(cause)
  })
  let isKilled = false
  let hasEnded = false
  let said = ''
  let broken: Fault | null = null
  // Killing ffmpeg outright loses nothing because it writes no files.
  const killProcess = () => {
    if (!hasEnded) endNow(child.pid)
  }
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-MAX_COMPLAINT_CHARS)
  })
  const hasStalled = createStallWatch(STALL_LIMITS)
  const watch = setInterval(() => {
    if (!hasStalled(progressOf(child, input))) return
    broken ??= new Fault('upstream_failed', "The service can't decode this track: ffmpeg stalled.")
    killProcess()
  }, stallTickMs).unref()
  /** Resolves when the process is gone: null when all went well or it was killed, else what it could not do. */
  const ended = endOf(child).then((status) => {
    hasEnded = true
    clearInterval(watch)
    return isKilled ? null : (broken ?? brokenOff(input) ?? failureOf(status, said))
  })
  feed(child, input, (fault) => {
    broken = fault
  })
  return {
    /** What it makes. */
    output: child.stdout,
    /** The last of what it wrote to standard error. */
    said: () => said,
    ended,
    setNice: (to: number) => {
      if (!hasEnded) setNice(child.pid, to)
    },
    /** Safe to repeat. */
    kill: () => {
      if (isKilled) return
      isKilled = true
      child.stdin.destroy()
      child.stdout.destroy()
      killProcess()
    },
  }
}

/** Resolves when the process has exited and its error output is read. */
async function endOf({ exited, stderr }: SpawnedChild): Promise<ExitStatus> {
  const [status] = await Promise.all([exited, finished(stderr, { writable: false }).catch(() => undefined)])
  return status
}

function progressOf({ stdin, stdout }: SpawnedChild, input: FfmpegInput): DecoderProgress {
  const fed =
    input.from === 'http'
      ? input.progress()
      : {
          bytes: stdin.bytesWritten - stdin.writableLength,
          isStarved: stdin.writableLength === 0 && !stdin.writableEnded,
        }
  const isFull = stdout.readableLength >= stdout.readableHighWaterMark
  return { bytesIn: fed.bytes, bytesOut: stdout.bytesRead, isBlocked: isFull || fed.isStarved }
}

function feed({ stdin }: SpawnedChild, input: FfmpegInput, onBroken: (fault: Fault) => void): void {
  if (input.from !== 'pipe') {
    stdin.end()
    return
  }
  // A source that fails ends the input, and what came until then is decoded. It must not look like the end of the track.
  pipeline(input.bytes, stdin).catch((error: unknown) => {
    if (error instanceof Fault) onBroken(error)
    stdin.destroy()
  })
}

function brokenOff(input: FfmpegInput): Fault | null {
  return input.from === 'http' ? input.progress().failure : null
}

function failureOf(status: ExitStatus, stderrText: string): Fault | null {
  if (status === 0 || (status === 'unknown' && stderrText === '')) return null
  return status === NOT_INSTALLED ? cannotStart(new Error(stderrText)) : cannotDecode(stderrText)
}

function cannotStart(cause: unknown): Fault {
  const isMissing = cause instanceof Error && /not found/.test(cause.message)
  const why = isMissing ? "ffmpeg isn't installed" : "ffmpeg doesn't start"
  return new Fault('service_unavailable', `${why}, so only Opus tracks at volume 100 play.`, { cause })
}

function cannotDecode(stderrText: string): Fault {
  // The last line has the reason; before its last colon there can be a path, which callers must not see.
  const last = stderrText.trim().split('\n').at(-1) ?? ''
  const reason = last.slice(last.lastIndexOf(': ') + 1).trim()
  const why = /matches no streams/.test(stderrText) ? 'it has no audio' : reason || 'ffmpeg gave no reason'
  return new Fault('upstream_failed', `The service can't decode this track: ${why}.`, { cause: stderrText })
}
