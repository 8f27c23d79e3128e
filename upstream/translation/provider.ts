import { Fault } from '../../lib/errors.ts'
import { UpstreamFailure } from '../http/failure.ts'
import type { Language, LanguageCode } from './codes.ts'

export interface Translated {
  readonly text: string
  /** The source language in the provider's code; null where the caller named it. */
  readonly detected: string | null
}

export interface TranslationProvider {
  readonly host: string
  /** For a whole translation. */
  readonly timeoutMs: number
  /** One answer for each text, in order. `from` null: the provider finds out. */
  translate(texts: readonly string[], from: LanguageCode | null, to: LanguageCode): Promise<readonly Translated[]>
  languages(): Promise<readonly Language[]>
}

/** Rethrows a provider's 400 as what it means to the caller, unless `isOurs` says that it means the operator. */
export function explainRejection(error: unknown, from: LanguageCode | null, to: LanguageCode): never {
  if (!(error instanceof UpstreamFailure) || error.facts.status !== 400) throw error
  const said = JSON.stringify(error.facts.body ?? '')
  // The services tell a missing or wrong key of the operator's by their words alone.
  if (/api[ _-]?key/i.test(said)) throw error
  const isLength = /limit|too long|too large/i.test(said)
  const field = isLength ? 'query.text' : 'query.to'
  const message = isLength
    ? 'The translation service takes no text of this length.'
    : `The translation service does not translate from ${from ?? 'this language'} to ${to}.`
  throw new Fault('bad_request', `${field}: ${message}`, { details: [{ field, message }], cause: error })
}
