import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Middleware } from 'koa'
import { Fault } from '../lib/errors.ts'

/**
 * Imports the operator's Koa middleware: the default export of a module, a function or a list of them.
 * @param path of the module, from the working directory; null: there is none.
 * @throws {Fault} that names the setting.
 */
export async function loadMiddleware(path: string | null): Promise<readonly Middleware[]> {
  if (path === null) return []
  const { default: exported } = await importModule(path)
  const list = [exported].flat()
  if (list.length > 0 && list.every((one) => typeof one === 'function')) return list as Middleware[]
  throw unusable(`${path} must export Koa middleware (one or a list) as its default export.`)
}

async function importModule(path: string): Promise<{ readonly default?: unknown }> {
  try {
    return (await import(pathToFileURL(resolve(path)).href)) as { readonly default?: unknown }
  } catch (cause) {
    throw unusable(`The import of ${path} failed: ${(cause as Error).message}`, cause)
  }
}

function unusable(why: string, cause?: unknown): Fault {
  return new Fault('service_unavailable', `KOA_MIDDLEWARE: ${why}`, { cause })
}
