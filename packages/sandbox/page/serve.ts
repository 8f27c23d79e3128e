import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { basename, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}
/** Messages show pictures from anywhere, as Discord does; everything else is the sandbox's own. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "media-src 'self'",
  "img-src 'self' data: http: https:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
const HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}
/** Path below `/sandbox`. */
const ASSETS = '/page/'

type Asset = ReturnType<typeof describe>

/** Beside the page in the repository and in the package. */
const LOCALES = join(import.meta.dirname, '..', 'locales')

/** The page for people, and its styles, scripts and texts. */
export function createPage(folder = import.meta.dirname) {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  // The package has this module as JavaScript, too.
  const names = found.filter((name) => extname(name) in TYPES && name !== basename(import.meta.filename))
  const assets = new Map(names.map((name) => [name.replaceAll('\\', '/'), read(join(folder, name))]))
  assets.set('i18next.js', read(fileURLToPath(import.meta.resolve('i18next'))))
  assets.set('texts.js', describe(textsModule(), '.js'))
  // All at once, and not one after the other as they import each other.
  const links = [...assets.keys()].filter((name) => name.endsWith('.js')).map(preload)
  const html = readFileSync(join(folder, 'page.html'), 'utf8').replace('<!-- modules -->', links.join('\n    '))
  const home = describe(Buffer.from(html), '.html')

  /** @param path below `/sandbox`. @returns false if the request is for something else. */
  function serve(request: IncomingMessage, response: ServerResponse, path: string): boolean {
    if (request.method !== 'GET') return false
    const wantsPage = path === '' && (request.headers.accept?.includes('text/html') ?? false)
    const asset = wantsPage ? home : path.startsWith(ASSETS) ? assets.get(path.slice(ASSETS.length)) : undefined
    if (!asset) return false
    const headers = { ...HEADERS, etag: asset.tag, vary: 'accept' }
    if (request.headers['if-none-match'] === asset.tag) response.writeHead(304, headers).end()
    else response.writeHead(200, { ...headers, 'content-type': asset.type }).end(asset.bytes)
    return true
  }
  return { serve }
}

/** All languages at once, so that the first paint waits for no further request. */
function textsModule(): Buffer {
  const texts = readdirSync(LOCALES).map((language) => {
    const sandbox: unknown = JSON.parse(readFileSync(join(LOCALES, language, 'sandbox.json'), 'utf8'))
    return [language, { sandbox }] as const
  })
  return Buffer.from(`export default ${JSON.stringify(Object.fromEntries(texts))}\n`)
}

const preload = (name: string) => `<link rel="modulepreload" href="/sandbox${ASSETS}${name}" />`

const read = (path: string): Asset => describe(readFileSync(path), extname(path))

function describe(bytes: Buffer, extension: string) {
  const tag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 16)}"`
  return { type: TYPES[extension] ?? 'application/octet-stream', bytes, tag }
}
