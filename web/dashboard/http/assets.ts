import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Context } from 'koa'
import { sentOften } from '../../../api/http/compress.ts'
import { assetFile } from '../../../lib/installation.ts'

/** Styles, scripts and fonts under names that change with what they hold, so that browsers keep them for ever. */
export interface Assets {
  /** Where a browser finds it: `/dashboard/assets/style.1a2b3c4d5e.css`. */
  url(name: string): string
  readonly names: readonly string[]
  /** @returns false for an unknown file. */
  serve(ctx: Context, fileName: string): boolean
}

interface Asset {
  readonly type: string
  readonly bytes: Buffer
}

export const ASSETS_PATH = '/dashboard/assets/'

const { resolve } = createRequire(import.meta.url)
const own = (name: string) => assetFile('web/dashboard/assets', name)
const plot = (name: string) => join(dirname(resolve('uplot')), name)
const fontFile = (family: string) =>
  join(dirname(resolve(`@fontsource-variable/${family}/package.json`)), 'files', `${family}-latin-wght-normal.woff2`)

export type AssetFile = readonly [name: string, read: () => Buffer]

/** Of the pages of players. */
const player = (name: string): AssetFile => [name, () => readFileSync(own(join('player', name)))]

const shared = (name: string): AssetFile => [name, () => readFileSync(assetFile('web/ui/assets', name))]

/** What pages outside of the dashboard share with it. */
export const SHARED_FILES: readonly AssetFile[] = [
  ['geist.woff2', () => readFileSync(fontFile('geist'))],
  ['geist-mono.woff2', () => readFileSync(fontFile('geist-mono'))],
  ...['icon.svg', 'style.css', 'clock.js', 'sortable.js'].map(shared),
]

/** Each comes after those that it names itself: a name in quotes or brackets becomes the hashed one. */
const FILES: readonly AssetFile[] = [
  ...SHARED_FILES,
  ['uplot.css', () => readFileSync(plot('uPlot.min.css'))],
  // The small build has no exports of its own; a module that has them is what pages import.
  ['uplot.js', () => Buffer.concat([readFileSync(plot('uPlot.iife.min.js')), Buffer.from('export default uPlot\n')])],
  ['plots.js', () => readFileSync(own('plots.js'))],
  ['events.js', () => readFileSync(own('events.js'))],
  ['jobs.js', () => readFileSync(own('jobs.js'))],
  ['requests.js', () => readFileSync(own('requests.js'))],
  ['lavalink.js', () => readFileSync(own('lavalink.js'))],
  ...[
    'players.css',
    'players.js',
    'player-page.js',
    'player-send.js',
    'player-filters.js',
    'player-lyrics.js',
    'player-now.js',
  ].map(player),
  ...['player-rows.js', 'player-selection.js', 'player-queue.js', 'player-find.js', 'player.js'].map(player),
  ['common.js', () => readFileSync(own('common.js'))],
]

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

/** @param path the URL path of the assets, with slashes at both ends. */
export function loadAssets(path: string = ASSETS_PATH, files: readonly AssetFile[] = FILES): Assets {
  const urls = new Map<string, string>()
  const assets = new Map<string, Asset>()
  for (const [name, read] of files) {
    const [base = '', kind = ''] = name.split('.')
    const bytes = kind === 'woff2' ? read() : Buffer.from(withUrls(read().toString('utf8'), urls))
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 10)
    const fileName = `${base}.${hash}.${kind}`
    urls.set(name, path + fileName)
    assets.set(fileName, { type: TYPES[kind] ?? 'application/octet-stream', bytes: sentOften(bytes) })
  }
  return {
    names: [...urls.keys()],
    url(name) {
      const url = urls.get(name)
      if (!url) throw new Error(`There is no asset ${name}.`)
      return url
    },
    serve(ctx, fileName) {
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
