import type { Effect } from '../declaration.ts'
import { album } from './album.ts'
import { badge } from './badge.ts'
import { bubble } from './bubble.ts'
import { caption } from './caption.ts'
import { filmstrip } from './filmstrip.ts'
import { rainbow } from './flags.ts'
import { frame } from './frame.ts'
import { jail } from './jail.ts'
import { crack, scanlines } from './lens.ts'
import { polaroid } from './polaroid.ts'
import { postage } from './postage.ts'
import { progress } from './progress.ts'
import { quote } from './quote.ts'
import { split } from './split.ts'
import { stamp } from './stamp.ts'
import { target } from './target.ts'
import { versus } from './versus.ts'
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
