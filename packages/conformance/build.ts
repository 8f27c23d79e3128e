// Builds dist/, the package as npm has it: plain JavaScript with types, and the sandbox inside.
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import own from './package.json' with { type: 'json' }
import sandbox from '../sandbox/package.json' with { type: 'json' }

const here = import.meta.dirname
const root = join(here, '..', '..')
const dist = join(here, 'dist')
const require = createRequire(import.meta.url)
const project = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { dependencies: Record<string, string> }
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc')

rmSync(dist, { recursive: true, force: true })
execFileSync(process.execPath, [tsc, '-p', join(here, 'tsconfig.build.json')], { stdio: 'inherit' })
copyOthers('packages/conformance')
copyOthers('packages/sandbox')

const { 'bandstand-sandbox': _inside, ...dependencies } = {
  ...sandbox.dependencies,
  ...own.dependencies,
  ...own.devDependencies,
  // The dependency of the compiled part of lib/.
  'fastest-levenshtein': project.dependencies['fastest-levenshtein'],
}
const manifest = {
  ...own,
  bin: { 'lavalink-conformance': './packages/conformance/cli.js' },
  // The compiled suite still imports the sandbox by its name, which is here.
  imports: { '#sandbox/*': './packages/sandbox/*.js' },
  dependencies: Object.fromEntries(Object.entries(dependencies).toSorted(([one], [other]) => one.localeCompare(other))),
  devDependencies: undefined,
  scripts: undefined,
}
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
// The compiled sandbox reads its version here.
const { version } = sandbox
writeFileSync(join(dist, 'packages/sandbox/package.json'), `${JSON.stringify({ version, type: 'module' })}\n`)
cpSync(join(here, 'README.md'), join(dist, 'README.md'))
cpSync(join(root, 'LICENSE'), join(dist, 'LICENSE'))
chmodSync(join(dist, 'packages/conformance/cli.js'), 0o755)

/** Sounds, pages and the like, beside the code that reads them. */
function copyOthers(folder: string): void {
  for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
    const from = join(entry.parentPath, entry.name)
    const path = relative(join(root, folder), from)
    const isOther = entry.isFile() && !/\.ts$|package\.json$|\.md$/.test(entry.name)
    if (!isOther || /(?:^|\/)(?:dist|node_modules|test)(?:\/|$)/.test(path)) continue
    const to = join(dist, folder, path)
    mkdirSync(dirname(to), { recursive: true })
    writeFileSync(to, readFileSync(from))
  }
}
