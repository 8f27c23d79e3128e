import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Logger } from '../../../lib/log.ts'
import { createFairShare } from '../../../lib/sharing/fair-share.ts'
import type { Egress } from '../../../upstream/egress/egress-guard.ts'

/**
 * Files that members sent along, whose addresses at Discord expire after about a day: what waits in a queue, is played again
 * or comes back after a restart plays from here. The folder is the index: `<digest of the address>.<project>`.
 */
export type Uploads = Awaited<ReturnType<typeof openUploads>>

interface UploadsOptions {
  readonly folder: string
  /** Limit for all files together; 0 keeps none. */
  readonly maxBytes: number
  readonly egress: Pick<Egress, 'open'>
  readonly log: Logger
}

/** Ten times what Discord accepts from most members. */
export const LARGEST_UPLOAD_BYTES = 100_000_000
const FETCH_MS = 120_000
const DOWNLOADS = { what: 'uploads', total: 4, share: 2, maxWaiting: 64, maxWaitMs: 60_000 }
const NAME = /^([0-9a-f]{40})\.([\w-]+)$/u

interface Upload {
  readonly projectId: string
  readonly path: string
  readonly bytes: number
  /** The higher, the later it was used. */
  readonly use: number
}

export async function openUploads(options: UploadsOptions) {
  const { folder, log } = options
  const all = await readFolder(folder)
  let uses = all.size
  const turns = createFairShare(DOWNLOADS)
  const closing = new AbortController()
  const pending = new Map<string, Promise<void>>()

  async function fetchFile(url: string, projectId: string): Promise<void> {
    const digest = digestOf(url)
    const path = join(folder, `${digest}.${projectId}`)
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(FETCH_MS)])
    const bytes = await download({ ...options, url, path, signal })
    all.set(digest, { projectId, path, bytes, use: uses++ })
    await evict(all, options.maxBytes)
  }

  return {
    /** Fetches what is at an address, behind the back of what plays from there already. Never throws. */
    keep(url: string, projectId: string) {
      const digest = digestOf(url)
      if (options.maxBytes === 0 || all.has(digest) || pending.has(digest) || closing.signal.aborted) return
      const fetching = turns
        .run(projectId, () => fetchFile(url, projectId))
        .catch((err: unknown) => log.warn({ err, projectId }, 'saving upload failed'))
        .finally(() => pending.delete(digest))
      pending.set(digest, fetching)
    },
    /** Null if it is not kept, or no longer. */
    async find(url: string): Promise<{ readonly path: string; readonly modifiedAtMs: number } | null> {
      const digest = digestOf(url)
      const upload = all.get(digest)
      if (!upload) return null
      try {
        const { mtimeMs } = await stat(upload.path)
        await utimes(upload.path, new Date(), mtimeMs / 1000)
        all.set(digest, { ...upload, use: uses++ })
        return { path: upload.path, modifiedAtMs: mtimeMs }
      } catch {
        // Taken away by hand.
        all.delete(digest)
        return null
      }
    },
    async close() {
      closing.abort()
      await Promise.all(pending.values())
    },
  }
}

function digestOf(url: string): string {
  return createHash('sha256').update(url).digest('hex').slice(0, 40)
}

/** Reads the folder, and removes downloads that a killed process left incomplete. */
async function readFolder(folder: string): Promise<Map<string, Upload>> {
  await mkdir(folder, { recursive: true })
  const found: (Omit<Upload, 'use'> & { readonly digest: string; readonly atimeMs: number })[] = []
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const [, digest, projectId] = NAME.exec(name) ?? []
    if (digest === undefined || projectId === undefined) {
      if (name.endsWith('.part')) await rm(path, { force: true })
      continue
    }
    const { size, atimeMs } = await stat(path)
    found.push({ digest, projectId, path, bytes: size, atimeMs })
  }
  const inOrder = found.toSorted((a, b) => a.atimeMs - b.atimeMs)
  return new Map(inOrder.map(({ digest, projectId, path, bytes }, use) => [digest, { projectId, path, bytes, use }]))
}

interface Download extends Pick<UploadsOptions, 'folder' | 'egress'> {
  readonly url: string
  readonly path: string
  readonly signal: AbortSignal
}

/** @returns how many bytes it has. @throws when it is too large, breaks off or cannot be written; nothing is left then. */
async function download({ folder, egress, url, path, signal }: Download): Promise<number> {
  const { status, headers, body } = await egress.open(url, { signal })
  const part = join(folder, `${randomUUID()}.part`)
  let bytes = 0
  try {
    if (status !== 200) throw new Error(`The download returned the status ${status}.`)
    const announced = headers['content-length']
    if (Number(announced ?? 0) > LARGEST_UPLOAD_BYTES) throw new Error('The file is too large to store.')
    const counted = new Transform({
      transform(chunk: Buffer, _, done) {
        bytes += chunk.length
        done(bytes > LARGEST_UPLOAD_BYTES ? new Error('The file is too large to store.') : null, chunk)
      },
    })
    await pipeline(body, counted, createWriteStream(part, { flags: 'wx', mode: 0o600 }), { signal })
    if (announced !== undefined && Number(announced) !== bytes) throw new Error('The download was cut off.')
    await rename(part, path)
    return bytes
  } catch (err) {
    body.destroy()
    await rm(part, { force: true })
    throw err
  }
}

/** While all together are too large, the project that has most of it gives up what it has not used for longest. */
async function evict(all: Map<string, Upload>, maxBytes: number): Promise<void> {
  for (;;) {
    const shares = new Map<string, number>()
    for (const { projectId, bytes } of all.values()) shares.set(projectId, (shares.get(projectId) ?? 0) + bytes)
    const total = [...shares.values()].reduce((sum, bytes) => sum + bytes, 0)
    if (total <= maxBytes) return
    const [largest] = [...shares].toSorted(([, a], [, b]) => b - a)
    const own = [...all].filter(([, { projectId }]) => projectId === largest?.[0])
    const [oldest] = own.toSorted(([, a], [, b]) => a.use - b.use)
    if (!oldest) return
    all.delete(oldest[0])
    await rm(oldest[1].path, { force: true })
  }
}
