// Draws docs/images/sandbox.webp: the sandbox's page on a wide screen and on phones, of a service that was just started with
// a DATA_DIR of its own, in which nothing has played yet: npm run sandbox-sheet -- DATA_DIR. Needs Chromium.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright'
import sharp, { type OverlayOptions } from 'sharp'
import { launchBrowser } from '../../../test/support/browser.ts'

const TO = new URL('../../../docs/images/sandbox.webp', import.meta.url).pathname
const WIDE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }
const GAP = 24

const [dataDir] = process.argv.slice(2)
if (!dataDir) throw new Error('Name the DATA_DIR of a running service: npm run sandbox-sheet -- DATA_DIR')
const { sandboxUrl } = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as { sandboxUrl: string }

const browser = await launchBrowser()
const start = await shoot({ viewport: PHONE, colorScheme: 'light', locale: 'en-GB' })
const wide = await shoot({ viewport: WIDE, colorScheme: 'light', locale: 'en-GB' }, play)
const phone = await shoot({ viewport: PHONE, colorScheme: 'dark', locale: 'de-DE' }, listen)
await browser.close()
await draw()

async function shoot(options: BrowserContextOptions, act?: (page: Page) => Promise<void>): Promise<Buffer> {
  const context = await browser.newContext({ ...options, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(`${sandboxUrl}/sandbox/`)
  await page.locator('.try, .chips').first().waitFor()
  await act?.(page)
  const picture = await page.screenshot()
  await context.close()
  return picture
}

/** A newcomer's visit: the first step, Listen, another command, and the beginning of a third. */
async function play(page: Page): Promise<void> {
  await page.locator('.try').click()
  await listen(page)
  await page.locator('[data-try=queue]').click()
  await page.locator('article.message', { hasText: 'Now playing: ' }).waitFor()
  await page.locator('#composer-input').fill('/fa')
  await page.locator('.choice-row').nth(1).waitFor()
}

async function listen(page: Page): Promise<void> {
  await page.locator('.listen-button').click()
  await page.locator('[role=meter]:not([aria-valuenow="0"])').waitFor()
  await page.locator('.listen-facts .good').waitFor()
}

async function draw(): Promise<void> {
  const phoneWidth = Math.round((PHONE.width * WIDE.height) / PHONE.height)
  const fitted = await Promise.all(
    [start, phone].map((bytes) => sharp(bytes).resize({ height: WIDE.height }).toBuffer()),
  )
  const pictures: OverlayOptions[] = [wide, ...fitted].map((input, at) => ({
    input,
    top: GAP,
    left: GAP + (at === 0 ? 0 : WIDE.width + GAP + (at - 1) * (phoneWidth + GAP)),
  }))
  const size = { width: WIDE.width + 2 * phoneWidth + 4 * GAP, height: WIDE.height + 2 * GAP }
  const whole = sharp({ create: { ...size, channels: 3, background: '#80867f' } }).composite(pictures)
  await sharp(await whole.png().toBuffer())
    .resize({ width: 1800 })
    .webp({ quality: 84 })
    .toFile(TO)
}
