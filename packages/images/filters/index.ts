import type { Effect } from '../declaration.ts'
import * as colour from './colour.ts'
import * as focus from './focus.ts'
import * as halftone from './halftone.ts'
import * as oil from './oil.ts'
import * as shape from './shape.ts'
import * as texture from './texture.ts'

/** Every filter there is, in the order of the lists. */
export const filters: readonly Effect[] = [colour, focus, oil, halftone, texture, shape].flatMap((group) =>
  Object.values(group),
)
