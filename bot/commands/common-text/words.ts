import type { FaultReason, InputReason } from '../../../lib/errors.ts'
import type { Widened } from '../i18n/languages.ts'
import type { en } from './en.ts'

/** Texts that commands share in one language: refusals and failures. */
export type CommonWords = Widened<typeof en> & {
  readonly failed: { readonly reasons: Readonly<Record<Exclude<FaultReason, InputReason>, string>> }
}
