import { Fault } from '../../lib/errors.ts'
import { UpstreamFailure } from '../http/failure.ts'
import type { LanguageCode } from './codes.ts'
import type { TranslationLanguage } from './schemas.ts'

export interface Translated {
  readonly text: string
  /** The source language in the provider's code; null if the caller named it. */
  readonly detected: string | null
}

export interface TranslationProvider {
  /** As in `TRANSLATE_PROVIDER`. */
  readonly name: string
  readonly host: string
  /** For a whole translation. */
  readonly timeoutMs: number
  /** It detects the source poorly: the detection here names it where possible. */
  readonly wantsSource?: boolean
  /** One answer for each text, in order. `from` null: the provider finds out. */
  translate(texts: readonly string[], from: LanguageCode | null, to: LanguageCode): Promise<readonly Translated[]>
  languages(): Promise<readonly TranslationLanguage[]>
  /** Of those that are free for today; left out without such a bound. */
  remainingCharacters?(): number
}

/** Rethrows a provider's 400 as what it means to the caller, unless `isOurs` says that it means the operator. */
export function explainRejection(error: unknown, from: LanguageCode | null, to: LanguageCode): never {
  if (!(error instanceof UpstreamFailure) || error.facts.status !== 400) throw error
  const said = JSON.stringify(error.facts.body ?? '')
  // The services tell a missing or wrong key of the operator's by their words alone.
  if (/api[ _-]?key/i.test(said)) throw error
  const isLength = /limit|too long|too large/i.test(said)
  const reason = isLength ? 'text_too_long' : 'unknown_target_language'
  const message = isLength
    ? 'The text is too long for the translation service.'
    : `The translation service doesn't translate from ${from ?? 'this language'} to ${to}.`
  throw new Fault('bad_request', message, { reason, cause: error })
}

/** A translation with the white space around it that the original has. */
export function withSpacesOf(original: string, translated: string): string {
  const before = original.slice(0, original.length - original.trimStart().length)
  return before + translated.trim() + original.slice(original.trimEnd().length)
}
