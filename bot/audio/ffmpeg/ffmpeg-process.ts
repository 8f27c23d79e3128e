import { spawn, type ChildProcessByStdio } from 'node:child_process'
import type { Socket } from 'node:net'
import { setPriority } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Fault } from '../../../lib/errors.ts'
import { childEnv, NOT_INSTALLED, withMemoryLimit } from '../../../lib/workers/child-process.ts'
import type { DecoderSandbox } from './decoder-sandbox.ts'
import { createStallWatch, STALL_LIMITS, type DecoderProgress } from '../node/stall-watch.ts'

/** What is kept of ffmpeg's complaints. */
const MAX_COMPLAINT_CHARS = 4000
/** A long film with filters takes 50; a file that makes ffmpeg ask for more is refused. */
const MEMORY_MIB = 512

export type FfmpegInput =
  | { readonly from: 'file'; readonly path: string }
  | { readonly from: 'http'; readonly url: string; readonly progress: () => RelayProgress }
  | {
      readonly from: 'pipe'
      readonly bytes: AsyncIterable<Buffer>
      /** It begins where it is, whatever the start. */
      readonly isLive: boolean
      /** Which moment of the track its first byte is. */
      readonly fromSeconds: number
    }

/** How far a range server is with what ffmpeg asked of it. */
export interface RelayProgress {
  readonly bytes: number
  /** ffmpeg waits for bytes that the source has not sent yet. */
  readonly isStarved: boolean
}

export interface FfmpegProcess {
  readonly process: ChildProcessByStdio<Writable, Readable, Readable>
  /** The last of what it wrote to standard error. */
  said(): string
  /** Resolves when the process is gone: null when all went well or it was killed, else what it could not do. */
  readonly ended: Promise<Fault | null>
  /** Safe to repeat. */
  readonly kill: () => void
}

export interface FfmpegStart {
  readonly args: readonly string[]
  readonly input: FfmpegInput
  readonly nice: number
  readonly sandbox: DecoderSandbox | null
  readonly stallTickMs: number
}

/** Starts ffmpeg with no environment but PATH, a memory bound, and a watch that ends it when it stalls. */
export function startFfmpeg({ args, input, nice, sandbox, stallTickMs }: FfmpegStart): FfmpegProcess {
  const [command = '', ...commandArgs] = [
    ...(sandbox?.enter ?? []),
    ...withMemoryLimit(MEMORY_MIB, 'ffmpeg', args).flat(),
  ]
  // A group of its own: Ctrl-C in the terminal reaches us alone, and we end the whole group. Nobody is orphaned when
  // we die without a word: its pipes close with us, and a write to (or a read from) a closed pipe ends ffmpeg.
  const child = spawn(command, commandArgs, {
    stdio: ['pipe', 'pipe', 'pipe', ...(sandbox?.namespaces ?? [])],
    detached: true,
    env: childEnv(),
  }) as FfmpegProcess['process']
  // Children inherit the priority of the thread, which is for frames alone.
  setNice(child.pid, nice)
  let isKilled = false
  let said = ''
  let broken: Fault | null = null
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-MAX_COMPLAINT_CHARS)
  })
  const hasStalled = createStallWatch(STALL_LIMITS)
  const watch = setInterval(() => {
    if (!hasStalled(progressOf(child, input))) return
    broken ??= new Fault('upstream_failed', 'The track cannot be decoded: ffmpeg stalled and was ended.')
    killGroup(child)
  }, stallTickMs).unref()
  const ended = new Promise<Fault | null>((resolve) => {
    child.once('error', (cause) => resolve(isKilled ? null : cannotStart(cause)))
    child.once('close', (code) => resolve(isKilled ? null : (broken ?? failureOf(code, said))))
  }).finally(() => clearInterval(watch))
  feed(child, input, (fault) => {
    broken = fault
  })
  return {
    process: child,
    said: () => said,
    ended,
    kill: () => {
      if (isKilled) return
      isKilled = true
      end(child)
    },
  }
}

function progressOf(child: FfmpegProcess['process'], input: FfmpegInput): DecoderProgress {
  const { stdin, stdout } = child as unknown as { readonly stdin: Socket; readonly stdout: Socket }
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

export function setNice(pid: number | undefined, nice: number): void {
  try {
    if (pid !== undefined) setPriority(pid, nice)
  } catch {
    // It has ended already, or the system does not let us: neither matters.
  }
}

function feed(child: FfmpegProcess['process'], input: FfmpegInput, onBroken: (fault: Fault) => void): void {
  if (input.from !== 'pipe') {
    child.stdin.on('error', () => undefined)
    child.stdin.end()
    return
  }
  // A source that fails ends the input, and what came until then is decoded. It must not look like the end of the track.
  pipeline(input.bytes, child.stdin).catch((error: unknown) => {
    if (error instanceof Fault) onBroken(error)
    child.stdin.destroy()
  })
}

function end(child: FfmpegProcess['process']): void {
  child.stdin.destroy()
  child.stdout.destroy()
  killGroup(child)
}

/** It writes no files, so that nothing is lost by not asking first. */
function killGroup({ pid, exitCode }: FfmpegProcess['process']): void {
  try {
    if (pid !== undefined && exitCode === null) process.kill(-pid, 'SIGKILL')
  } catch {
    // Already gone.
  }
}

function failureOf(code: number | null, complaint: string): Fault | null {
  if (code === 0) return null
  return code === NOT_INSTALLED ? cannotStart(new Error(complaint)) : cannotDecode(complaint)
}

function cannotStart(cause: Error): Fault {
  const why = /not found/.test(cause.message) ? 'ffmpeg is not installed here' : 'ffmpeg could not be started'
  return new Fault('service_unavailable', `${why}, so only Opus tracks at volume 100 can be played.`, { cause })
}

function cannotDecode(complaint: string): Fault {
  // The last line names the reason; what stands before its last colon may be a path, which is nobody's business.
  const last = complaint.trim().split('\n').at(-1) ?? ''
  const reason = last.slice(last.lastIndexOf(': ') + 1).trim()
  const why = /matches no streams/.test(complaint) ? 'it holds no audio' : reason || 'ffmpeg gave no reason'
  return new Fault('upstream_failed', `The track cannot be decoded: ${why}.`, { cause: complaint })
}
