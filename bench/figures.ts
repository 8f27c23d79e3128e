// Draws the same figure by three ways in turn, so that anything else the machine does hits all of them alike: in our
// thread, with our drawing inside a warm page, and with skinview3d in a warm page. Then each pose in the thread.
// `npm run bench:figures [rounds] [--only-peers]`. Linux only, for the CPU time of the browser's processes.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { chromium, type Page } from 'playwright'
import { findBrowser } from '../jobs/browser/browser-profile.ts'
import { defaultSkin } from '../jobs/figures/skin/default-skin.ts'
import { encodeFigure } from '../jobs/figures/raster/encode.ts'
import { createLog } from '../lib/log.ts'
import type { FigureSpec } from '../jobs/figures/figure.ts'
import { POSE_SPECS } from '../jobs/figures/model/poses.ts'
import { createCapeBrush } from '../test/support/skin-brush.ts'
import { createFigureRenderer } from '../jobs/figures/raster/figure-thread.ts'
import { POSES } from '../jobs/screenshots/page-requests.ts'
import { cpuSeconds, processes } from './process.ts'
import { median, ratioAtMost, report } from './report.ts'

const ROUNDS = Number(process.argv[2] ?? 9)
/** Without each pose on its own. */
const ONLY_PEERS = process.argv.includes('--only-peers')
const SITE = 'http://figures.test/'
const ROOT = new URL('../', import.meta.url)
const SCALE = 2
const WARM_UP = 2

interface Cost {
  readonly ms: number
  readonly cpuMs: number
}

const { width, height } = POSE_SPECS.wave
const brush = createCapeBrush()
brush.paint({ part: 'cape', sides: ['front', 'back', 'left', 'right', 'top', 'bottom'] }, '#6b2f8f', {}, 0.2)
const spec: FigureSpec = {
  pose: 'wave',
  scale: SCALE,
  arms: 'classic',
  skin: await defaultSkin('classic'),
  cape: brush.texture,
}
const studio = createFigureRenderer(createLog('silent'))
const { signal } = new AbortController()

const program = findBrowser(process.env['PATH'] ?? '')
if (!program) throw new Error('No Chromium is installed here; this bench compares with pages of one.')
const args = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist']
const server = await chromium.launchServer({ executablePath: program, args, chromiumSandbox: false })
const browserPid = server.process().pid!
const browser = await chromium.connect(server.wsEndpoint())
try {
  const page = await openPage()
  const ways = {
    'in the thread': async () => encodeFigure(await studio.draw(spec, signal)),
    'in a warm page': () => page.evaluate('drawOurs()'),
    'skinview3d in a warm page': () => page.evaluate('drawTheirs()'),
  }
  await assertSamePixels(page)
  const measured = Object.entries(ways).map(([name, run]) => ({ name, run, costs: [] as Cost[] }))
  for (let round = 0; round < ROUNDS + WARM_UP; round++) {
    for (const way of measured) way.costs.push(await costOf(way.run))
  }
  const peer = medianOf(measured[2]!.costs, 'cpuMs')
  console.log(`wave with cape, ${width * SCALE} × ${height * SCALE}, PNG included, medians of ${ROUNDS}:`)
  for (const { name, costs } of measured) {
    const [ms, cpuMs] = [medianOf(costs, 'ms'), medianOf(costs, 'cpuMs')]
    const share = `${((cpuMs / peer) * 100).toFixed(0)} % of skinview3d`
    console.log(`  ${name.padEnd(26)} ${ms.toFixed(0).padStart(5)} ms ${cpuMs.toFixed(0).padStart(5)} CPU ms  ${share}`)
  }
  report({
    what: 'CPU of a figure, its PNG included',
    own: medianOf(measured[0]!.costs, 'cpuMs'),
    unit: ' ms',
    beside: { whom: 'skinview3d in a warm page', value: peer },
    goal: ratioAtMost(0.4),
  })
} finally {
  await browser.close()
  await server.close()
}

if (!ONLY_PEERS) console.log('each pose in the thread, PNG included, medians:')
for (const pose of ONLY_PEERS ? [] : POSES) {
  const line: string[] = []
  for (const scale of [1, 2, 4]) {
    const costs: Cost[] = []
    for (let i = 0; i < Math.min(5, ROUNDS) + WARM_UP; i++) {
      costs.push(await costOf(async () => encodeFigure(await studio.draw({ ...spec, pose, scale }, signal))))
    }
    const [ms, cpuMs] = [medianOf(costs, 'ms'), medianOf(costs, 'cpuMs')].map((each) => each.toFixed(0).padStart(4))
    line.push(`scale ${scale}: ${ms} ms ${cpuMs} CPU ms`)
  }
  console.log(`  ${pose.padEnd(15)} ${line.join('   ')}`)
}

