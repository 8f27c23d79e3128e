// Who imports whom, by the syntax of every TypeScript file of the repository.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
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

/** What is imported by a name of its own, as a workspace is. */
const WORKSPACES: Readonly<Record<string, string>> = {
  'bandstand-figures': 'packages/figures/index.ts',
  'bandstand-figures/files': 'packages/figures/files.ts',
  'bandstand-figures/poses': 'packages/figures/model/poses.ts',
  'bandstand-images': 'packages/images/index.ts',
  'bandstand-images/work': 'packages/images/work.ts',
  'bandstand-sandbox': 'packages/sandbox/exports/index.ts',
  'bandstand-sandbox/certificate': 'packages/sandbox/certificate.ts',
  'bandstand-sandbox/child': 'packages/sandbox/child.ts',
  'bandstand-sandbox/package.json': 'packages/sandbox/package.json',
  'bandstand-sandbox/voice': 'packages/sandbox/exports/voice.ts',
  'bandstand-sandbox/world': 'packages/sandbox/exports/world.ts',
  '#sandbox/certificate': 'packages/sandbox/certificate.ts',
  '#sandbox/start': 'packages/sandbox/start.ts',
}

/** The files that are imported by such a name. */
export const ENTRIES: ReadonlySet<string> = new Set(Object.values(WORKSPACES))

/** All files of the repository, those that are not committed yet included. */
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
  const workspace = WORKSPACES[name]
  if (workspace !== undefined) return { from, to: workspace, isPackage: false, isType }
  const [scope = '', own] = name.split('/')
  return { from, to: scope.startsWith('@') ? `${scope}/${own}` : scope, isPackage: true, isType }
}

/** The folder at the top that a file is in, or its package; of a file at the root, the file itself. */
export function topOf(file: string): string {
  const [top = file, name] = file.split('/')
  return top === 'packages' ? `${top}/${name}` : top
}
