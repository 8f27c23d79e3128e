import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { admin } from './support/admin.ts'
import { blocksOf, type Block } from './support/code-blocks.ts'
import { temporaryFolder } from './support/database.ts'
import { eventually, startService, type RunningService } from './support/service.ts'

const root = join(import.meta.dirname, '..')
const pages = [
  'README.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'packages/client/README.md',
  ...inFolder('docs'),
  ...inFolder('docs/adr'),
]
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Blocks that are not run as they stand, by a piece of their text, and why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'git clone': 'needs the address of a repository; test/service/newcomer.test.ts goes on from `npm start`',
  'new Shoukaku(': 'needs a bot with that library; test/clients plays through it',
  'new LavalinkManager(': 'needs a bot with that library; test/clients plays through it',
  'https://intranet.example.org': 'a site that is not there; test/api/routes/queueing.test.ts sends such a body',
  'npm run sources:check': 'asks music sites; test/bot/sources/sources-check.test.ts asks stand-ins',
  'docker build -f': 'needs Docker; test/service/image.test.ts reads the file',
  'docker buildx build': 'needs Docker and a registry',
  'export BANDSTAND=http': 'says what to set, with values that are only examples',
}

/** Pages whose blocks want more than the service, and the test that runs them. */
const RUN_ELSEWHERE: Readonly<Record<string, string>> = {
  'packages/client/README.md': 'test/service/client.test.ts',
  'docs/webhooks.md': 'test/api/webhooks/recipes.test.ts',
}

/** Replaces placeholders for the reader's own values by those of the running service. */
function filledIn(code: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((text, [placeholder, value]) => text.replaceAll(placeholder, value), code)
}

const RUNNERS: Readonly<Record<string, (code: string) => readonly [string, ...string[]]>> = {
  sh: (code) => ['bash', '--norc', '-ec', SHELL + code],
  js: (code) => [process.execPath, '--input-type=module', '-e', code],
  python: (code) => ['python3', '-c', code],
}

/** Nothing runs there; `npm run check` draws the picture of imports again, and YAML is of other programs. */
const READ_ONLY: ReadonlySet<string> = new Set(['text', 'mermaid', 'yaml'])

/** npm without its set-up, which other tests try: its scripts run in the scratch folder against the running service. */
const SHELL = `
npm() {
  case "$*" in
    start) cat "$SERVICE_LOG" ;;
    'run node') node --input-type=module -e "(await import('$ROOT/service/lavalink-node/environment.ts')).readEnvironment(process.env)" ;;
    'run admin -- restore '*) shift 3; DATA_DIR="$PWD/stopped" node "$ROOT/service/admin/main.ts" "$@" ;;
    'run admin -- bot add '*) shift 3; printf %s "$BOT_TOKEN" | node "$ROOT/service/admin/main.ts" "$@" ;;
    'run setup') node "$ROOT/service/admin/main.ts" setup --wait 0 < token.txt ;;
    'run -s setup -- '*) shift 4; node "$ROOT/service/admin/main.ts" setup "$@" ;;
    'run admin -- '*) shift 3; node "$ROOT/service/admin/main.ts" "$@" ;;
    *) echo "npm $* is not run here" >&2; return 1 ;;
  esac
}
`

