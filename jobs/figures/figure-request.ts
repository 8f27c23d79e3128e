import { POSES } from 'bandstand-figures/poses'
import { z } from 'zod'

/** A requested figure of the block game, its player already looked up. */
export const FigureRequest = z.object({
  render: z.enum(POSES),
  scale: z.int().min(1).max(4),
  /** URL of the skin, or the default skin that is worn. */
  skin: z.union([z.object({ url: z.string() }), z.object({ byDefault: z.enum(['steve', 'alex']) })]),
  /** Width of the arms; null: detected from the skin. */
  model: z.enum(['classic', 'slim']).nullable(),
  capeUrl: z.string().nullable(),
})
export type FigureRequest = z.output<typeof FigureRequest>
