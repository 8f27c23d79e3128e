import { expect } from 'chai'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { processesOf } from '../../../jobs/browser/browser-memory.ts'
import { JobFailure } from '../../../jobs/queue/job.ts'
import { until } from '../../support/bots.ts'
import { closing } from '../../support/closing.ts'
import { temporaryFolder } from '../../support/database.ts'
import { page } from '../../support/pages.ts'
import { openStudio, theBrowser, type StudioOptions } from '../../support/studio.ts'
import { eventually } from '../../support/service.ts'
import { serve } from '../../support/web.ts'

const soon = () => AbortSignal.timeout(60_000)

describe('warm browser', () => {
  const own = closing()
  const open = async (browser: StudioOptions['browser'] = {}) =>
    own(await openStudio({ allowHosts: ['127.0.0.1'], browser }))

  it('runs one program for many pages, several at a time, and ends with nothing left behind', async () => {
    const site = own(await serve(page('<h1>here</h1>')))
    const { browser, ...studio } = await open()
    const { group } = browser
    const folders = foldersOf(process.pid)
    expect(folders).to.have.length(1)
    const read = () =>
      browser.withPage({}, soon(), async (it) => {
        await it.goto(site.url)
        return it.locator('h1').innerText()
      })
    expect(await Promise.all([read(), read(), read()])).to.deep.equal(['here', 'here', 'here'])
    expect(await read()).to.equal('here')
    expect(browser.group).to.equal(group)
    await studio.close()
    await until('the browser is gone', () => processesOf(group!).length === 0)
    expect(foldersOf(process.pid)).to.deep.equal([])
    expect(await failed(browser.withPage({}, soon(), async () => 1))).to.contain('closed')
  })

  it('gives a page that is offline no way to the network', async () => {
    let hits = 0
    const site = own(await serve((_, reply) => reply.end(String(hits++))))
    const { browser } = await open()
    await browser.withPage({ offline: true }, soon(), async (it) => {
      expect(await it.evaluate('1 + 1')).to.equal(2)
      expect(await failed(it.goto(site.url))).to.contain('ERR_INTERNET_DISCONNECTED')
    })
    expect(hits).to.equal(0)
  })

  it('is replaced after so many pages and at its age, without a pause for the pages that still run', async () => {
    const { browser } = await open({ maxPages: 2 })
    const groups = new Set<number>()
    const held = Promise.withResolvers<void>()
    const long = browser.withPage({ offline: true }, soon(), async (it) => {
      await held.promise
      return it.evaluate('"still here"')
    })
    await until('the long page is there', () => browser.group !== null)
    for (let i = 0; i < 3; i++) {
      await browser.withPage({ offline: true }, soon(), async () => groups.add(browser.group!))
    }
    expect(groups.size).to.equal(2)
    held.resolve()
    expect(await long).to.equal('still here')
    const [first] = [...groups]
    await until('the old browser ended', () => processesOf(first!).length === 0)

    const aged = await open({ maxAgeMs: 1 })
    const before = aged.browser.group
    await new Promise((resolve) => setTimeout(resolve, 5))
    await aged.browser.withPage({ offline: true }, soon(), async () => undefined)
    expect(aged.browser.group).to.not.equal(before)
  })

  it('gives its memory back when no one needs it, and starts again when someone does', async () => {
    const { browser } = await open({ idleMs: 50 })
    await until('it ended', () => browser.group === null)
    expect(await browser.withPage({ offline: true }, soon(), (it) => it.evaluate('7'))).to.equal(7)
  })

  it('starts again when it was killed, and fails the job of that moment as one to be repeated', async () => {
    const { browser } = await open()
    const first = browser.group!
    const job = browser.withPage({ offline: true }, soon(), async (it) => {
      process.kill(-first, 'SIGKILL')
      await it.evaluate('new Promise(() => {})')
    })
    const error = await job.catch((it: unknown) => it)
    expect(error).to.be.instanceOf(Error).and.not.instanceOf(JobFailure)
    expect(await browser.withPage({ offline: true }, soon(), (it) => it.evaluate('7'))).to.equal(7)
    expect(browser.group).to.not.equal(first)
  })

  it('outlives the pages that crash, and other pages do too', async () => {
    const { browser } = await open()
    const { group } = browser
    const crashed = Promise.withResolvers<void>()
    const bystander = browser.withPage({ offline: true }, soon(), async (it) => {
      await crashed.promise
      return it.evaluate('"unharmed"')
    })
    const crash = browser.withPage({ offline: true }, soon(), async (it) => {
      await it.goto('chrome://crash').catch(() => undefined)
      await it.evaluate('new Promise(() => {})')
    })
    expect(await failed(crash)).to.equal('the page crashed')
    crashed.resolve()
    expect(await bystander).to.equal('unharmed')
    expect(browser.group).to.equal(group)
  })

  it('ends a page at its time limit, even one whose script never ends, and continues', async () => {
    const site = own(await serve(page('<script>setTimeout(() => { for (;;); })</script>')))
    const { browser } = await open()
    const { group } = browser
    const limit = new AbortController()
    const stuck = browser.withPage({}, limit.signal, async (it) => {
      setTimeout(() => limit.abort(new Error('time is up')), 300)
      await it.goto(site.url)
      await it.evaluate('1')
    })
    expect(await failed(stuck)).to.equal('time is up')
    await until('its renderer ended', () => processesOf(group!).filter(({ isRenderer }) => isRenderer).length <= 1)
    expect(browser.group).to.equal(group)
    expect(await failed(browser.withPage({}, limit.signal, async () => 1))).to.equal('time is up')
  })

  it('kills a page that takes more memory than one may, and tells its caller so', async () => {
    const { browser } = await open({ maxRendererBytes: 250 * 1024 * 1024 })
    const { group } = browser
    const hog = browser.withPage({ offline: true }, soon(), (it) =>
      it.evaluate(`(async () => {
        const all = []
        for (;;) { all.push(new Uint8Array(2e7).fill(7)); await new Promise((next) => setTimeout(next, 5)) }
      })()`),
    )
    const error = await hog.catch((it: unknown) => it)
    expect(error).to.be.instanceOf(JobFailure)
    expect((error as JobFailure).message).to.equal('The page exceeds the memory limit.')
    expect(browser.group).to.equal(group)
  })

  it('ends the page whose blobs fill the browser, and none of those beside it', async () => {
    const site = own(await serve(page('<h1>here</h1>')))
    const { browser } = await open({ maxBytes: 450 * 1024 * 1024, maxPageBytes: 300 * 1024 * 1024 })
    let runs = 0
    const hogging = { isOver: false }
    const hog = browser
      .withPage({ offline: true }, soon(), (it) => {
        runs += 1
        return it.evaluate(`(async () => {
          globalThis.all = []
          const parts = Array(30).fill(new Uint8Array(1e6).fill(7))
          for (;;) { all.push(new Blob(parts)); await new Promise((next) => setTimeout(next, 50)) }
        })()`)
      })
      .catch((it: unknown) => it)
      .finally(() => (hogging.isOver = true))
    const innocent = () =>
      browser.withPage({}, soon(), async (it) => {
        await it.goto(site.url)
        await it.evaluate('new Promise((after) => setTimeout(after, 300))')
        return it.locator('h1').innerText()
      })
    const beside: Promise<unknown>[] = []
    const inLine = async () => {
      while (!hogging.isOver) {
        const shown = innocent().catch((error: Error) => error.message)
        beside.push(shown)
        await shown
      }
    }
    await Promise.all([inLine(), inLine()])
    const ending = (await hog) as JobFailure
    expect(ending).to.be.instanceOf(JobFailure)
    expect(ending.message).to.equal('The page exceeds the memory limit.')
    expect(runs, 'once among the others, once alone').to.equal(2)
    expect(beside.length).to.be.above(1)
    expect(new Set(await Promise.all(beside))).to.deep.equal(new Set(['here']))
  })

  it('ends with a worker that is killed: no process and no folder is left', async () => {
    // A folder of its own, since other tests open browsers meanwhile.
    const { path, remove } = temporaryFolder()
    own({ close: remove })
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, '../../support/browser-holder.ts'), theBrowser()],
      { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, TMPDIR: path } },
    )
    const [line] = await once(createInterface(child.stdout), 'line')
    const { group, folder } = JSON.parse(line as string) as { group: number; folder: string }
    expect(processesOf(group).length).to.be.greaterThan(1)
    expect(existsSync(folder)).to.equal(true)
    child.kill('SIGKILL')
    await once(child, 'exit')
    // Files that vanish during the search are no failure.
    const files = () => spawnSync('find', [path, '-mindepth', '1'], { encoding: 'utf8' }).stdout.trim()
    const left = () => [...processesOf(group).map(({ pid }) => `process ${pid}`), files()].filter(Boolean)
    expect(await eventually(left, (all) => all.length === 0)).to.deep.equal([])
  })
})

async function failed(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'nothing failed',
    (error: Error) => error.message,
  )
}

function foldersOf(pid: number): readonly string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`bandstand-browser-${pid}-`))
}
