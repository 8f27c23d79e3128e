import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { assetFile } from '../../lib/installation.ts'

export type AssetFile = readonly [name: string, read: () => Buffer]

const { resolve } = createRequire(import.meta.url)
const ASSETS = 'web/ui/assets'

const own = (name: string): AssetFile => [name, () => readFileSync(assetFile(ASSETS, name))]

const font = (family: string): AssetFile => {
  const folder = dirname(resolve(`@fontsource-variable/${family}/package.json`))
  return [`${family}.woff2`, () => readFileSync(join(folder, 'files', `${family}-latin-wght-normal.woff2`))]
}

/** The font that every stylesheet of `styleOf` names. */
export const TEXT_FONT = font('geist')

/** The text and code fonts. The reference, which is full of code, uses the system's for code, so that nothing moves. */
export const FONTS: readonly AssetFile[] = [TEXT_FONT, font('geist-mono')]

export const icon = own('icon.svg')

/** Scripts of all pages of the dashboard. */
export const PAGE_SCRIPTS: readonly AssetFile[] = ['selection.js', 'table.js'].map(own)

/** The same as a picture for home screens, with space around it that they may cut off. */
export const homeScreenIcon = own('icon-512.png')

/** Scripts that player pages share. */
export const PLAYER_SCRIPTS: readonly AssetFile[] = [
  'clock.js',
  'sortable.js',
  'queue-rows.js',
  'queue-search.js',
  'virtual-list.js',
  'page-parts.js',
  'sung-lines.js',
  'position.js',
  'shortcuts.js',
].map(own)

const FOUNDATION = ['fonts.css', 'tokens.css', 'base.css'].map((name) => `${ASSETS}/${name}`)

/** One stylesheet of several files, after the fonts, tokens and elements that all pages have. Paths are those in the sources. */
export function styleOf(...paths: readonly string[]): Buffer {
  return joined(...FOUNDATION, ...paths)
}

export function joined(...paths: readonly string[]): Buffer {
  return Buffer.concat(paths.map((path) => readFileSync(assetFile(path))))
}
