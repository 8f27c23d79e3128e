import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { temporaryFolder } from './support/database.ts'
import { startService, type RunningService } from './support/service.ts'

const root = join(import.meta.dirname, '..')

interface Block {
  readonly language: string
  readonly code: string
  readonly line: number
}

function blocksOf(path: string): readonly Block[] {
  const text = readFileSync(join(root, path), 'utf8')
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map((match) => ({
    language: String(match[1]),
    code: String(match[2]),
    line: text.slice(0, match.index).split('\n').length,
  }))
}

const RUNNERS: Readonly<Record<string, (code: string) => readonly [string, ...string[]]>> = {
  sh: (code) => ['bash', '-ec', code],
  js: (code) => [process.execPath, '--input-type=module', '-e', code],
  python: (code) => ['python3', '-c', code],
}

describe('the guide to the API', () => {
  const folder = temporaryFolder()
  const site = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<h1>A page</h1>'))
  let service: RunningService
  before(async function () {
    this.timeout(60_000)
    site.listen(0, '127.0.0.1')
    service = await startService({ env: { EGRESS_ALLOW_HOSTS: '127.0.0.1' } })
  })
  after(async () => {
    await service.stop()
    site.close()
    site.closeAllConnections()
    folder.remove()
  })

  it('has no lines that do not run as they stand', async function () {
    this.timeout(120_000)
    const { demo } = service
    const env = {
      PATH: process.env['PATH'],
      BANDSTAND: demo.baseUrl,
      KEY: demo.keys.linked,
      GUILD: demo.guildId,
      CHANNEL: demo.voiceChannelId,
      PAGE: `http://127.0.0.1:${(site.address() as AddressInfo).port}/`,
    }
    const hasPython = await promisify(execFile)('python3', ['--version']).then(
      () => true,
      () => false,
    )
    const ran = []
    for (const { language, code, line } of blocksOf('docs/api.md')) {
      if (language === 'json') JSON.parse(code)
      // The first block says what to set, with addresses of its own.
      if (language === 'json' || code.startsWith('export BANDSTAND=')) continue
      if (language === 'python' && !hasPython) continue
      const [program, ...args] = (RUNNERS[language] ?? (() => ['false']))(code) as [string, ...string[]]
      await promisify(execFile)(program, args, { cwd: folder.path, env, timeout: 60_000 }).catch((error: Error) => {
        throw new Error(`docs/api.md, line ${line}: ${error.message}`)
      })
      ran.push(language)
    }
    expect(ran).to.include.members(['sh', 'js'])
    expect(readdirSync(folder.path)).to.include.members(['sepia.png', 'page.png'])
  })
})

describe('every page of the documentation', () => {
  const pages = ['README.md', 'SECURITY.md', 'CHANGELOG.md', 'client/README.md', ...inFolder('docs')]

  it('links to what is there', () => {
    const broken = pages.flatMap((page) => {
      const links = [...readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
      const folder = join(root, page, '..')
      return links.filter(([, to]) => !exists(join(folder, String(to)))).map(([, to]) => `${page}: ${to}`)
    })
    expect(broken).to.deep.equal([])
  })

  it('names npm scripts that there are', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
    const named = pages.flatMap((page) =>
      [...readFileSync(join(root, page), 'utf8').matchAll(/npm run (?:-s )?([a-z][a-z:-]*)/g)].map(([, name]) => name),
    )
    expect([...new Set(named)].filter((name) => !(String(name) in scripts))).to.deep.equal([])
  })
})

function inFolder(name: string): readonly string[] {
  return readdirSync(join(root, name))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${name}/${file}`)
}

function exists(path: string): boolean {
  try {
    readFileSync(path)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EISDIR'
  }
}
