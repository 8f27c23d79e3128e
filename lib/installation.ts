import { extname, join, sep } from 'node:path'

const isBuilt = extname(import.meta.filename) === '.js'
const here = import.meta.dirname + sep

/** The folder of the installation, from its sources and from its build in `dist/` alike. */
export const ROOT = isBuilt ? here.slice(0, here.lastIndexOf(`${sep}dist${sep}`)) : join(here, '..')

/** The folder of the code that runs: that of the sources, or `dist/`. */
export const CODE = isBuilt ? join(ROOT, 'dist') : ROOT

/**
 * The file of a program or a thread, for `fork` and `Worker`. `tools/build.mjs` lists them all.
 * @param name its path in the sources, without the ending
 */
export function programFile(name: string): string {
  return join(CODE, `${name}${extname(import.meta.filename)}`)
}

/** A file that the code reads, by its path in the sources. */
export function assetFile(...path: string[]): string {
  return join(ROOT, ...path)
}
