import { addAbortSignal } from 'node:stream'
import { type EffectParams, LIMITS, Refusal, type WantedFormat, type ImageResult } from 'bandstand-images'
import { Fault, unprocessable } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import { readBounded, TooManyPieces } from '../../lib/buffers.ts'
import { readMachine, sizesFor } from '../../lib/process/machine.ts'
import type { Egress, EgressResponse } from '../../upstream/egress/egress-guard.ts'
import { broken, createPool, TOO_MANY, type Pool } from './pool/pool.ts'

/** Source of a picture, and its name in error messages. Its `bytes` are handed over. */
export type ImageInput = { readonly name?: string } & ({ readonly url: string } | { readonly bytes: Buffer })

export interface ImageRequest {
  readonly kind: 'filter' | 'overlay'
  readonly effect: string
  /** Parameters, parsed by the effect's own `params`. */
  readonly params: EffectParams
  readonly format: WantedFormat | null
  /** The longest edge to work at. */
  readonly size: number
  /** Owner of a fair share: a project, a bot. */
  readonly owner: string
  /** Asked for when there is room, so that nothing is read that could not be kept. */
  readonly inputs: () => Promise<readonly ImageInput[]>
  readonly signal: AbortSignal
}

/** Filters and overlays over pictures. */
export interface Images {
  /**
   * @throws {Fault} `validation_error` that names the picture at fault; `service_unavailable` while there
   * is too much to do.
   */
  apply(request: ImageRequest): Promise<ImageResult>
}

interface ImagesOptions {
  readonly log: Logger
  readonly egress: Pick<Egress, 'open'>
  /** Number of pictures processed in parallel. Defaults to the number of cores but one, which plays. */
  readonly workers?: number
  /** Requests under way, waiting ones included. */
  readonly maxOpen?: number
  /** The same for one owner. */
  readonly maxOpenEach?: number
  readonly jobMs?: number
  /** How long work may wait for a process. */
  readonly waitMs?: number
}

type InputName = string | undefined

const FETCH_MS = 10_000

/** A picture for a page or a chat. */
export interface Shrinker {
  /**
   * The first frame of a picture as a WebP, its longest edge at most `size`. `bytes` are handed over.
   * @throws {Fault} as `Images.apply` does.
   */
  shrink(request: Pick<ImageRequest, 'size' | 'owner' | 'signal'> & { readonly bytes: Buffer }): Promise<ImageResult>
}

interface OpenImages extends Images, Shrinker, Pick<Pool, 'health' | 'close'> {}

/** No process runs before the first picture comes. */
export function createImages(options: ImagesOptions): OpenImages {
  const { imageProcesses } = sizesFor(readMachine())
  const { log, egress, workers = imageProcesses, maxOpen = 64, maxOpenEach = 32, ...times } = options
  const pool = createPool({ log, size: workers, ...times })
  const open = new Map<string, number>()
  let openCount = 0

  const enter = (owner: string): void => {
    const own = open.get(owner) ?? 0
    if (openCount >= maxOpen || own >= maxOpenEach) throw broken(TOO_MANY)
    open.set(owner, own + 1)
    openCount++
  }
  const leave = (owner: string): void => {
    const left = (open.get(owner) ?? 1) - 1
    if (left === 0) open.delete(owner)
    else open.set(owner, left)
    openCount--
  }

  return {
    async apply(request) {
      const { owner, signal, kind, effect, params, format, size } = request
      enter(owner)
      try {
        const inputs = await request.inputs()
        const pictures = await Promise.all(inputs.map((input) => bytesOf(input, egress, signal)))
        const work = { kind, effect, params, pictures, format, size: Math.min(size, LIMITS.edge) }
        return await pool.run(owner, work, signal).catch((error: unknown) => {
          throw error instanceof Refusal ? refused(error, inputs) : error
        })
      } finally {
        leave(owner)
      }
    },
    async shrink({ bytes, size, owner, signal }) {
      enter(owner)
      try {
        const work = { kind: 'shrink', effect: '', params: {}, pictures: [bytes], format: 'webp', size } as const
        return await pool.run(owner, work, signal).catch((error: unknown) => {
          throw error instanceof Refusal ? refused(error, []) : error
        })
      } finally {
        leave(owner)
      }
    },
    health: () => pool.health(),
    close: () => pool.close(),
  }
}

function refused({ input, message, reason }: Refusal, inputs: readonly ImageInput[]): Fault {
  return unprocessable(reason, message, input === null ? undefined : inputs[input]?.name)
}

async function bytesOf(input: ImageInput, egress: Pick<Egress, 'open'>, signal: AbortSignal): Promise<Buffer> {
  if ('bytes' in input) return input.bytes
  const { url, name } = input
  const either = AbortSignal.any([signal, AbortSignal.timeout(FETCH_MS)])
  const answer = await egress.open(url, { signal, timeoutMs: FETCH_MS }).catch((error: unknown) => {
    // The caller chose the host, so that its failure to answer is theirs to fix.
    const isElsewhere = error instanceof Fault && ['service_unavailable', 'validation_error'].includes(error.code)
    throw isElsewhere ? unreachable(name, error.message) : error
  })
  try {
    return await readAnswer(answer, name, either)
  } catch (error) {
    answer.body.destroy()
    if (signal.aborted || error instanceof Fault) throw error
    const how =
      error instanceof TooManyPieces ? 'sent the image in too many small chunks' : "didn't send the image in time"
    throw unreachable(name, `${answer.url.host} ${how}.`)
  }
}

async function readAnswer({ status, url, headers, body }: EgressResponse, name: InputName, signal: AbortSignal) {
  if (status !== 200) throw unreachable(name, `${url.host} returned the status ${status} instead of an image.`)
  if (Number(headers['content-length'] ?? 0) > LIMITS.inputBytes) throw tooLarge(name)
  return readBounded(addAbortSignal(signal, body), LIMITS.inputBytes, () => tooLarge(name))
}

function tooLarge(name?: string): Fault {
  return unprocessable('picture_too_large', `The image is larger than ${LIMITS.inputBytes / 1024 / 1024} MiB.`, name)
}

function unreachable(name: InputName, message: string): Fault {
  return unprocessable('picture_unreachable', message, name)
}
