// Draws docs/images/web-player.webp: the player on a wide screen in light and dark, and on phones in all six languages.
// Run it after a change: `npm run web-player-sheet`. Needs Chromium.
import sharp, { type OverlayOptions } from 'sharp'
import { LANGUAGES } from '../../../lib/texts/languages.ts'
import { launchBrowser } from '../../../test/support/browser.ts'
import { startWebPlayer } from '../../../test/support/web-player.ts'

const GAP = 24
const WIDE = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }
const TO = new URL('../../../docs/images/web-player.webp', import.meta.url).pathname
const SONGS = ['Harbour lights', 'Paper lanterns', 'Snowfall waltz', 'Desert bloom', 'Tin robot lullaby']

const player = await startWebPlayer()
const browser = await launchBrowser()
const { stage } = player
for (const member of [0, 1, 2]) await stage.sit(member)
for (const [at, song] of SONGS.entries()) {
  await stage.music.play(stage.scope, stage.guild.id, {
    // The sources of tests know names without spaces.
    query: song.replaceAll(' ', '\u00a0'),
    channelId: stage.sandbox.demo.voiceChannelId,
    requesterId: stage.ids[at % 3] ?? '',
  })
}
// Something to vote on.
await stage.type('stop', {}, { by: 1 })

// One after the other: a member's next link ends the previous one.
const wide = [
  await shoot({ look: 'light', size: WIDE, locale: 'en-GB' }),
  await shoot({ look: 'dark', size: WIDE, locale: 'en-GB' }),
]
const phones: Buffer[] = []
for (const [at, language] of LANGUAGES.entries()) {
  const locale = language === 'en' ? 'en-GB' : language
  phones.push(await shoot({ look: at % 2 === 0 ? 'light' : 'dark', size: PHONE, locale }))
}
await sheet(wide, phones)
await browser.close()
await player.close()

interface Shot {
  readonly look: 'light' | 'dark'
  readonly size: { readonly width: number; readonly height: number }
  readonly locale: string
}

async function shoot({ look, size, locale }: Shot): Promise<Buffer> {
  const context = await browser.newContext({ viewport: size, colorScheme: look, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(player.baseUrl + (await player.link(2, locale)))
  await page.locator('[data-queue] li').nth(3).waitFor()
  await page.locator('[data-votes] li').waitFor()
  await page.evaluate('document.fonts.ready')
  const picture = await page.screenshot()
  await context.close()
  return picture
}

async function sheet(above: readonly Buffer[], below: readonly Buffer[]): Promise<void> {
  const width = below.length * (PHONE.width + GAP) + GAP
  const scale = (width - 3 * GAP) / 2 / WIDE.width
  const wideSize = { width: Math.round(WIDE.width * scale), height: Math.round(WIDE.height * scale) }
  const pictures: OverlayOptions[] = []
  for (const [at, bytes] of above.entries()) {
    const input = await sharp(bytes).resize(wideSize).toBuffer()
    pictures.push({ input, left: GAP + at * (wideSize.width + GAP), top: GAP })
  }
  for (const [at, input] of below.entries()) {
    pictures.push({ input, left: GAP + at * (PHONE.width + GAP), top: wideSize.height + 2 * GAP })
  }
  const height = wideSize.height + PHONE.height + 3 * GAP
  const whole = sharp({ create: { width, height, channels: 3, background: '#80867f' } }).composite(pictures)
  await sharp(await whole.png().toBuffer())
    .resize({ width: 1600 })
    .webp({ quality: 82 })
    .toFile(TO)
}
