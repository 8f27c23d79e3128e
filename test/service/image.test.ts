import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

interface Stage {
  readonly name: string
  readonly base: string
  readonly steps: readonly Step[]
}

interface Step {
  readonly word: string
  readonly rest: string
}

/** The Dockerfile in instructions, lines that continue joined. */
const steps: readonly Step[] = read('deploy/Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n/g, ' ')
  .split('\n')
  .flatMap((line) => (/\S/.test(line) ? [stepOf(line)] : []))
const stages = stagesOf(steps)

function stepOf(line: string): Step {
  const [word = '', ...rest] = line.split(' ')
  return { word, rest: rest.join(' ').trim() }
}

function stagesOf(all: readonly Step[]): readonly Stage[] {
  const starts = all.flatMap(({ word }, at) => (word === 'FROM' ? [at] : []))
  return starts.map((start, index) => {
    const [, base = '', name = ''] = /(\S+) AS (\S+)$/.exec(all[start]?.rest ?? '') ?? []
    return { name, base, steps: all.slice(start + 1, starts[index + 1]) }
  })
}

/** A stage's own instructions, after those of the stages it is built from. */
function inherited(name: string): readonly Step[] {
  const stage = stages.find((one) => one.name === name)
  return stage ? [...inherited(stage.base), ...stage.steps] : []
}

/** The last of `word`, as Docker takes it. */
function last(name: string, word: string): string | undefined {
  return inherited(name).findLast((step) => step.word === word)?.rest
}

/** Whether `.dockerignore` keeps `path` out. It has folders, `**`, one kind of `*` and exceptions. */
function isLeftOut(path: string): boolean {
  return read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '')
    .reduce((isOut, line) => (toPattern(line.replace(/^!/, '')).test(path) ? !line.startsWith('!') : isOut), false)
}

function toPattern(line: string): RegExp {
  const body = line
    .replaceAll('.', String.raw`\.`)
    .replace(/^\*\*\//, '(?:.+/)?')
    .replaceAll(/(?<!\))\*/g, '[^/]*')
  return new RegExp(`^${body}(?:/.*)?$`)
}

describe('the images', () => {
  it('are slim, without Chromium, and full, the one without --target', () => {
    expect(stages.at(-1)?.name).to.equal('full')
    expect(JSON.stringify(inherited('slim'))).not.to.include('chromium')
    expect(JSON.stringify(inherited('full'))).to.include('chromium-headless-shell')
  })

  it('have the Node that the packages have', () => {
    const { dependencies } = JSON.parse(read('package.json'))
    expect(steps[0]?.rest).to.equal(`NODE_VERSION=${dependencies.node}`)
    for (const { base } of stages.filter((stage) => stage.base.includes(':'))) {
      expect(base).to.equal(`node:\${NODE_VERSION}-bookworm-slim`)
    }
  })

  it('copy only what is there, and have package files of all workspaces before packages are installed', () => {
    const copied = stages.flatMap((stage) => stage.steps.filter(({ word }) => word === 'COPY').map(({ rest }) => rest))
    const files = copied.filter((rest) => !rest.startsWith('--from=')).flatMap((rest) => rest.split(' ').slice(0, -1))
    expect(files.filter((file) => !existsSync(join(root, file)) || isLeftOut(file))).to.deep.equal([])
    expect(JSON.parse(read('package.json')).workspaces).to.deep.equal(['packages/*'])
    const packages = readdirSync(join(root, 'packages'))
    expect(files).to.include.members(packages.map((name) => `packages/${name}/package.json`))
    const sources = copied.flatMap((rest) => /^--from=(\S+)/.exec(rest)?.slice(1) ?? [])
    expect(stages.map(({ name }) => name)).to.include.members(sources)
  })

  it('contain what the service imports, and no tests, benches, data or secrets', () => {
    for (const path of [
      'main.ts',
      'jobs/main.ts',
      'service/lavalink-node/main.ts',
      'service/admin/main.ts',
      'packages/sandbox/main.ts',
    ]) {
      expect(existsSync(join(root, path)) && !isLeftOut(path), path).to.equal(true)
    }
    for (const path of [
      'service/demo/demo-tracks.ts',
      'migrations/postgres',
      'packages/client/package.json',
      '.npmrc',
    ]) {
      expect(isLeftOut(path), path).to.equal(false)
    }
    const left = [
      '.env',
      'deploy/.env',
      'node.env',
      'data/db.sqlite',
      '.git/config',
      'node_modules/koa',
      'packages/client/index.ts',
    ]
    for (const path of [...left, 'test/config.test.ts', 'tools/bench/all.ts', 'sandbox/node_modules/x']) {
      expect(isLeftOut(path), path).to.equal(true)
    }
  })

  it('change in their last layer alone with the code, and run unprivileged with a way to stop and to ask', () => {
    for (const name of ['slim', 'full']) {
      expect(inherited(name).at(-1)).to.deep.equal({ word: 'COPY', rest: '--from=code /app .' })
      expect(last(name, 'USER')).to.equal('node')
      expect(last(name, 'VOLUME')).to.equal('/data')
      expect(last(name, 'STOPSIGNAL')).to.equal('SIGTERM')
      expect(last(name, 'HEALTHCHECK')).to.include('/healthz')
    }
  })

  it('are the ones that the compose files build', () => {
    for (const path of ['deploy/compose.yaml', 'deploy/cluster/compose.yaml']) {
      const { services } = parse(read(path), { merge: true }) as {
        services: Record<string, { build?: { target: string } }>
      }
      const targets = Object.values(services).flatMap(({ build }) => (build ? [build.target] : []))
      expect(targets, path).to.include.members(['slim', 'full'])
      expect(services['renderer']?.build?.target, path).to.equal('full')
    }
  })
})
