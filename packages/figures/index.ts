// Figures drawn from their textures. Nothing here loads a library: it runs in a thread as well as in a page.
export { drawFigure, FIGURE_VERSION, type FigureSpec } from './figure.ts'
export { capeSheet, wearable } from './model/cape.ts'
export type { ArmWidth } from './model/model.ts'
export type { Pixels } from './raster/rasterise.ts'
export type { Texture } from './skin/texture.ts'
