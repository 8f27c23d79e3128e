import { POSES } from 'bandstand-figures/poses'
import { z } from 'zod'

/** What a figure of the block game is asked for, its player already looked up. */
export const FigureRequest = z.object({
  render: z.enum(POSES),
  scale: z.int().min(1).max(4),
  /** Where the skin is, or whose default one is worn. */
  skin: z.union([z.object({ url: z.string() }), z.object({ byDefault: z.enum(['steve', 'alex']) })]),
  /** Width of the arms; null: the skin itself tells. */
  model: z.enum(['classic', 'slim']).nullable(),
  capeUrl: z.string().nullable(),
})
export type FigureRequest = z.output<typeof FigureRequest>