describe('the documentation', () => {
  const folder = temporaryFolder()
  const site = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<h1>A page</h1>'))
  let service: RunningService
  let env: Record<string, string>
  let values: Record<string, string>

  before(async () => {
    site.listen(0, '127.0.0.1')
    service = await startService({ hasRenderer: true, env: { EGRESS_ALLOW_HOSTS: '127.0.0.1', LOG_LEVEL: 'info' } })
    const { demo, dataDir } = service
    const made = await service.sandbox('POST', '/sandbox/applications', { name: 'Of the guide' })
    const other = await service.sandbox('POST', '/sandbox/applications', { name: 'Of the set-up' })
    writeFileSync(join(folder.path, 'token.txt'), `${other.body.token}\n`)
    await fetch(`${demo.baseUrl}/v1/status`, { headers: { 'x-request-id': 'YOUR-ID' } })
    await fetch(`${demo.baseUrl}/v1/tools/weather?city=x`, { headers: { authorization: `Bearer ${demo.keys.linked}` } })
    const log = join(folder.path, 'service.log')
    env = {
      PATH: process.env['PATH'] ?? '',
      // Each command reuses the compiled code of the command line.
      NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'node'),
      ROOT: root,
      DATA_DIR: dataDir,
      SERVICE_LOG: log,
      BOT_TOKEN: made.body.token,
      BANDSTAND: demo.baseUrl,
      KEY: demo.keys.linked,
      GUILD: demo.guildId,
      CHANNEL: demo.voiceChannelId,
      PAGE: `http://127.0.0.1:${(site.address() as AddressInfo).port}/`,
    }
    const { body: guild } = await service.sandbox('GET', `/sandbox/guilds/${demo.guildId}`)
    const create = ['pool', 'create', 'All', '--project', demo.projectId, '--bots', demo.botId, '--json']
    const { json: pool } = await admin(create, { dataDir })
    values = {
      'http://127.0.0.1:8080': demo.baseUrl,
      'http://127.0.0.1:8090': demo.sandboxUrl,
      'svc.…': demo.keys.linked,
      VOICE_CHANNEL_ID: demo.voiceChannelId,
      GUILD_ID: demo.guildId,
      MEMBER_ID: guild.members[0].id,
      PROJECT_ID: demo.projectId,
      BOT_ID: demo.botId,
      POOL_ID: pool.id,
      '/backups/': `${folder.path}/`,
    }
    mkdirSync(join(folder.path, 'stopped'))
    mkdirSync(join(folder.path, 'web-usfm'))
    writeFileSync(join(folder.path, 'web-usfm', '01-GEN.usfm'), '\\id GEN\n\\c 1\n\\v 1 In the beginning.')
    // A line of the log comes a moment after the answer that it tells of.
    const output = await eventually(
      async () => service.output(),
      (text) => text.includes('YOUR-ID'),
    )
    writeFileSync(log, output)
  })
  after(async () => {
    await service.stop()
    site.close()
    site.closeAllConnections()
    folder.remove()
  })

  async function run({ language, code, line, page }: Block): Promise<void> {
    const runner = RUNNERS[language]
    if (!runner) throw new Error(`${page}, line ${line}: nobody knows how to run \`${language || 'this'}\`.`)
    const [program, ...args] = runner(filledIn(code, values)) as [string, ...string[]]
    await promisify(execFile)(program, args, { cwd: folder.path, env, timeout: 60_000 }).catch((error: Error) => {
      throw new Error(`${page}, line ${line}: ${error.message}`)
    })
  }

  const hasPython = promisify(execFile)('python3', ['--version']).then(
    () => true,
    () => false,
  )

  for (const page of pages) {
    const blocks = blocksOf(root, page)
    if (blocks.length === 0 || page in RUN_ELSEWHERE) continue
    it(`has no lines in ${page} that do not run as they stand`, async () => {
      for (const block of blocks) {
        const isExcused = Object.keys(NOT_RUN).some((piece) => block.code.includes(piece))
        if (block.language === 'json') JSON.parse(block.code)
        else if (!READ_ONLY.has(block.language) && !isExcused && (block.language !== 'python' || (await hasPython)))
          await run(block)
      }
    })
  }

  it('made the pictures that its recipes promise, and the backup', () => {
    expect(readdirSync(folder.path)).to.include.members([
      'sepia.png',
      'page.png',
      'bandstand-monday.db',
      'bandstand.log',
    ])
  })

  it('excuses no more than it must', () => {
    for (const [page, test] of Object.entries(RUN_ELSEWHERE)) expect(read(test)).to.include(page)
    const all = pages.flatMap((page) => blocksOf(root, page).map(({ code }) => code))
    for (const piece of Object.keys(NOT_RUN)) {
      expect(
        all.filter((code) => code.includes(piece)),
        piece,
      ).to.have.length(1)
    }
  })
})

