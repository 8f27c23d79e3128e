import type { Widened } from '../i18n/languages.ts'
import type { en } from './en.ts'

/** The labels of all commands in one language. */
export type Labels = Widened<typeof en>
