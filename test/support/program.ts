import { existsSync, globSync, statSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')
const SOURCES = ['*.ts', '{api,bot,db,jobs,lib,packages,service,upstream,web}/**/*.ts']

let isBuilt: boolean | null = null

/**
 * The file of a program of the product: in dist/, as services run it and quicker to start, where no source is newer; else the
 * source itself, so that one test alone runs what was just written.
 */
export function program(source: string): string {
  isBuilt ??= isCurrent()
  return join(ROOT, isBuilt ? join('dist', source.replace(/\.ts$/, '.js')) : source)
}

function isCurrent(): boolean {
  const stamp = join(ROOT, 'dist', '.built')
  if (!existsSync(stamp)) return false
  const builtAt = statSync(stamp).mtimeMs
  const sources = globSync(SOURCES, { cwd: ROOT, exclude: ['**/node_modules', '**/dist', '**/test'] })
  return sources.every((file) => statSync(join(ROOT, file)).mtimeMs <= builtAt)
}
