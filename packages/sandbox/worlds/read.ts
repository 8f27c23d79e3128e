import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { parse as parseYaml } from 'yaml'
import { inputMessage, problemsOf } from '../../../lib/validation/problems.ts'
import { WorldFile } from './schema.ts'

const SHOWN_MAX = 20

/** An error in a world file, with the path of the value. */
export interface WorldProblem {
  readonly path: string
  readonly message: string
}

/** A world that cannot be built. The message is for the person who wrote it. */
export class WorldError extends Error {
  override readonly name = 'WorldError'
  readonly problems: readonly WorldProblem[]

  constructor(source: string, problems: readonly WorldProblem[]) {
    const shown = problems
      .slice(0, SHOWN_MAX)
      .map(({ path, message }) => `  ${path === '' ? '' : `${path}: `}${message}`)
    const more = problems.length > SHOWN_MAX ? [`  … and ${problems.length - SHOWN_MAX} more`] : []
    super(
      [`${source} has ${problems.length === 1 ? 'a mistake' : `${problems.length} mistakes`}:`, ...shown, ...more].join(
        '\n',
      ),
    )
    this.problems = problems
  }
}

/**
 * Reads a world from a file: JSON or YAML.
 * @throws {WorldError} with all that is wrong with it.
 */
export function readWorld(file: string): WorldFile {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new WorldError(file, [{ path: '', message: `Can't be read: ${(error as Error).message}.` }])
  }
  return parseWorld(parseText(text, file), file)
}

/** @param source what the world is called in errors. */
export function parseWorld(draft: unknown, source = 'The world'): WorldFile {
  const parsed = WorldFile.safeParse(draft, { error: inputMessage })
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.flatMap(problemsOf).map(({ field, message }) => ({ path: field, message }))
  throw new WorldError(source, problems)
}

function parseText(text: string, file: string): unknown {
  const isJson = extname(file).toLowerCase() === '.json'
  try {
    // An empty file is no world either; its error names what is missing.
    return (isJson ? JSON.parse(text) : parseYaml(text)) ?? undefined
  } catch (error) {
    const message = `Is no valid ${isJson ? 'JSON' : 'YAML'}: ${(error as Error).message.split('\n')[0]}`
    throw new WorldError(file, [{ path: '', message }])
  }
}
