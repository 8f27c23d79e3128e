import { z } from 'zod'

/** What a screenshot is asked for; routes fill it, its job is given it. */
export const ScreenshotRequest = z.object({
  url: z.string(),
  device: z.enum(['desktop', 'mobile']),
  /** The whole page, up to a bound, rather than what fits the window. */
  fullpage: z.boolean(),
  /** Emulates `prefers-color-scheme: dark`. */
  dark: z.boolean(),
  /** An extra wait after the page has settled. */
  delayMs: z.int().min(0).max(10_000),
  /** Only the first element that it names. */
  selector: z.string().min(1).max(500).nullable(),
  /** Only this part, in CSS pixels from the top left of what would be shown otherwise. */
  clip: z.object({ x: z.int(), y: z.int(), width: z.int().min(1), height: z.int().min(1) }).nullable(),
})

export type ScreenshotRequest = z.output<typeof ScreenshotRequest>

export const POSES = [
  'head',
  'body',
  'front',
  'wave',
  'sit',
  'handstand',
  'cutesit',
  'standing',
  'showing_behind',
] as const

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
