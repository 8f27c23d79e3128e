import type { Widened } from '../../../bot/commands/i18n/languages.ts'
import type { en } from './en.ts'

/** The type that other languages have to fill. */
export type PlayerWords = Widened<typeof en>
