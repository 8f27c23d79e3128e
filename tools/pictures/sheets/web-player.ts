// Draws docs/images/web-player.webp, the player on a wide screen in light and dark and on phones in all six languages, and
// docs/images/languages.webp, which has its longest texts in all of them.
// Run it after a change: `npm run web-player-sheet`. Needs Chromium.
import { changeFlags } from 'bandstand-sandbox/world'
import sharp, { type OverlayOptions } from 'sharp'
import { LANGUAGES } from '../../../lib/texts/languages.ts'
import { until } from '../../../test/support/bots.ts'
import { launchBrowser } from '../../../test/support/browser.ts'
import { startWebPlayer } from '../../../test/support/web-player.ts'

const GAP = 16
const WIDTH = 1600
const WIDE = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }
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

// One after the other: a member's next link ends the previous one.
const wide = [
  await shoot({ look: 'light', size: WIDE, locale: 'en-GB' }),
  await shoot({ look: 'dark', size: WIDE, locale: 'en-GB' }),
]
await sheet('web-player', [wide, await shootAll(PHONE)])
await silence()
const pages = await shootAll(WIDE)
await sheet('languages', [pages.slice(0, 3), pages.slice(3), await shootAll(PHONE)])
await browser.close()
await player.close()

interface Shot {
  readonly look: 'light' | 'dark'
  readonly size: { readonly width: number; readonly height: number }
  readonly locale: string
}

/** One page in each language, light and dark in turns. */
async function shootAll(size: Shot['size']): Promise<readonly Buffer[]> {
  const shots: Buffer[] = []
  for (const [at, language] of LANGUAGES.entries()) {
    const locale = language === 'en' ? 'en-GB' : language
    shots.push(await shoot({ look: at % 2 === 0 ? 'light' : 'dark', size, locale }))
  }
  return shots
}

/** Keeps the bot from speaking, of which the page has its longest text. */
async function silence(): Promise<void> {
  const { sandbox, guild, scope, music } = stage
  const voice = guild.voice.get(scope.botId)
  if (!voice) throw new Error('The bot is in no voice channel.')
  changeFlags(sandbox.world, guild, voice, { suppress: true })
  await until('the bot may not speak', async () => (await music.info(scope, guild.id)).silenced === 'mayNotSpeak')
}

async function shoot({ look, size, locale }: Shot): Promise<Buffer> {
  const hasTouch = size === PHONE
  const context = await browser.newContext({ viewport: size, colorScheme: look, reducedMotion: 'reduce', hasTouch })
  const page = await context.newPage()
  // Something to vote on, for a minute.
  await stage.type('stop', {}, { by: 1 })
  await page.goto(player.baseUrl + (await player.link(2, locale)))
  await page.locator('[data-votes] li').waitFor()
  // Phones show one thing at a time: the light ones what plays.
  if (hasTouch && look === 'dark') await page.locator('#tab-queue').click()
  if (size === WIDE || look === 'dark') await page.locator('[data-queue] li').nth(3).waitFor()
  await page.evaluate('document.fonts.ready')
  const picture = await page.screenshot()
  await context.close()
  return picture
}

/** Puts rows of pictures below one another, each as wide as the sheet. */
async function sheet(name: string, rows: readonly (readonly Buffer[])[]): Promise<void> {
  const pictures: OverlayOptions[] = []
  let top = GAP
  for (const row of rows) {
    const width = Math.floor((WIDTH - GAP) / row.length) - GAP
    const scaled = await Promise.all(
      row.map((bytes) => sharp(bytes).resize({ width }).png().toBuffer({ resolveWithObject: true })),
    )
    pictures.push(...scaled.map(({ data }, at) => ({ input: data, left: GAP + at * (width + GAP), top })))
    top += Math.max(...scaled.map(({ info }) => info.height)) + GAP
  }
  await sharp({ create: { width: WIDTH, height: top, channels: 3, background: '#80867f' } })
    .composite(pictures)
    .webp({ quality: 82 })
    .toFile(new URL(`../../../docs/images/${name}.webp`, import.meta.url).pathname)
}
