import type { Page } from 'playwright'
import { withTimeout } from '../../lib/deadline.ts'
import type { Picture } from '../queue/job.ts'
import { within } from './progress.ts'

/** A4, in CSS pixels. */
const PAPER = { width: 794, height: 1123 }
const MAX_SHEETS = 100
/** A page can have any number of sheets: more are not counted. */
const MAX_COUNTED = 1000
/** The browser lays the whole page out again for it. */
const COUNT_MS = 10_000
const MARGIN = '1cm'

/**
 * The page as it would be printed, on A4 unless its style sheet names another paper. Where it was cut, the full size is that of all
 * its sheets, one below the other.
 */
export async function printed(page: Page, captureMs: number): Promise<Picture> {
  const startMs = performance.now()
  const bytes = await within(captureMs, print(page, `1-${MAX_SHEETS}`))
  const picture = { bytes, contentType: 'application/pdf', ...PAPER }
  if (countSheets(bytes) < MAX_SHEETS) return picture
  const leftMs = captureMs - (performance.now() - startMs)
  const more = await countMore(page, Math.min(COUNT_MS, Math.max(0, leftMs)))
  if (more === 0) return picture
  return { ...picture, fullSize: { ...PAPER, height: PAPER.height * (MAX_SHEETS + more) } }
}

function print(page: Page, pageRanges: string): Promise<Buffer> {
  const margin = { top: MARGIN, right: MARGIN, bottom: MARGIN, left: MARGIN }
  return page.pdf({ printBackground: true, preferCSSPageSize: true, ...PAPER, margin, pageRanges })
}

/** Counts the sheets that were left out. Returns one if the browser takes too long to count them. */
function countMore(page: Page, withinMs: number): Promise<number> {
  const rest = print(page, `${MAX_SHEETS + 1}-${MAX_COUNTED}`).then(countSheets, (error: Error) => {
    if (error.message.includes('exceeds page count')) return 0
    throw error
  })
  return withTimeout(withinMs, rest, () => 1)
}

/** Each sheet is an object of its own, which begins on a new line; nothing that the page says does. */
function countSheets(pdf: Buffer): number {
  return pdf.toString('latin1').match(/^<<\/Type \/Page$/gm)?.length ?? 0
}
