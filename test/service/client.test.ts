import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { WebSocket as WsSocket } from 'ws'
import { createClient, openEvents, type BandstandEvent } from '../../client/index.ts'
import { launchBrowser, openTab } from '../support/browser.ts'
import { blocksOf } from '../support/code-blocks.ts'
import { temporaryFolder } from '../support/database.ts'
import { startService, type RunningService } from '../support/service.ts'
import { serve, type Listening } from '../support/web.ts'

const root = join(import.meta.dirname, '..', '..')
const run = promisify(execFile)

/** What a program does that is written with the typed client. */
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
      const params = { path: { guildId } }
      const events = openEvents({ baseUrl, key: keys.linked, ...(WebSocket && { WebSocket }) })
      const heard: BandstandEvent[] = []
      for await (const event of events) {
        heard.push(event)
        if (event.type === 'ready') {
          const body = { query: String(queries[0]), channelId }
          const { data, error } = await bandstand.POST('/v1/music/guilds/{guildId}/play', { params, body })
          expect([error, data?.data.added]).to.deep.equal([undefined, 1])
        } else if (event.type === 'trackStarted') {
          const { data } = await bandstand.GET('/v1/music/guilds/{guildId}/player', { params })
          expect(data?.data.current?.title).to.equal(event.track.title)
          await bandstand.DELETE('/v1/music/guilds/{guildId}/player', { params })
        } else if (event.type === 'playerClosed') events.close()
      }
      expect(heard.map(({ type }) => type)).to.deep.equal(['ready', 'trackStarted', 'trackEnded', 'playerClosed'])
    })
  }

  it('asks for a screenshot, waits until it is done, and collects the picture', async () => {
    const bandstand = createClient({ baseUrl: service.demo.baseUrl, key: service.demo.keys.unlinked })
    const { data: asked, error } = await bandstand.GET('/v1/tools/screenshot', { params: { query: { url: site.url } } })
    expect(error).to.equal(undefined)
    const id = asked?.data.jobId ?? ''
    const query = { timeout: 50 }
    const { data: over } = await bandstand.GET('/v1/jobs/{id}/wait', { params: { path: { id }, query } })
    expect(over?.data.status).to.equal('completed')
    const { data: picture } = await bandstand.GET('/v1/jobs/{id}/result', {
      params: { path: { id } },
      parseAs: 'arrayBuffer',
    })
    expect(
      Buffer.from(picture as ArrayBuffer)
        .subarray(1, 4)
        .toString(),
    ).to.equal('PNG')
  })

  it('finds in the published package what its page promises: code that runs, in browsers too, and types that hold', async () => {
    const { baseUrl, keys, guildId, voiceChannelId } = service.demo
    const source = join(folder.path, 'client')
    const home = join(folder.path, 'node_modules')
    cpSync(join(root, 'client'), source, { recursive: true, filter: (path) => !/node_modules|dist/.test(path) })
    cpSync(join(root, 'LICENSE'), join(source, 'LICENSE'))
    mkdirSync(home)
    symlinkSync(join(root, 'node_modules', 'openapi-fetch'), join(home, 'openapi-fetch'))
    const tsc = join(root, 'node_modules', '.bin', 'tsc')
    await run(tsc, ['-p', source]).catch(({ stdout }) => expect(stdout).to.equal(''))
    cpSync(join(source, 'schema.d.ts'), join(source, 'dist', 'schema.d.ts'))
    const packed = await run('npm', ['pack', '--ignore-scripts', '--json', '--loglevel=error'], { cwd: source })
    const [{ filename, files }] = JSON.parse(packed.stdout)
    const names = files.map(({ path }: { path: string }) => path)
    expect(names).to.include.members(['LICENSE', 'README.md', 'package.json', 'dist/index.js', 'dist/schema.d.ts'])
    expect(names.filter((name: string) => !/^(LICENSE|README\.md|package\.json|dist\/)/.test(name))).to.deep.equal([])

    mkdirSync(join(home, 'bandstand-client'))
    await run('tar', ['-xzf', join(source, filename), '-C', join(home, 'bandstand-client'), '--strip-components=1'])
    const [example] = blocksOf(root, 'client/README.md')
    const code = String(example?.code)
      .replace('http://127.0.0.1:8080', baseUrl)
      .replace('svc.…', keys.linked)
      .replace('VOICE_CHANNEL_ID', voiceChannelId)
      .replace('GUILD_ID', guildId)
    const mistake = "\n// @ts-expect-error there is no such route\nvoid bandstand.GET('/v1/nonsense')\n"
    writeFileSync(join(folder.path, 'package.json'), '{"type":"module"}')
    writeFileSync(join(folder.path, 'program.ts'), code)
    writeFileSync(join(folder.path, 'typed.ts'), code + mistake)
    const strict = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom']
    await run(tsc, [...strict, 'typed.ts'], { cwd: folder.path }).catch(({ stdout }) => expect(stdout).to.equal(''))
    const { stdout } = await run(process.execPath, [join(folder.path, 'program.ts')], { timeout: 30_000 })
    expect(stdout).to.match(/^Harbour Lights is at position 0\n/i)
    expect(stdout).to.match(/\nnow Harbour Lights\n$/i)
    await service.call('DELETE', `/v1/music/guilds/${guildId}/player`)
    const said = await sayInBrowser(home, code, 'now ')
    expect(said).to.have.length(2)
    expect(said[0]).to.match(/^Harbour Lights is at position 0$/i)
    expect(JSON.parse(readFileSync(join(home, 'bandstand-client', 'package.json'), 'utf8')).dependencies).to.have.keys(
      'openapi-fetch',
    )
  })
})

/** What a program says on a page of another origin, with the packages of `home` as they are, until it says `last`. */
async function sayInBrowser(home: string, program: string, last: string): Promise<readonly string[]> {
  const imports = {
    'bandstand-client': '/bandstand-client/dist/index.js',
    'openapi-fetch': '/openapi-fetch/dist/index.mjs',
  }
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
