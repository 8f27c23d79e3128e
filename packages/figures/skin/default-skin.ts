import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { ArmWidth } from '../model/model.ts'
import { readTexture } from './texture-file.ts'
import type { Texture } from './texture.ts'

/** The skin of a figure without one of its own; drawn for this project, not the game's. */
export async function defaultSkin(arms: ArmWidth): Promise<Texture> {
  return readTexture(await readFile(fileURLToPath(import.meta.resolve(`bandstand-figures/skins/${arms}.png`))), 'skin')
}
