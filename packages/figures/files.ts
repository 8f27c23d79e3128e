// Textures and figures as files; sharp loads here.
export { encodeFigure, type FigureFile } from './raster/encode.ts'
export { defaultSkin } from './skin/default-skin.ts'
export { readTexture, TEXTURE_MAX_BYTES, TextureError, type TextureKind } from './skin/texture-file.ts'