async function openPage(): Promise<Page> {
  const page = await browser.newPage()
  await page.route(`${SITE}**`, (route) => {
    const path = new URL(route.request().url()).pathname.slice(1)
    if (path === '') return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>figures</title>' })
    const source = readFileSync(new URL(path, ROOT), 'utf8')
    return route.fulfill({
      contentType: 'text/javascript',
      body: path.endsWith('.ts') ? stripTypeScriptTypes(source) : source,
    })
  })
  await page.goto(SITE)
  await page.addScriptTag({ url: `${SITE}node_modules/skinview3d/bundles/skinview3d.bundle.js` })
  const textures = { skin: await dataUrl(spec.skin), cape: await dataUrl(brush.texture) }
  await page.evaluate(IN_PAGE, { textures, width: width * SCALE, height: height * SCALE, scale: SCALE, site: SITE })
  return page
}

/** Runs in the page, where it is all there is: nothing outside it can be named here. */
function IN_PAGE(setup: any): Promise<void> {
  const { textures, width, height, scale, site } = setup
  const scope = globalThis as any
  const toBase64 = async (blob: Blob): Promise<string> => {
    const reader = new scope.FileReader()
    const read = new Promise((done) => reader.addEventListener('load', done))
    reader.readAsDataURL(blob)
    await read
    return reader.result.split(',')[1]
  }
  const pixelsOf = async (url: string) => {
    const bitmap = await scope.createImageBitmap(await (await fetch(url)).blob())
    const canvas = new scope.OffscreenCanvas(bitmap.width, bitmap.height)
    canvas.getContext('2d').drawImage(bitmap, 0, 0)
    const { data } = canvas.getContext('2d').getImageData(0, 0, bitmap.width, bitmap.height)
    return { width: bitmap.width, height: bitmap.height, rgba: new Uint8Array(data.buffer) }
  }
  const ours = async () => {
    const { drawFigure } = await import(`${site}jobs/figures/figure.ts`)
    const [skin, cape] = await Promise.all([pixelsOf(textures.skin), pixelsOf(textures.cape)])
    return drawFigure({ pose: 'wave', scale, arms: 'classic', skin, cape })
  }
  scope.ourPixels = async () => toBase64(new Blob([(await ours()).rgba]))
  scope.drawOurs = async () => {
    const { rgba } = await ours()
    const canvas = new scope.OffscreenCanvas(width, height)
    canvas.getContext('2d').putImageData(new scope.ImageData(new Uint8ClampedArray(rgba.buffer), width, height), 0, 0)
    return toBase64(await canvas.convertToBlob({ type: 'image/png' }))
  }
  const canvas = scope.document.createElement('canvas')
  const viewer = new scope.skinview3d.SkinViewer({
    canvas,
    width,
    height,
    renderPaused: true,
    preserveDrawingBuffer: true,
  })
  scope.drawTheirs = async () => {
    await Promise.all([viewer.loadSkin(textures.skin, { model: 'default' }), viewer.loadCape(textures.cape)])
    viewer.playerObject.rotation.y = -0.35
    viewer.playerObject.skin.rightArm.rotation.z = -2
    viewer.render()
    return toBase64(await new Promise<Blob>((done) => canvas.toBlob(done, 'image/png')))
  }
  return Promise.resolve()
}

/** The same module gives the same pixels wherever it runs, or the comparison would be of two things. */
async function assertSamePixels(page: Page): Promise<void> {
  const there = Buffer.from(await page.evaluate<string>('ourPixels()'), 'base64')
  const here = (await studio.draw(spec, signal)).rgba
  if (digest(there) !== digest(here)) throw new Error(`page ${digest(there)} and thread ${digest(here)} differ`)
  console.log(`page and thread draw the same pixels: sha256 ${digest(here)}…`)
}

async function dataUrl(texture: FigureSpec['skin']): Promise<string> {
  const { bytes } = await encodeFigure({ ...texture, rgba: Uint8Array.from(texture.rgba) })
  return `data:image/png;base64,${bytes.toString('base64')}`
}

async function costOf(run: () => Promise<unknown>): Promise<Cost> {
  const [cpu, start] = [allCpuMs(), performance.now()]
  await run()
  return { ms: performance.now() - start, cpuMs: allCpuMs() - cpu }
}

/** Of this process and of the browser's. */
function allCpuMs(): number {
  const { user, system } = process.cpuUsage()
  const ofBrowser = processes().filter(({ group }) => group === browserPid)
  return (user + system) / 1000 + ofBrowser.reduce((sum, { pid }) => sum + cpuSeconds(pid) * 1000, 0)
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16)
}

/** Without the first ones, in which everything is still cold. */
function medianOf(costs: readonly Cost[], key: keyof Cost): number {
  return median(costs.slice(WARM_UP).map((cost) => cost[key]))
}
