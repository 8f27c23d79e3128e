import { z } from 'zod'
import type { OwnHeaders, ScreenshotOptions } from '../../jobs/screenshots/page-requests.ts'
import { flag, webAddress, wholeNumber } from '../../lib/validation/inputs.ts'

const FORMATS = ['png', 'jpeg', 'webp', 'avif', 'pdf'] as const

const selector = z.string().min(1).max(500, 'Must have at most 500 characters.')

/** Parameters shared by query and body. */
const shared = {
  url: webAddress('URL of the page.'),
  device: z
    .enum(['desktop', 'mobile'], { error: 'Must be `desktop` or `mobile`.' })
    .default('desktop')
    .describe('A window of 1280×800, or a phone.'),
  format: z
    .enum(FORMATS, { error: `Must be one of ${FORMATS.join(', ')}.` })
    .default('png')
    .describe('Format of the result. A PDF has the whole page as it would be printed, on A4, up to 100 sheets.'),
  selector: selector.optional().describe('CSS selector. Captures only the first match.'),
  waitFor: selector
    .optional()
    .describe('CSS selector. Waits up to 8 seconds until a match is visible, and fails if there is none.'),
}

const ABOUT = {
  fullpage: 'Captures the whole page up to a limit, including content that loads on scroll.',
  dark: 'Requests the dark colour scheme of the page.',
  width: 'Width of the window in CSS pixels. Defaults to that of the device.',
  height: 'Height of the window in CSS pixels. Defaults to that of the device.',
  scale: 'Pixels of the result per CSS pixel. Defaults to that of the device.',
  delay: 'Milliseconds to wait after the page has loaded.',
  quality: 'Quality of JPEG, WebP and AVIF.',
  blockAds: 'Blocks ads by the filter lists of the renderer, and hides the space they leave.',
  hideBanners: 'Hides cookie banners. True by default.',
  clip: 'Captures only this area, in CSS pixels',
  headers:
    "Request headers for the origin of `url`. Other hosts don't receive them. They are encrypted and never logged.",
  cookies: 'Cookies for the host of `url`. They are encrypted and never logged.',
} as const

const clipText = z
  .string()
  .regex(/^\d{1,5}(?:,\d{1,5}){3}$/, 'Must be `x,y,width,height` in whole CSS pixels.')
  .transform((value) => value.split(',').map(Number) as [number, number, number, number])
  .refine(([, , width, height]) => width > 0 && height > 0, 'Width and height must be at least 1.')
  .transform(([x, y, width, height]) => ({ x, y, width, height }))
  .meta({ override: ({ jsonSchema }) => void Object.assign(jsonSchema, { type: 'string' }) })

/** A screenshot as a query asks for it. */
export const ScreenshotQuery = z
  .object({
    ...shared,
    fullpage: flag.default(false).meta({ description: ABOUT.fullpage }),
    dark: flag.default(false).meta({ description: ABOUT.dark }),
    width: wholeNumber(200, 3840).optional().meta({ description: ABOUT.width }),
    height: wholeNumber(200, 3840).optional().meta({ description: ABOUT.height }),
    scale: wholeNumber(1, 3).optional().meta({ description: ABOUT.scale }),
    delay: wholeNumber(0, 10_000).default(0).meta({ description: ABOUT.delay }),
    quality: wholeNumber(1, 100).optional().meta({ description: ABOUT.quality }),
    blockAds: flag.default(false).meta({ description: ABOUT.blockAds }),
    hideBanners: flag.default(true).meta({ description: ABOUT.hideBanners }),
    clip: clipText.optional().meta({ description: `${ABOUT.clip}: \`x,y,width,height\`.` }),
  })
  .superRefine(refusePartOfPdf)

const pixels = z.int().min(0).max(99_999)

/** Names of headers that belong to the connection or to the browser. */
const NOT_SET =
  /^(?:host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|cookie2?|proxy-.*|sec-.*)$/i

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/

