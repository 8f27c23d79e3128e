import { readFile } from 'node:fs/promises'
import type { ArmWidth } from '../model/model.ts'
import { readTexture } from './texture-file.ts'
import type { Texture } from './texture.ts'
import { assetFile } from '../../../lib/installation.ts'

/** What a figure without a skin of its own wears here; drawn for this project, not the game's. */
export async function defaultSkin(arms: ArmWidth): Promise<Texture> {
  return readTexture(await readFile(assetFile('jobs/figures/skin', `${arms}.png`)), 'skin')
}
