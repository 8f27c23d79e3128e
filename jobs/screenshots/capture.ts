import type { CDPSession } from 'playwright'
import { encoded, MAX_PIXELS, MAX_SIDE, takenAs, type Encoding } from './formats.ts'
import { JobFailure, MAX_PICTURE_BYTES, type Picture, type Size } from '../queue/job.ts'
import { ask, called } from './page-evaluate.ts'
import { placeBars, placeOf } from './in-page.ts'
import { BUSY, within, type StageTimes } from './progress.ts'

/** Limit in CSS pixels. Longer pages are cut. */
export const MAX_PAGE_HEIGHT = 15_000
/** Time limit for moving bars. On a page of very many elements, the rest stay in place. */
const BARS_MS = 1000

interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

interface Capturing {
  readonly session: CDPSession
  readonly wholePage: boolean
  readonly selector: string | null
  /** Within what would be shown otherwise. */
  readonly clip: Area | null
  /** Pixels of the picture for each CSS pixel. */
  readonly scale: number
  readonly encoding: Encoding
}

/** Takes the picture by the browser's own protocol: its fast PNG encoding is what Playwright does not offer. */
export function capture(capturing: Capturing, { captureMs }: StageTimes): Promise<Picture> {
  return within(captureMs, captureNow(capturing))
}

async function captureNow(capturing: Capturing): Promise<Picture> {
  const { session, wholePage, selector, clip, scale, encoding } = capturing
  const shoot = (shot: Shot) => shootAs(session, encoding, shot)
  // The view is the browser's own viewport, a CSS pixel to a pixel; it cannot be too much.
  if (scale === 1 && !wholePage && selector === null && clip === null && encoding.format === 'png') return shoot({})
  const isBeyondView = wholePage || selector !== null
  if (isBeyondView) await ask(session, called(placeBars, { maxHeight: MAX_PAGE_HEIGHT, withinMs: BARS_MS }))
  const layout = await session.send('Page.getLayoutMetrics')
  const { cssVisualViewport: view } = layout
  const { area, full } = areasOf(layout, capturing, selector === null ? null : await find(session, selector))
  if (area.width < 1 || area.height < 1) throw emptyArea(capturing, full)
  // Phones show pages that were not made for them smaller.
  return fitting({ area, full, wanted: scale * view.scale, encoding }, (part, used) =>
    shoot({
      captureBeyondViewport: isBeyondView,
      // Counted in what is shown, not in the page's own pixels, which may be shown smaller.
      clip: { ...shrunk(part, view.scale), scale: used / view.scale },
    }),
  )
}

/** In CSS pixels. */
interface Layout {
  readonly cssContentSize: Size
  readonly cssLayoutViewport: { readonly clientWidth: number }
  readonly cssVisualViewport: Record<'pageX' | 'pageY' | 'clientWidth' | 'clientHeight', number>
}

/** The area to show within the limits, and the full one. */
function areasOf(
  { cssContentSize: content, cssVisualViewport: view, cssLayoutViewport: { clientWidth } }: Layout,
  { wholePage, clip }: Capturing,
  element: Area | null,
): { readonly area: Area; readonly full: Area } {
  const clipped = (shown: Area): Area =>
    clip ? overlap({ ...clip, x: shown.x + clip.x, y: shown.y + clip.y }, shown) : shown
  if (!wholePage && !element) {
    const area = clipped({ x: view.pageX, y: view.pageY, width: view.clientWidth, height: view.clientHeight })
    return { area, full: area }
  }
  const within = (width: number, height: number): Area => {
    const document = { x: 0, y: 0, width, height }
    return clipped(element ? overlap(element, document) : document)
  }
  const maxWidth = element ? content.width : Math.min(content.width, 2 * clientWidth)
  return {
    area: within(maxWidth, Math.min(content.height, MAX_PAGE_HEIGHT)),
    full: within(content.width, content.height),
  }
}

function emptyArea({ clip, selector }: Capturing, full: Area): JobFailure {
  // Scripts or a flood of elements have kept it from its first layout.
  if (!clip && selector === null) return new JobFailure('timed_out', BUSY)
  const isBelow = full.width >= 1 && full.height >= 1
  const [what, why] = clip ? ['`clip`', 'is outside the page'] : ['the element of `selector`', 'has no size']
  const where = isBelow ? `is below the first ${MAX_PAGE_HEIGHT} pixels of the page` : why
  return new JobFailure('bad_request', `The screenshot would be empty: ${what} ${where}.`)
}

interface Shot {
  readonly captureBeyondViewport?: boolean
  readonly clip?: Area & { readonly scale: number }
}

async function shootAs(session: CDPSession, encoding: Encoding, shot: Shot): Promise<Picture> {
  const { data } = await session.send('Page.captureScreenshot', { ...takenAs(encoding), ...shot })
  return encoded(Buffer.from(data, 'base64'), encoding)
}

function shrunk({ x, y, width, height }: Area, by: number): Area {
  return { x: x * by, y: y * by, width: width * by, height: height * by }
}

type ShootPart = (area: Area, scale: number) => Promise<Picture>

interface Fitting {
  readonly area: Area
  /** The area before it was cut. */
  readonly full: Area
  /** The scale. */
  readonly wanted: number
  readonly encoding: Encoding
}

/** Shoots as sharp as the bounds of the format allow; beyond them the scale is lowered, and what is too much at 1 is cut. */
async function fitting({ area, full, wanted, encoding: { format } }: Fitting, shootPart: ShootPart): Promise<Picture> {
  const [maxPixels, maxSide] = [MAX_PIXELS[format], MAX_SIDE[format]]
  const sharpest = Math.min(
    Math.sqrt(maxPixels / (area.width * area.height)),
    maxSide / Math.max(area.width, area.height),
  )
  const scale = Math.min(wanted, Math.max(1, sharpest))
  const part = { ...area, height: Math.min(area.height, Math.floor(maxPixels / (area.width * scale * scale))) }
  const isCut = full.width - part.width >= 1 || full.height - part.height >= 1
  const shootAt = async (used: number): Promise<Picture> => {
    const fullSize = { width: Math.round(full.width * used), height: Math.round(full.height * used) }
    return { ...(await shootPart(part, used)), ...(isCut && { fullSize }) }
  }
  const picture = await shootAt(scale)
  if (picture.bytes.length <= MAX_PICTURE_BYTES) return picture
  return shootAt(scale * Math.sqrt(MAX_PICTURE_BYTES / picture.bytes.length) * 0.9)
}

async function find(session: CDPSession, selector: string): Promise<Area> {
  const place = await ask<ReturnType<typeof placeOf>>(session, called(placeOf, selector))
  if (place === 'none') throw new JobFailure('not_found', `No element of the page matches the selector ${selector}.`)
  if (place === 'invalid') throw new JobFailure('bad_request', `${selector} isn't a valid CSS selector.`)
  return place
}

/** The part of an area that lies within another. */
function overlap(area: Area, bounds: Area): Area {
  const x = Math.max(area.x, bounds.x)
  const y = Math.max(area.y, bounds.y)
  return {
    x,
    y,
    width: Math.min(area.x + area.width, bounds.x + bounds.width) - x,
    height: Math.min(area.y + area.height, bounds.y + bounds.height) - y,
  }
}
