import type { Effect } from '../declaration.ts'
import { album } from './album.ts'
import { bubble } from './bubble.ts'
import { caption } from './caption.ts'
import { rainbow } from './flags.ts'
import { frame } from './frame.ts'
import { crack, scanlines } from './lens.ts'
import { badge, jail, progress, stamp } from './marks.ts'
import { split, versus } from './pairs.ts'
import { filmstrip, polaroid, postage } from './prints.ts'
import { quote } from './quote.ts'
import { target } from './target.ts'
import { wanted } from './wanted.ts'
import { confetti, rain, snow } from './weather.ts'

/** Every overlay there is, in the order of the lists. */
export const overlays: readonly Effect[] = [
  album,
  badge,
  bubble,
  caption,
  confetti,
  crack,
  filmstrip,
  frame,
  jail,
  polaroid,
  postage,
  progress,
  quote,
  rain,
  rainbow,
  scanlines,
  snow,
  split,
  stamp,
  target,
  versus,
  wanted,
]
