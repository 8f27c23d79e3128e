import { Fault } from '../errors.ts'

/**
 * Loads a capability whose packages an operator may leave out (`npm run start:small`).
 * @param what the capability, as the subject of a sentence
 * @throws {Fault} `service_unavailable` that names the missing package and what installs it; otherwise what `load` throws.
 */
export async function loadOptional<T>(what: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    const name = missingPackage(cause)
    if (name === null) throw cause
    throw new Fault(
      'service_unavailable',
      `${what} needs the package ${name}, which this installation leaves out. The operator can add it by \`npm ci\`.`,
      { cause },
    )
  }
}

/** Null for an error of any other kind, and for a file of ours that is missing. */
function missingPackage(error: unknown): string | null {
  const { code, message } = error as NodeJS.ErrnoException
  if (code !== 'ERR_MODULE_NOT_FOUND') return null
  return /^Cannot find package '([^']+)'/.exec(message)?.[1] ?? null
}
