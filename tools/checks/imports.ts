// Imports by the syntax of every TypeScript file of the repository.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSync } from 'oxc-parser'

export const root = join(import.meta.dirname, '..', '..')

export interface Import {
  readonly from: string
  /** A path from the root, or the name of a package. */
  readonly to: string
  readonly isPackage: boolean
  /** Nothing of it is left when the program runs. */
  readonly isType: boolean
}

/** The files of packages by the names under which they are exported. */
const WORKSPACES: ReadonlyMap<string, string> = new Map(readdirSync(join(root, 'packages')).flatMap(entriesOf))

function entriesOf(folder: string): readonly (readonly [name: string, file: string])[] {
  const { name, exports = {} }: { readonly name: string; readonly exports?: Readonly<Record<string, unknown>> } =
    JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'))
  return Object.entries(exports).flatMap(([path, file]) =>
    typeof file === 'string' ? [[posix.join(name, path), posix.join('packages', folder, file)] as const] : [],
  )
}

/** The files that are imported by such a name. */
export const ENTRIES: ReadonlySet<string> = new Set(WORKSPACES.values())

/** Lists all files of the repository, uncommitted ones included. */
export function listFiles(...patterns: readonly string[]): readonly string[] {
  const args = ['ls-files', '--deduplicate', '--cached', '--others', '--exclude-standard', '--', ...patterns]
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 })
  return listed.split('\n').filter((file) => file !== '' && existsSync(join(root, file)))
}

export function importsOf(file: string): readonly Import[] {
  const text = readFileSync(join(root, file), 'utf8')
  const { module, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const { staticImports, staticExports, dynamicImports } = module
  const found: Import[] = staticImports.map(({ moduleRequest, entries }) =>
    importOf(file, moduleRequest.value, entries.length > 0 && entries.every(({ isType }) => isType)),
  )
  for (const { moduleRequest, isType } of staticExports.flatMap(({ entries }) => entries)) {
    if (moduleRequest) found.push(importOf(file, moduleRequest.value, isType))
  }
  for (const { moduleRequest } of dynamicImports) {
    const [, name] = /^'([^']+)'$/.exec(text.slice(moduleRequest.start, moduleRequest.end)) ?? []
    if (name !== undefined) found.push(importOf(file, name, false))
  }
  return found.filter(({ to }) => !to.startsWith('node:'))
}

function importOf(from: string, name: string, isType: boolean): Import {
  if (name.startsWith('.')) return { from, to: posix.join(posix.dirname(from), name), isPackage: false, isType }
  // The suite's own name for the sandbox, which its tarball has inside.
  const workspace = WORKSPACES.get(name.replace(/^#sandbox\//, 'bandstand-sandbox/'))
  if (workspace !== undefined) return { from, to: workspace, isPackage: false, isType }
  const [scope = '', own] = name.split('/')
  return { from, to: scope.startsWith('@') ? `${scope}/${own}` : scope, isPackage: true, isType }
}

/** The folder at the top that a file is in, or its package; of a file at the root, the file itself. */
export function topOf(file: string): string {
  const [top = file, name] = file.split('/')
  return top === 'packages' || file.startsWith('web/ui/') ? `${top}/${name}` : top
}
