import { addAbortSignal } from 'node:stream'
import type { Texture } from 'bandstand-figures'
import { readTexture, TEXTURE_MAX_BYTES, TextureError, type TextureKind } from 'bandstand-figures/files'
import { Fault } from '../../lib/errors.ts'
import type { Egress } from '../../upstream/egress/egress-guard.ts'
import { JobFailure } from '../queue/job.ts'
import { readBounded, TooManyPieces } from '../../lib/buffers.ts'

interface FetchOptions {
  readonly egress: Pick<Egress, 'open'>
  readonly signal: AbortSignal
  /** Time limit of one texture, from the first name lookup to its last byte. */
  readonly timeoutMs: number
}

/**
 * Fetches and reads a texture.
 * @throws {JobFailure} when it cannot be had; the signal's reason when that aborts.
 */
export async function fetchTexture(
  url: string,
  kind: TextureKind,
  { egress, signal, timeoutMs }: FetchOptions,
): Promise<Texture> {
  const either = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const bytes = await download(url, kind, { egress, timeoutMs, signal: either }).catch((error: unknown) => {
    signal.throwIfAborted()
    const how =
      error instanceof TooManyPieces
        ? `sent the ${kind} in too many small chunks.`
        : `didn't send the ${kind} within ${timeoutMs / 1000} s.`
    throw failureOf(error, `${URL.parse(url)?.host ?? 'Its host'} ${how}`, kind)
  })
  return readTexture(bytes, kind).catch((error: unknown) => {
    throw error instanceof TextureError ? new JobFailure('bad_request', error.message, { cause: error.cause }) : error
  })
}

async function download(url: string, kind: TextureKind, { egress, signal, timeoutMs }: FetchOptions): Promise<Buffer> {
  const { status, body, headers, url: at } = await egress.open(url, { signal, maxRedirects: 3, timeoutMs })
  addAbortSignal(signal, body)
  try {
    if (status === 404 || status === 410) {
      throw new JobFailure('not_found', `${at.host} has no ${kind} at this URL (status ${status}).`)
    }
    if (status !== 200)
      throw new JobFailure('upstream_failed', `${at.host} returned the status ${status} instead of a ${kind}.`)
    if (Number(headers['content-length'] ?? 0) > TEXTURE_MAX_BYTES) throw tooLarge(kind)
    return await readBounded(body, TEXTURE_MAX_BYTES, () => tooLarge(kind))
  } finally {
    body.destroy()
  }
}

function failureOf(error: unknown, late: string, kind: TextureKind): JobFailure {
  if (error instanceof JobFailure) return error
  if (error instanceof Fault && error.code === 'validation_error') {
    return new JobFailure('bad_request', `Fetching the ${kind} failed: ${error.message}`, { cause: error })
  }
  return new JobFailure('upstream_failed', error instanceof Fault ? error.message : late, { cause: error })
}

function tooLarge(kind: TextureKind): JobFailure {
  return new JobFailure('bad_request', `The ${kind} is larger than ${TEXTURE_MAX_BYTES / 1024} KiB.`)
}
