import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { pino } from 'pino'
import type { Browser, Page } from 'playwright'
import { startSandbox, type Sandbox } from 'bandstand-sandbox'
import { launchBrowser, openTab, type Tab } from '../support/browser.ts'
import { eventually, launchService, makeDataDir } from '../support/service.ts'
import { amplitude, slice, type Sound } from '../support/sound.ts'
import { ffmpegOnce } from '../support/made-once.ts'

const TONES = 'aevalsrc=0.3*sin(2*PI*440*t)|0.3*sin(2*PI*660*t):s=48000:d=60'
const SECONDS = 2
/** Printed at the start of a service without an account. */
const FIRST_LINK = /http\S+enter\?token=\w{64}/

/**
 * The service as an operator runs it, for whom the stand-in is the real Discord: nothing of the sandbox's own recording
 * is there. All is done in the browser, from the link of the first account on.
 */
describe('listening along with a bot that is not the sandbox’s', () => {
  const dataDir = makeDataDir()
  let discord: Sandbox
  let service: Awaited<ReturnType<typeof launchService>>
  let browser: Browser
  let tab: Tab

  before(async () => {
    discord = await startSandbox({ port: 0, stateFile: null, limits: false, log: pino({ level: 'silent' }) })
    writeFileSync(join(dataDir, 'discord.pem'), discord.certificate)
    mkdirSync(join(dataDir, 'library'))
    const file = join(dataDir, 'library', 'two-tones.opus')
    ffmpegOnce(['-f', 'lavfi', '-i', TONES, '-c:a', 'libopus', '-b:a', '128k'], file)
    service = await launchService(dataDir, {
      SANDBOX: 'off',
      DISCORD_TOKEN: discord.demo.botToken,
      DISCORD_API_URL: `${discord.url}/api`,
      NODE_EXTRA_CA_CERTS: join(dataDir, 'discord.pem'),
      LOG_LEVEL: 'info',
      RENDER_CONCURRENCY: '0',
    })
    browser = await launchBrowser()
    tab = await openTab(browser, { locale: 'en-GB' })
    await eventually(
      () => service.output(),
      (text) => text.includes('"bot connected"') && text.includes('dashboard-link.txt'),
    )
  })
  after(async () => {
    await browser?.close()
    await service?.kill('SIGTERM')
    await discord.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  it('plays in the page what the bot sends, with the right tone on either side', async () => {
    const { page } = tab
    const link = readFileSync(join(dataDir, 'dashboard-link.txt'), 'utf8')
    await page.goto(FIRST_LINK.exec(link)?.[0] ?? '')
    await page.fill('#name', 'Ada')
    await page.fill('#password', 'four quiet brass horns')
    await page.click('.buttons .primary')
    await page.click('nav >> text=Players')
    await page.fill('#query', 'two tones')
    await page.click('text="Play"')
    await page.waitForSelector('.now-panel')
    expect(await page.locator('audio').count()).to.equal(0)
    await page.click('nav >> text=Bots')
    await page.click('tbody a')
    await page.click('button[name=allowed][value=yes]')
    await page.waitForSelector('button[name=allowed][value=no]')
    await page.click('nav >> text=Players')
    await page.click('.player h2 a')
    await page.waitForSelector('audio')
    await page.evaluate(PLAY)
    await eventually(
      () => page.evaluate<Heard>(HEAR),
      ({ seconds, loudestHz: [left, right] }) => seconds > 2 && left === 440 && right === 660,
    )
    const sound = await decoded(page)
    // The first and the last tenth of a second are cut somewhere, and a machine that is busy brings pauses.
    const tenths = Array.from({ length: SECONDS * 10 - 2 }, (_, at) => slice(sound, (at + 1) / 10, (at + 2) / 10))
    const right = tenths.filter((it) => isTone(it.left, 440, 660) && isTone(it.right, 660, 440))
    expect(right.length).to.be.above(tenths.length / 2)
    expect(tab.complaints).to.deep.equal([])
  })
})

function isTone(samples: Float32Array, hz: number, notHz: number): boolean {
  return amplitude(samples, hz) > 0.05 && amplitude(samples, hz) > 10 * amplitude(samples, notHz)
}

/** Plays the sound of the page, two analysers in its way. */
const PLAY = `(async () => {
  const audio = document.querySelector('audio')
  const context = new AudioContext()
  const splitter = context.createChannelSplitter(2)
  context.createMediaElementSource(audio).connect(splitter)
  globalThis.ears = [0, 1].map((side) => {
    const ear = new AnalyserNode(context, { fftSize: 16384 })
    splitter.connect(ear, side)
    ear.connect(context.destination)
    return ear
  })
  await context.resume()
  await audio.play()
})()`

/** The loudest frequency on either side, to the nearest ten hertz, and for how long the page has played. */
const HEAR = `({
  seconds: document.querySelector('audio').currentTime,
  loudestHz: globalThis.ears.map((ear) => {
    const bins = new Float32Array(ear.frequencyBinCount)
    ear.getFloatFrequencyData(bins)
    return Math.round((bins.indexOf(Math.max(...bins)) * ear.context.sampleRate) / ear.fftSize / 10) * 10
  }),
})`

interface Heard {
  readonly seconds: number
  readonly loudestHz: readonly number[]
}

/** Beginning of the stream, decoded by the browser. */
async function decoded(page: Page): Promise<Sound> {
  const sides = await page.evaluate<string[]>(DECODE)
  const [left, right] = sides.map((side) => {
    const bytes = Uint8Array.from(Buffer.from(side, 'base64'))
    return new Float32Array(bytes.buffer)
  })
  if (!left || !right) throw new Error('It is not in stereo.')
  return { left, right, seconds: left.length / 48_000 }
}

/** Reads until the place that the last page of the stream names is far enough. */
const DECODE = `(async () => {
  const answer = await fetch(document.querySelector('audio').src)
  const reader = answer.body.getReader()
  let bytes = new Uint8Array()
  let seconds = 0
  while (seconds < ${SECONDS}) {
    const { value, done } = await reader.read()
    if (done) throw new Error('It ended after ' + seconds + ' seconds.')
    bytes = new Uint8Array([...bytes, ...value])
    const at = bytes.findLastIndex((_, it) => String.fromCharCode(...bytes.subarray(it, it + 4)) === 'OggS')
    seconds = new DataView(bytes.buffer).getUint32(at + 6, true) / 48000
  }
  await reader.cancel()
  const sound = await new OfflineAudioContext(2, 48000, 48000).decodeAudioData(bytes.buffer)
  return Promise.all([0, 1].map(async (side) => {
    const samples = new Uint8Array(sound.getChannelData(side).slice().buffer)
    let binary = ''
    for (let at = 0; at < samples.length; at += 8192) binary += String.fromCharCode(...samples.subarray(at, at + 8192))
    return btoa(binary)
  }))
})()`
