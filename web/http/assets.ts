import { createHash } from 'node:crypto'
import type { Context } from 'koa'
import { sentOften } from '../../api/http/compress.ts'
import type { AssetFile } from '../ui/files.ts'

/** Styles, scripts and fonts under names that contain a hash, so browsers keep them for ever. */
export type Assets = ReturnType<typeof loadAssets>

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

/**
 * @param path the URL path of the assets, with slashes at both ends.
 * @param files each after those that it names itself: a name in quotes or brackets becomes the hashed one.
 */
export function loadAssets(path: string, files: readonly AssetFile[]) {
  const urls = new Map<string, string>()
  const assets = new Map<string, { readonly type: string; readonly bytes: Buffer }>()
  for (const [name, read] of files) {
    const [base = '', kind = ''] = name.split('.')
    const bytes = kind === 'woff2' || kind === 'png' ? read() : Buffer.from(withUrls(read().toString('utf8'), urls))
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 10)
    const fileName = `${base}.${hash}.${kind}`
    urls.set(name, path + fileName)
    assets.set(fileName, { type: TYPES[kind] ?? 'application/octet-stream', bytes: sentOften(bytes) })
  }
  return {
    names: [...urls.keys()],
    /** The path for browsers: `/dashboard/assets/style.1a2b3c4d5e.css`. */
    url(name: string) {
      const url = urls.get(name)
      if (!url) throw new Error(`There is no asset ${name}.`)
      return url
    },
    /** @returns false for an unknown file. */
    serve(ctx: Context, fileName: string) {
      const asset = assets.get(fileName)
      if (!asset) return false
      ctx.set('Cache-Control', 'public, max-age=31536000, immutable')
      ctx.type = asset.type
      ctx.body = asset.bytes
      return true
    },
  }
}

function withUrls(text: string, urls: ReadonlyMap<string, string>): string {
  let changed = text
  for (const [name, url] of urls) changed = changed.replaceAll(`./${name}`, url)
  return changed
}
