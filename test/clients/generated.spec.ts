import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { temporaryFolder } from '../support/database.ts'
import { startService, type RunningService } from '../support/service.ts'
import { toOpenApi30 } from './openapi-30.ts'

const root = join(import.meta.dirname, '..', '..')
const packages = join(import.meta.dirname, 'node_modules')
const TYPED = [
  '--strict',
  '--skipLibCheck',
  '--module',
  'nodenext',
  '--target',
  'es2022',
  '--lib',
  'es2022,dom,dom.iterable',
]

/** Returns the output of a program; fails with its error output. */
async function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { cwd, timeout: 120_000 }).catch(
    (error: Error & { stdout?: string; stderr?: string }) =>
      expect.fail(`${program} ${args.join(' ')}\n${error.stdout ?? ''}\n${error.stderr ?? error.message}`),
  )
  return stdout
}

const node = (cwd: string, script: string, ...args: readonly string[]) =>
  run(process.execPath, [join(packages, script), ...args], cwd)

function canRun(program: string, ...args: readonly string[]): Promise<boolean> {
  return promisify(execFile)(program, args).then(
    () => true,
    () => false,
  )
}

/** A Python that has what the generated client asks for, where its generator can run too. */
async function findPython(): Promise<string | null> {
  if (!(await canRun('java', '-version'))) return null
  for (const program of ['/usr/bin/python3', 'python3']) {
    if (await canRun(program, '-c', 'import urllib3, dateutil, six, certifi')) return program
  }
  return null
}

