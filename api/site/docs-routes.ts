import type Router from '@koa/router'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Context } from 'koa'
import { Fault } from '../../lib/errors.ts'
import { ERRORS_PATH } from '../http/problem.ts'
import { once } from '../docs/lazy.ts'
import type { Docs } from '../docs/pages.ts'
import { DOCS_FILES_PATH, DOCS_PATH } from '../docs/reference/layout.ts'
import { operationPage, type OperationData } from '../docs/reference/operation-page.ts'
import { eachPageLanguage, isPageLanguage, PAGE_LANGUAGES, type PageLanguage } from '../../lib/texts/languages.ts'
import { answerAsset, prepare } from './asset.ts'
import { assetFile } from '../../lib/installation.ts'
import { styleOf, TEXT_FONT } from '../../web/ui/files.ts'

const { resolve } = createRequire(import.meta.url)
const ASSETS = 'api/docs/assets'

const SCRIPTS = [
  'theme.js',
  'page.js',
  'search.js',
  'call.js',
  'try.js',
  'try-page.js',
  'try-key.js',
  'try-form.js',
  'try-answer.js',
]

/** The pages about the API: what they show is made once, but for the page of a route, which holds what was filled in. */
export function addDocsRoutes(router: Router, docs: Docs): void {
  const addFile = (name: string, type: string, read: () => string | Buffer | Promise<string>) => {
    const asset = once(async () => prepare(type, await read()))
    router.get(DOCS_FILES_PATH + name, async (ctx) => answerAsset(ctx as unknown as Context, await asset()))
  }
  for (const name of SCRIPTS) addFile(name, 'text/javascript', () => readFileSync(assetFile(ASSETS, name)))
  addFile('minisearch.js', 'text/javascript', () =>
    readFileSync(resolve('minisearch').replace(/cjs.index\.cjs$/, 'es/index.js')),
  )
  addFile('style.css', 'text/css', () => styleOf(`${ASSETS}/style.css`))
  addFile(TEXT_FONT[0], 'font/woff2', TEXT_FONT[1])
  addFile('search.json', 'application/json', async () => (await docs()).search)

  addPage(router, DOCS_PATH, async (language) => (await docs()).index[language])
  addPage(router, ERRORS_PATH, async (language) => (await docs()).errors[language])
  addPage(router, `${DOCS_PATH}/schemas`, async (language) => (await docs()).schemas[language])
  router.get(`${DOCS_PATH}/:operationId`, async (ctx) => {
    const { outline, operations } = await docs()
    const found = operations.get(ctx.params['operationId'] ?? '')
    if (found === undefined)
      throw new Fault('not_found', 'The reference has no page with this name. /docs lists all routes.')
    const filled = new URLSearchParams(ctx.querystring)
    const language = languageOf(ctx)
    const page = operationPage(outline, JSON.parse(found) as OperationData, { language, filled })
    answerAsset(ctx, prepare('text/html', page, { language, isOnce: true }))
  })
}

/** Adds a page, made once in each language. */
export function addPage(router: Router, path: string, make: (language: PageLanguage) => Promise<string>): void {
  const load = (language: PageLanguage) => once(async () => prepare('text/html', await make(language), { language }))
  const pages = eachPageLanguage(load)
  router.get(path, async (ctx) => {
    const context = ctx as unknown as Context
    answerAsset(context, await pages[languageOf(context)]())
  })
}

/** The language chosen in the dashboard, or else the browser's. */
export function languageOf(ctx: Context): PageLanguage {
  const cookie = ctx.cookies.get('bandstand_language') ?? ctx.cookies.get('__Host-bandstand_language')
  if (isPageLanguage(cookie)) return cookie
  const accepted = ctx.acceptsLanguages(...PAGE_LANGUAGES) || null
  return isPageLanguage(accepted) ? accepted : 'en'
}
