import { z } from 'zod'

const FORMATS = ['png', 'jpeg', 'webp', 'avif', 'pdf'] as const

const selector = z.string().min(1).max(500).nullable().default(null)

/** Options of a screenshot; filled by routes, passed to its job. */
export const ScreenshotRequest = z.object({
  url: z.string(),
  device: z.enum(['desktop', 'mobile']),
  /** The whole page, up to a bound, rather than what fits the window. */
  fullpage: z.boolean().default(false),
  /** Emulates `prefers-color-scheme: dark`. */
  dark: z.boolean().default(false),
  /** Width and height of the window, in CSS pixels; null: those of the device. */
  width: z.int().min(200).max(3840).nullable().default(null),
  height: z.int().min(200).max(3840).nullable().default(null),
  /** Pixels of the picture for each CSS pixel; null: as the device has it. */
  scale: z.number().min(0.5).max(3).nullable().default(null),
  /** The page is not done before an element is visible that it names. */
  waitFor: selector,
  /** An extra wait after the page has settled. */
  delayMs: z.int().min(0).max(10_000).default(0),
  /** Only the first element that it names. */
  selector,
  /** Only this part, in CSS pixels from the top left of what would be shown otherwise. */
  clip: z
    .object({ x: z.int(), y: z.int(), width: z.int().min(1), height: z.int().min(1) })
    .nullable()
    .default(null),
  format: z.enum(FORMATS).default('png'),
  /** Quality of a lossy format: 1 to 100. */
  quality: z.int().min(1).max(100).nullable().default(null),
  blockAds: z.boolean().default(false),
  hideBanners: z.boolean().default(true),
  /** The caller's `OwnHeaders` for the site, sealed: the queue is kept on disk. */
  sealed: z.string().nullable().default(null),
})

export type ScreenshotRequest = z.output<typeof ScreenshotRequest>
/** Options of a caller; those left out have their defaults. */
export type ScreenshotOptions = Omit<z.input<typeof ScreenshotRequest>, 'sealed'>

/** Headers and cookies for the origin of the requested URL, and nowhere else. */
export const OwnHeaders = z.object({
  headers: z.record(z.string(), z.string()),
  cookies: z.array(z.object({ name: z.string(), value: z.string(), path: z.string() })),
})
export type OwnHeaders = z.output<typeof OwnHeaders>