describe('every page of the documentation', () => {
  it('links to what is there', () => {
    const broken = pages.flatMap((page) => {
      const links = [...read(page).matchAll(/(?:\]\(|(?:src|srcset)=")(?!https?:|#)([^)#\s"]+)/g)]
      return links.filter(([, to]) => !existsSync(join(root, page, '..', String(to)))).map(([, to]) => `${page}: ${to}`)
    })
    expect(broken).to.deep.equal([])
  })

  it('names npm scripts that there are', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: object }
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/npm run (?:-s )?([a-z][a-z:-]*)/g)].map(([, name]) => name),
    )
    expect([...new Set(named)].filter((name) => !(String(name) in scripts))).to.deep.equal([])
  })

  it('names files and folders of the project that there are', () => {
    const wrong = [...pages, 'deploy/Dockerfile', 'deploy/compose.yaml'].flatMap((page) => {
      const named = [...read(page).matchAll(/`((?:[a-z][\w-]*\/)+(?:[\w.@-]*\w)?|\.?[a-z][\w-]*\.(?:ts|js|json))`/g)]
      const names = named.map(([, name]) => String(name)).filter((name) => !NOT_OF_THE_PROJECT.test(name))
      return names
        .filter((name) => !existsSync(join(root, name)) && !existsSync(join(root, page, '..', name)))
        .map((name) => `${page}: ${name}`)
    })
    expect(wrong).to.deep.equal([])
  })

  it('names commands of the command line, and options, that there are', async () => {
    const folder = temporaryFolder()
    const lines = new Set(
      [...pages, 'deploy/prometheus-alerts.yaml'].flatMap((page) =>
        [...read(page).matchAll(/npm run (?:-s )?admin -- ([a-z][^`\n)#]*)/g)].map(([, line]) => String(line).trim()),
      ),
    )
    for (const line of lines) {
      const words = line.split(/\s+/)
      const command = words
        .slice(0, words.findIndex((word) => !/^[a-z][a-z-]*$/.test(word)) >>> 0)
        .filter((word) => word !== 'help')
      const { stdout, code } = await admin([...command, '--help'], { dataDir: folder.path })
      expect(code, line).to.equal(0)
      if (command[0]) expect(stdout, line).to.include(command[0])
      for (const option of line.match(/--[a-z][a-z-]*/g) ?? []) expect(stdout, line).to.include(option)
    }
    expect(lines.size).to.be.above(8)
    folder.remove()
  })

  it('names variables that mean something', () => {
    const example = read('.env.example')
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/`([A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+)(?:=[^`]*)?`/g)].map(([, name]) => String(name)),
    )
    expect(
      [...new Set(named)].filter((name) => !example.includes(`${name}=`) && !NO_VARIABLES.has(name)),
    ).to.deep.equal([])
  })
})

/** Files created later, and text that only looks like a path. */
const NOT_OF_THE_PROJECT = /^(audio\/|library|results|tracks|demo\.json|\.mcp\.json|dist\/|text\/)/
/** Variables of Node.js or of other programs. */
const NO_VARIABLES = new Set([
  'NODE_COMPILE_CACHE',
  'NODE_EXTRA_CA_CERTS',
  'MALLOC_ARENA_MAX',
  'MALLOC_MMAP_THRESHOLD_',
  'RLIMIT_DATA',
  // Variables of deploy/cluster/haproxy.cfg.
  'SERVICE_1',
  'SERVICE_5',
])

function inFolder(name: string): readonly string[] {
  return readdirSync(join(root, name))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${name}/${file}`)
}