describe('clients that others generate', () => {
  const folder = temporaryFolder()
  let service: RunningService
  let document: unknown
  let place: string
  before(async () => {
    service = await startService()
    document = await (await fetch(`${service.demo.baseUrl}/openapi.json`)).json()
  })
  beforeEach(() => {
    place = mkdtempSync(join(folder.path, 'client-'))
    writeFileSync(join(place, 'openapi.json'), JSON.stringify(document))
    writeFileSync(join(place, 'package.json'), '{"type":"module"}')
    symlinkSync(packages, join(place, 'node_modules'))
  })
  after(async () => {
    await service.stop()
    folder.remove()
  })

  /** First lines of a program. */
  function values(): string {
    const { baseUrl, keys, guildId, voiceChannelId: channelId } = service.demo
    return `const { baseUrl, key, guildId, channelId } = ${JSON.stringify({ baseUrl, key: keys.linked, guildId, channelId })}\n`
  }

  it('by openapi-typescript compile, play, and know what they are refused', async () => {
    await node(place, 'openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'schema.ts')
    const program = `import createClient from 'openapi-fetch'
import type { paths } from './schema.js'
${values()}// Refusals are JSON, unless problems are asked for by Accept.
const client = createClient<paths, 'application/json'>({ baseUrl, headers: { Authorization: \`Bearer \${key}\` } })
const params = { path: { guildId } }
const body = { query: 'harbour lights', channelId }
const { data: played } = await client.POST('/v1/music/guilds/{guildId}/play', { params, body })
const { data: player } = await client.GET('/v1/music/guilds/{guildId}/player', { params })
const { error } = await client.POST('/v1/music/guilds/{guildId}/play', { params, body: {} })
await client.DELETE('/v1/music/guilds/{guildId}/player', { params })
console.log(JSON.stringify([played?.data.track.title, player?.data.current?.title, error?.error.code]))
// @ts-expect-error there is no such route
void (() => client.GET('/v1/nonsense'))
`
    writeFileSync(join(place, 'program.ts'), program)
    await node(place, 'typescript/bin/tsc', ...TYPED, 'program.ts')
    const said = JSON.parse(await run(process.execPath, ['program.js'], place))
    expect(said).to.deep.equal(['Harbour Lights', 'Harbour Lights', 'validation_error'])
  })

  it('by @hey-api/openapi-ts compile, play, and know what they are refused', async () => {
    const config = { compilerOptions: { module: 'nodenext', target: 'es2022', strict: true, skipLibCheck: true } }
    writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(config))
    await node(place, '@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', 'api', '--no-log-file')
    const program = `import { client } from './api/client.gen.js'
import { closePlayer, getPlayer, play } from './api/index.js'
${values()}client.setConfig({ baseUrl, auth: key })
const path = { guildId }
const { data: played } = await play({ path, body: { query: 'harbour lights', channelId } })
const { data: player } = await getPlayer({ path })
const { error } = await play({ path, body: {} })
await closePlayer({ path })
console.log(JSON.stringify([played?.data.track.title, player?.data.current?.title, error?.error.code]))
`
    writeFileSync(join(place, 'program.ts'), program)
    await node(place, 'typescript/bin/tsc', ...TYPED, 'program.ts')
    const said = JSON.parse(await run(process.execPath, ['program.js'], place))
    expect(said).to.deep.equal(['Harbour Lights', 'Harbour Lights', 'validation_error'])
  })

  it('by orval compile, play, and know what they are refused', async () => {
    const made = ['--input', 'openapi.json', '--output', 'api.ts', '--client', 'axios-functions']
    await node(place, 'orval/dist/bin/orval.mjs', ...made)
    const program = `import axios from 'axios'
import { closePlayer, getPlayer, play } from './api.js'
${values()}axios.defaults.baseURL = baseUrl
axios.defaults.headers.common['Authorization'] = \`Bearer \${key}\`
const { data: played } = await play(guildId, { query: 'harbour lights', channelId })
const { data: player } = await getPlayer(guildId)
const code = await play(guildId, {}).catch((error) => error.response.data.error.code)
await closePlayer(guildId)
console.log(JSON.stringify([played.data.track.title, player.data.current?.title, code]))
`
    writeFileSync(join(place, 'program.ts'), program)
    await node(place, 'typescript/bin/tsc', ...TYPED, 'program.ts')
    const said = JSON.parse(await run(process.execPath, ['program.js'], place))
    expect(said).to.deep.equal(['Harbour Lights', 'Harbour Lights', 'validation_error'])
  })

  it('in Python by openapi-generator play, change the volume, and know what they are refused', async function () {
    const python = await findPython()
    if (python === null) this.skip()
    writeFileSync(join(place, 'openapi-30.json'), JSON.stringify(toOpenApi30(document)))
    const jar = join(packages, '@openapitools', 'openapi-generator-cli', 'bin', 'openapi-generator.jar')
    const made = ['-i', 'openapi-30.json', '-o', 'python', '--package-name', 'bandstand_api']
    await run('java', ['-jar', jar, 'generate', '-g', 'python', ...made], place)
    const { baseUrl, keys, guildId, voiceChannelId } = service.demo
    const args = [join(place, 'python'), baseUrl, keys.linked, guildId, voiceChannelId]
    const said = JSON.parse(await run(python, [join(import.meta.dirname, 'smoke.py'), ...args], place))
    const title = 'Harbour Lights'
    expect(said).to.deep.equal([title, title, title, 80, [409, 'conflict']])
  })
})

describe('our own client as a package', () => {
  const folder = temporaryFolder()
  after(() => folder.remove())

  it('is found to be well made by publint and @arethetypeswrong/cli, for ES modules and CommonJS', async () => {
    const place = mkdtempSync(join(folder.path, 'package-'))
    const source = join(place, 'client')
    mkdirSync(source)
    cpSync(join(root, 'packages', 'client'), source, {
      recursive: true,
      filter: (path) => !/node_modules|dist/.test(path),
    })
    await run(process.execPath, [join(root, 'packages', 'client', 'build.ts'), source], root)
    const packed = await run('npm', ['pack', '--ignore-scripts', '--json', '--loglevel=error'], source)
    const [{ filename }] = JSON.parse(packed)
    const tarball = join(source, filename)
    const linted = await node(place, 'publint/src/cli.js', 'run', tarball, '--strict', '--no-color')
    expect(linted).to.include('All good!')
    const judged = await node(place, '@arethetypeswrong/cli/dist/index.js', tarball, '--no-color', '--no-emoji')
    expect(judged).to.include('No problems found')
  })
})