function refuseHeaderNames(headers: Readonly<Record<string, string>>, context: z.core.$RefinementCtx): void {
  const refuse = (name: string, message: string) => context.addIssue({ code: 'custom', path: [name], message })
  for (const name of Object.keys(headers)) {
    if (!HEADER_NAME.test(name)) refuse(name, 'Must be the name of a header.')
    else if (NOT_SET.test(name)) refuse(name, 'Only the browser sets this header. Send cookies in `cookies`.')
  }
}

const headerValue = z
  .string()
  .regex(/^[\t\x20-\x7e\x80-\xff]{0,4096}$/, 'Must be the value of a header, at most 4,096 characters.')

/** A screenshot as a body asks for it, with what does not belong into a URL. */
export const ScreenshotBody = z
  .strictObject({
    ...shared,
    fullpage: z.boolean().default(false).meta({ description: ABOUT.fullpage }),
    dark: z.boolean().default(false).meta({ description: ABOUT.dark }),
    width: z.int().min(200).max(3840).optional().meta({ description: ABOUT.width }),
    height: z.int().min(200).max(3840).optional().meta({ description: ABOUT.height }),
    scale: z.int().min(1).max(3).optional().meta({ description: ABOUT.scale }),
    delay: z.int().min(0).max(10_000).default(0).meta({ description: ABOUT.delay }),
    quality: z.int().min(1).max(100).optional().meta({ description: ABOUT.quality }),
    blockAds: z.boolean().default(false).meta({ description: ABOUT.blockAds }),
    hideBanners: z.boolean().default(true).meta({ description: ABOUT.hideBanners }),
    clip: z
      .strictObject({ x: pixels, y: pixels, width: pixels.min(1), height: pixels.min(1) })
      .optional()
      .describe(`${ABOUT.clip}.`),
    headers: z
      .record(z.string(), headerValue)
      .superRefine(refuseHeaderNames)
      .refine((headers) => Object.keys(headers).length <= 20, 'Must have at most 20 headers.')
      .default({})
      .meta({ description: ABOUT.headers }),
    cookies: z
      .array(
        z.strictObject({
          name: z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, 'Must be the name of a cookie.'),
          value: z
            .string()
            .regex(/^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]{0,4096}$/, 'Must be the value of a cookie.'),
          path: z
            .string()
            .regex(/^\/[\x21-\x3a\x3c-\x7e]{0,1000}$/, 'Must be a path that begins with a slash.')
            .default('/'),
        }),
      )
      .max(50, 'Must have at most 50 cookies.')
      .default([])
      .meta({ description: ABOUT.cookies }),
  })
  .superRefine(refusePartOfPdf)

interface Parts {
  readonly format: (typeof FORMATS)[number]
  readonly selector?: string | undefined
  readonly clip?: object | undefined
}

function refusePartOfPdf(parts: Parts, context: z.core.$RefinementCtx): void {
  if (parts.format !== 'pdf') return
  for (const name of ['selector', 'clip'] as const) {
    if (parts[name] === undefined) continue
    context.addIssue({ code: 'custom', path: [name], message: 'A PDF has the whole page. Choose another format.' })
  }
}

type AskedQuery = z.output<typeof ScreenshotQuery>
type AskedBody = z.output<typeof ScreenshotBody>

/** The job that a query or a body asks for. */
export function optionsOf(asked: AskedQuery | Omit<AskedBody, 'headers' | 'cookies'>): ScreenshotOptions {
  const { delay: delayMs, width = null, height = null, scale = null, quality = null, ...rest } = asked
  const { selector = null, waitFor = null, clip = null } = rest
  return { ...rest, delayMs, width, height, scale, quality, selector, waitFor, clip }
}

/** Headers and cookies for the requested site only; undefined if there are none. */
export function ownOf({ headers, cookies }: Pick<AskedBody, 'headers' | 'cookies'>): OwnHeaders | undefined {
  return Object.keys(headers).length > 0 || cookies.length > 0 ? { headers, cookies } : undefined
}
