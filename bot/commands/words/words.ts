import type { FaultReason } from '../../../lib/errors.ts'
import type { Widened } from '../i18n/languages.ts'
import type { en } from './en.ts'

/** All that the bot says in one language. */
export type Words = Widened<typeof en> & {
  readonly failed: { readonly reasons: Readonly<Record<FaultReason, string>> }
}
