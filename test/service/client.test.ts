import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { WebSocket as WsSocket } from 'ws'
import { createClient, type BandstandEvent } from '../../packages/client/index.ts'
import { VERSION } from '../../lib/identity.ts'
import { launchBrowser, openTab } from '../support/browser.ts'
import { blocksOf } from '../support/code-blocks.ts'
import { temporaryFolder } from '../support/database.ts'
import { startService, type RunningService } from '../support/service.ts'
import { serve, type Listening } from '../support/web.ts'

const root = join(import.meta.dirname, '..', '..')
const tsc = join(root, 'node_modules', '.bin', 'tsc')
const run = promisify(execFile)

describe('a program with the typed client', () => {
  const folder = temporaryFolder()
  let service: RunningService
  let site: Listening
  before(async () => {
    site = await serve((_, res) => res.setHeader('content-type', 'text/html').end('<h1>A page</h1>'))
    service = await startService({ hasRenderer: true, env: { EGRESS_ALLOW_HOSTS: '127.0.0.1' } })
  })
  after(async () => {
    await service.stop()
    await site.close()
    folder.remove()
  })

  for (const [name, WebSocket] of [
    ['the own WebSocket of the runtime', undefined],
    ['that of the package ws', WsSocket],
  ] as const) {
    it(`plays, hears of it over ${name}, and reads the player`, async () => {
      const { baseUrl, keys, guildId, voiceChannelId: channelId, queries } = service.demo
      const bandstand = createClient({ baseUrl, key: keys.linked })
      const path = { guildId }
      const events = bandstand.events(WebSocket && { WebSocket })
      const heard: BandstandEvent[] = []
      for await (const event of events) {
        heard.push(event)
        if (event.type === 'ready') {
          const body = { query: String(queries[0]), channelId }
          const { data } = await bandstand.POST('/v1/music/guilds/{guildId}/play', { path, body })
          expect(data.added).to.equal(1)
        } else if (event.type === 'trackStarted') {
          const { data } = await bandstand.GET('/v1/music/guilds/{guildId}/player', { path })
          expect(data.current?.title).to.equal(event.track.title)
          await bandstand.DELETE('/v1/music/guilds/{guildId}/player', { path })
        } else if (event.type === 'playerClosed') events.close()
      }
      expect(heard.map(({ type }) => type)).to.deep.equal(['ready', 'trackStarted', 'trackEnded', 'playerClosed'])
    })
  }

  it('asks for a screenshot, waits until it is done, and collects the picture', async () => {
    const bandstand = createClient({ baseUrl: service.demo.baseUrl, key: service.demo.keys.unlinked })
    const { data: asked } = await bandstand.GET('/v1/tools/screenshot', { query: { url: site.url } })
    const path = { id: asked.jobId }
    const { data: over } = await bandstand.GET('/v1/jobs/{id}/wait', { path, query: { timeout: 50 } })
    expect(over.status).to.equal('completed')
    const picture = await bandstand.GET('/v1/jobs/{id}/result', { path, as: 'arrayBuffer' })
    expect(Buffer.from(picture).subarray(1, 4).toString()).to.equal('PNG')
  })

  it('finds in the published package what its page promises: code that runs, in browsers too, and types that hold', async () => {
    const place = mkdtempSync(join(folder.path, 'program-'))
    const source = join(place, 'client')
    const home = join(place, 'node_modules')
    cpSync(join(root, 'packages', 'client'), source, {
      recursive: true,
      filter: (path) => !/node_modules|dist/.test(path),
    })
    await run(process.execPath, [join(root, 'packages', 'client', 'build.ts'), source]).catch(({ stdout }) =>
      expect(stdout).to.equal(''),
    )
    const packed = await run('npm', ['pack', '--ignore-scripts', '--json', '--loglevel=error'], { cwd: source })
    const [{ filename, files }] = JSON.parse(packed.stdout)
    const names = files.map(({ path }: { path: string }) => path)
    expect(names).to.include.members(['LICENSE', 'README.md', 'package.json', 'dist/esm/index.js', 'dist/cjs/index.js'])
    expect(names.filter((name: string) => !/^(LICENSE|README\.md|package\.json|dist\/)/.test(name))).to.deep.equal([])

    const installed = join(home, 'bandstand-client')
    mkdirSync(installed, { recursive: true })
    symlinkSync(join(root, 'node_modules', '@types'), join(home, '@types'))
    await run('tar', ['-xzf', join(source, filename), '-C', installed, '--strip-components=1'])
    expect(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))).not.to.have.property('dependencies')
    const programs = blocksOf(root, 'packages/client/README.md').map(({ code }) => fillIn(code))
    const mistake = "\n// @ts-expect-error there is no such route\nvoid bandstand.GET('/v1/nonsense')\n"
    writeFileSync(join(place, 'package.json'), '{"type":"module"}')
    const paths = programs.map((code, at) => {
      const name = code.includes('require(') ? `program${at}.cjs` : `program${at}.ts`
      writeFileSync(join(place, name), code)
      return name
    })
    writeFileSync(join(place, 'wrong.ts'), programs[0] + mistake)
    const typed = ['wrong.ts', ...paths.filter((name) => name.endsWith('.ts'))]
    const strict = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--types', 'node']
    await run(tsc, [...strict, ...typed], { cwd: place }).catch(({ stdout }) => expect(stdout).to.equal(''))
    const said: string[] = []
    for (const name of paths) {
      const { stdout } = await run(process.execPath, [name], { cwd: place, timeout: 30_000 })
      said.push(stdout.trim())
    }
    expect(said[0]).to.match(/^Harbour Lights is at position 0\nnow Harbour Lights$/i)
    expect(said[1]).to.match(/^query\.limit: .*25/)
    expect(said[2]).to.match(/^Harbour Lights/i)
    expect(said[3]).to.match(/^[1-9]\d* of the last requests failed$/)
    expect(said.slice(4)).to.deep.equal(['sepia.png', `Bandstand ${VERSION}`])
    await service.call('DELETE', `/v1/music/guilds/${service.demo.guildId}/player`)
    const shown = await sayInBrowser(home, programs[0] ?? '', 'now ')
    expect(shown).to.have.length(2)
    expect(shown[0]).to.match(/^Harbour Lights is at position 0$/i)
  })

  /** An example of the page, with the values of the service that runs here. */
  function fillIn(code: string): string {
    const { baseUrl, keys, guildId, voiceChannelId } = service.demo
    return code
      .replace('http://127.0.0.1:8080', baseUrl)
      .replace('svc.…', keys.linked)
      .replace('VOICE_CHANNEL_ID', voiceChannelId)
      .replace('GUILD_ID', guildId)
  }
})

/** Output of a program on a page of another origin, with the packages of `home` as they are, until it prints `last`. */
async function sayInBrowser(home: string, program: string, last: string): Promise<readonly string[]> {
  const imports = { 'bandstand-client': '/bandstand-client/dist/esm/index.js' }
  const page = `<script type="importmap">${JSON.stringify({ imports })}</script><script type="module">${program}</script>`
  const pages = await serve(({ url = '/' }, res) => {
    if (url === '/favicon.ico') return void res.writeHead(204).end()
    res.setHeader('content-type', url === '/' ? 'text/html' : 'text/javascript')
    res.end(url === '/' ? page : readFileSync(join(home, url)))
  })
  const browser = await launchBrowser()
  try {
    const tab = await openTab(browser)
    const said: string[] = []
    tab.page.on('console', (message) => message.type() === 'log' && said.push(message.text()))
    const over = tab.page.waitForEvent('console', { predicate: (it) => it.text().startsWith(last), timeout: 30_000 })
    await Promise.all([over, tab.page.goto(pages.url)])
    expect(tab.complaints).to.deep.equal([])
    return said
  } finally {
    await browser.close()
    await pages.close()
  }
}
