// Builds dist/, the package as npm has it: plain JavaScript with types, which Node runs from node_modules.
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname, join, relative } from 'node:path'
import own from './package.json' with { type: 'json' }

const here = import.meta.dirname
const PICTURE = 'sandbox.webp'
const dist = join(here, 'dist')
/** Next to the compiled part of lib/, as in the repository. */
const OUT = join(dist, 'packages', 'sandbox')
const root = JSON.parse(readFileSync(join(here, '..', '..', 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>
}
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
/** Files that are not published, or that the package has its own version of. */
const LEFT_OUT = /^(?:dist|examples|node_modules|test)(?:\/|$)|^(?:package|tsconfig.*)\.json$|^README\.md$/

rmSync(dist, { recursive: true, force: true })
execFileSync(process.execPath, [tsc, '-p', join(here, 'tsconfig.build.json')], { stdio: 'inherit' })
for (const path of readdirSync(here, { recursive: true, encoding: 'utf8' })) {
  const isCode = extname(path) === '.ts' || extname(path) === ''
  if (!isCode && !LEFT_OUT.test(path)) cpSync(join(here, path), join(OUT, path))
}

const compiled = (path: string) => `./packages/sandbox/${path.replace(/^\.\//, '').replace(/\.ts$/, '.js')}`
const entryOf = (path: string) =>
  path === './package.json'
    ? path
    : path.endsWith('.ts')
      ? { types: compiled(path).replace(/\.js$/, '.d.ts'), default: compiled(path) }
      : compiled(path)
const dependencies = {
  ...own.dependencies,
  // Imported by the compiled part of lib/.
  'fastest-levenshtein': root.dependencies['fastest-levenshtein'],
}
const manifest = {
  ...own,
  bin: Object.fromEntries(Object.entries(own.bin).map(([name, path]) => [name, compiled(path)])),
  exports: Object.fromEntries(Object.entries(own.exports).map(([name, path]) => [name, entryOf(path)])),
  dependencies: Object.fromEntries(Object.entries(dependencies).toSorted(([one], [other]) => one.localeCompare(other))),
  scripts: undefined,
}
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
// Compiled code reads its version here.
writeFileSync(join(OUT, 'package.json'), `${JSON.stringify({ version: own.version, type: 'module' })}\n`)
cpSync(join(here, 'LICENSE'), join(dist, 'LICENSE'))
cpSync(join(here, 'examples'), join(dist, 'examples'), { recursive: true })
// The README's picture lies elsewhere in the repository.
cpSync(join(here, '..', '..', 'docs', 'images', PICTURE), join(dist, PICTURE))
const readme = readFileSync(join(here, 'README.md'), 'utf8')
writeFileSync(join(dist, 'README.md'), readme.replace(`../../docs/images/${PICTURE}`, PICTURE))
chmodSync(join(OUT, 'cli.js'), 0o755)
process.stdout.write(
  `${relative(process.cwd(), dist)} is built. npm pack ${relative(process.cwd(), dist)} makes a tarball.\n`,
)
