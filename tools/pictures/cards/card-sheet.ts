// Draws docs/images/cards.webp: the cards that members see, as the sandbox's page shows them, light and dark, on a phone and
// wide. Run it after a change: `npm run card-sheet`. Needs Chromium.
import { pino } from 'pino'
import { chromium, type Browser } from 'playwright'
import sharp, { type OverlayOptions } from 'sharp'
import { findBrowser } from '../../../jobs/browser/browser-profile.ts'
import { toMessage, type Content } from '../../../bot/commands/core/reply.ts'
import { startSandbox, type Sandbox } from 'bandstand-sandbox'
import { addChannel, getApplication, getGuild, keepFile, postMessage, type Draft } from 'bandstand-sandbox/world'
import { ChannelType } from 'discord-api-types/v10'
import { cardScenes } from './card-scenes.ts'

const TO = new URL('../../../docs/images/cards.webp', import.meta.url).pathname
const LOOKS = [
  { name: 'phone, light', width: 390, colorScheme: 'light' },
  { name: 'phone, dark', width: 390, colorScheme: 'dark' },
  { name: 'wide, light', width: 760, colorScheme: 'light' },
  { name: 'wide, dark', width: 760, colorScheme: 'dark' },
] as const
const LABEL = 34
const GAP = 16
const COVER = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="640"><defs><linearGradient id="g" x2="0" y2="1">
  <stop stop-color="#f2b36b"/><stop offset=".55" stop-color="#c4567a"/><stop offset="1" stop-color="#1f2a52"/></linearGradient></defs>
  <rect width="640" height="640" fill="url(#g)"/><circle cx="320" cy="300" r="92" fill="#ffe9c4"/>
  <g fill="#16204280"><path d="M0 430q80-40 160 0t160 0 160 0 160 0v210H0z"/><path d="M0 500q80-30 160 0t160 0 160 0 160 0v140H0z"/></g></svg>`

const executablePath = findBrowser(process.env['PATH'] ?? '')
if (!executablePath) throw new Error('No Chromium is installed; `node tools/install.mjs` installs one.')
const sandbox = await startSandbox({
  port: 0,
  stateFile: null,
  limits: false,
  demoMember: false,
  log: pino({ level: 'silent' }),
})
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })

const rows: { readonly label: string; readonly tiles: Buffer[] }[] = []
for (const [label, channelId] of await post(sandbox)) {
  const tiles: Buffer[] = []
  for (const look of LOOKS) tiles.push(await take(browser, `${sandbox.url}/sandbox?channel=${channelId}`, look))
  rows.push({ label, tiles })
}
await browser.close()
await sandbox.close()
await sheet()

/** A channel for each scene. */
async function post({ world, demo }: Sandbox): Promise<readonly (readonly [label: string, channelId: string])[]> {
  const guild = getGuild(world, demo.guildId)
  const { user: author } = getApplication(world, demo.applicationId)
  const bytes = await sharp(Buffer.from(COVER)).png().toBuffer()
  const { url } = keepFile(world, demo.textChannelId, {
    name: 'cover.png',
    type: 'image/png',
    base64: bytes.toString('base64'),
  })
  const sample = { memberId: demo.memberIds[2] ?? '', channelId: demo.voiceChannelId, covers: [url] }
  return Object.entries(cardScenes(sample)).map(([label, content]) => {
    const { id: channelId } = addChannel(world, guild, { name: 'music', type: ChannelType.GuildText })
    postMessage(world, { guild, channelId }, { author, draft: toDraft(content) })
    return [label, channelId] as const
  })
}

function toDraft(content: Content): Draft {
  const { content: text, embeds, components } = toMessage(content)
  return { content: text, embeds, components } as unknown as Draft
}

async function take(from: Browser, url: string, { width, colorScheme }: (typeof LOOKS)[number]): Promise<Buffer> {
  const context = await from.newContext({ viewport: { width, height: 1400 }, colorScheme, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(url)
  const card = page.locator('#log article').first()
  await card.waitFor()
  // The card alone, as wide as the picture: not the page around it, its time and its menu.
  await page.evaluate(`(() => {
    const style = new CSSStyleSheet()
    style.replaceSync(
      'body { display: block; height: auto; overflow: visible }' +
        '.bar, .sidebar, .listen, .side, .chat-head, .next, .composer, .beginning, .message-line time, .message-menu { display: none }' +
        '.chat, .log { display: block; overflow: visible }',
    )
    document.adoptedStyleSheets.push(style)
    for (const image of document.images) image.loading = 'eager'
  })()`)
  await page.waitForFunction('[...document.images].every(({ complete }) => complete)')
  const taken = await card.screenshot()
  await context.close()
  return taken
}

async function sheet(): Promise<void> {
  const placed: OverlayOptions[] = []
  let top = GAP
  const lefts = LOOKS.map((_, at) => GAP + LOOKS.slice(0, at).reduce((sum, { width }) => sum + width + GAP, 0))
  for (const { label, tiles } of rows) {
    const heights = await Promise.all(tiles.map(async (tile) => (await sharp(tile).metadata()).height))
    for (const [at, input] of tiles.entries()) {
      const left = lefts[at] ?? 0
      placed.push({ input: caption(`${label} · ${LOOKS[at]?.name ?? ''}`, LOOKS[at]?.width ?? 0), left, top })
      placed.push({ input, left, top: top + LABEL })
    }
    top += LABEL + Math.max(...heights) + GAP
  }
  const width = GAP + LOOKS.reduce((sum, look) => sum + look.width + GAP, 0)
  const create = { width, height: top, channels: 3, background: '#1c1d22' } as const
  await sharp({ create }).composite(placed).webp({ quality: 82 }).toFile(TO)
}

function caption(text: string, width: number): Buffer {
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${LABEL}">
    <text x="2" y="23" font-family="DejaVu Sans, sans-serif" font-size="15" fill="#d9dbe3">${text}</text></svg>`)
}
