import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve as resolvePath } from 'node:path'
import { FONTS, homeScreenIcon, icon, PLAYER_SCRIPTS, styleOf, type AssetFile } from '../../ui/files.ts'
import { assetFile } from '../../../lib/installation.ts'

export const ASSETS_PATH = '/listen/assets/'
/** Inside an Activity, Discord forwards this path to us without its first part. */
export const PROXIED_ASSETS_PATH = `/.proxy${ASSETS_PATH}`

const STYLES = ['web/ui/assets/components.css', 'web/ui/assets/tracks.css', 'web/player/assets/player.css']
const own = (name: string): AssetFile => [name, () => readFileSync(assetFile('web/player/assets', name))]

/** Each comes after those that it names itself. */
export const ASSET_FILES: readonly AssetFile[] = [
  ...FONTS,
  ['style.css', () => styleOf(...STYLES)],
  icon,
  homeScreenIcon,
  ...PLAYER_SCRIPTS,
  ...['page.js', 'connection.js', 'rights.js', 'lists.js', 'queue.js', 'lyrics.js', 'search.js', 'votes.js'].map(own),
  ...['tint.js', 'now-playing.js', 'player.js', 'browser.js', 'enter.js'].map(own),
]

const { resolve } = createRequire(import.meta.url)
const IMPORT = /^(?:import|export)[^']{0,10000}'(\.[^']{1,300})'/gm

/**
 * Discord's Embedded App SDK as it comes from npm: modules that import each other by relative paths, which become names of
 * ours. What imports comes after what is imported.
 */
export function sdkFiles(): readonly AssetFile[] {
  const root = dirname(resolve('@discord/embedded-app-sdk'))
  const found = new Map<string, AssetFile>()
  const underway = new Set<string>()
  const nameOf = (path: string) =>
    `sdk-${relative(root, path)
      .replaceAll(/[^\w-]+/g, '-')
      .replace(/-mjs$/, '')}.js`
  const add = (path: string): void => {
    if (found.has(path) || underway.has(path)) return
    underway.add(path)
    const text = readFileSync(path, 'utf8')
    const specifiers = [...new Set([...text.matchAll(IMPORT)].map(([, specifier = '']) => specifier))]
    for (const specifier of specifiers) add(resolvePath(dirname(path), specifier))
    const renamed = specifiers.reduce(
      (left, specifier) => left.replaceAll(`'${specifier}'`, `'./${nameOf(resolvePath(dirname(path), specifier))}'`),
      text,
    )
    found.set(path, [nameOf(path), () => Buffer.from(renamed)])
  }
  add(join(root, 'index.mjs'))
  return [...found.values(), own('activity.js')]
}
