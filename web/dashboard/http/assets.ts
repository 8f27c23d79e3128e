import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { assetFile } from '../../../lib/installation.ts'
import { FONTS, icon, joined, PAGE_SCRIPTS, PLAYER_SCRIPTS, styleOf, type AssetFile } from '../../ui/files.ts'

export const ASSETS_PATH = '/dashboard/assets/'

const { resolve } = createRequire(import.meta.url)
const own = (name: string): AssetFile => [name, () => readFileSync(assetFile('web/dashboard/assets', name))]
const plot = (name: string) => join(dirname(resolve('uplot')), name)
/** A script of the player pages. */
const player = (name: string): AssetFile => [name, () => readFileSync(assetFile('web/dashboard/assets/player', name))]

export const ASSET_FILES: readonly AssetFile[] = [
  ...FONTS,
  [
    'style.css',
    () => styleOf('web/ui/assets/components.css', 'web/dashboard/assets/dashboard.css', 'web/ui/assets/table.css'),
  ],
  icon,
  ...PLAYER_SCRIPTS,
  ...PAGE_SCRIPTS,
  own('common.js'),
  ['uplot.css', () => readFileSync(plot('uPlot.min.css'))],
  // The small build has no exports of its own; a module that has them is what pages import.
  ['uplot.js', () => Buffer.concat([readFileSync(plot('uPlot.iife.min.js')), Buffer.from('export default uPlot\n')])],
  ...['plots.js', 'events.js', 'jobs.js', 'requests.js', 'replay.js', 'lavalink.js'].map(own),
  ['players.css', () => joined('web/ui/assets/tracks.css', 'web/dashboard/assets/player/players.css')],
  ...['players.js', 'player-page.js', 'player-send.js', 'player-filters.js', 'player-lyrics.js', 'player-now.js'].map(
    player,
  ),
  ...['player-queue.js', 'player-find.js', 'player.js'].map(player),
  own('palette.js'),
]
