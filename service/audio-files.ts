import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Context, Middleware } from 'koa'
import type { Mount } from '../api/http/connections/mount.ts'
import type { Audible } from '../bot/audio/node/protocol.ts'

const PREFIX = '/internal/tracks/'
const TOKEN = /^([A-Za-z0-9_-]{1,8000})\.([A-Za-z0-9_-]{43})$/

/** Hands files of this machine to audio nodes on others: by addresses that only this service can make, while it runs. */
export interface AudioFiles {
  readonly mount: Mount
  /** The track as a node opens it that reaches this service at `origin`. */
  toRemote(track: Audible, origin: string): Audible
}

export function createAudioFiles(): AudioFiles {
  const secret = randomBytes(32)
  const sign = (path: string) => createHmac('sha256', secret).update(path).digest()
  const middleware: Middleware = (ctx, next) => (ctx.path.startsWith(PREFIX) ? serve(ctx, sign) : next())
  return {
    mount: { middleware, wants: () => false, close: async () => undefined },
    toRemote(track, origin) {
      if (track.kind !== 'file') return track
      const { path, kind: _, ...rest } = track
      const token = `${Buffer.from(path).toString('base64url')}.${sign(path).toString('base64url')}`
      const url = `${origin}${PREFIX}${token}`
      return { ...rest, kind: 'http', url, isStream: false, operatorHost: new URL(url).host }
    },
  }
}

async function serve(ctx: Context, sign: (path: string) => Buffer): Promise<void> {
  const path = pathOf(ctx.path.slice(PREFIX.length), sign)
  const facts = path === null ? null : await stat(path).catch(() => null)
  ctx.status = 404
  if (path === null || !facts?.isFile() || !['GET', 'HEAD'].includes(ctx.method)) return
  const { size, mtimeMs } = facts
  const [, from = '', to = ''] = /^bytes=(\d+)-(\d*)$/.exec(ctx.get('range')) ?? []
  const start = Number(from)
  const end = Math.min(to === '' ? size - 1 : Number(to), size - 1)
  ctx.set({ 'accept-ranges': 'bytes', etag: `"${size}-${mtimeMs}"`, 'cache-control': 'no-store' })
  ctx.type = 'application/octet-stream'
  if (start > end) {
    ctx.status = 416
    ctx.set('content-range', `bytes */${size}`)
    return
  }
  ctx.status = from === '' ? 200 : 206
  if (from !== '') ctx.set('content-range', `bytes ${start}-${end}/${size}`)
  ctx.length = end - start + 1
  if (ctx.method === 'GET') ctx.body = createReadStream(path, { start, end })
}

/** Null if this service did not sign it. */
function pathOf(token: string, sign: (path: string) => Buffer): string | null {
  const [, encoded = '', signature = ''] = TOKEN.exec(token) ?? []
  const path = Buffer.from(encoded, 'base64url').toString()
  const given = Buffer.from(signature, 'base64url')
  const expected = sign(path)
  return given.length === expected.length && timingSafeEqual(given, expected) ? path : null
}
